package moamalat

import (
	"math/rand/v2"
	"sync"
	"time"
)

// Forms of dates, in Tripoli's time.
const (
	minuteForm = "200601021504" // of the form's configuration
	secondForm = "060102150405" // of a request
	dayForm    = "20060102"
)

// tripoli needs no database of time zones: Libya has no summer time.
var tripoli = time.FixedZone("Africa/Tripoli", 2*60*60)

// How far in the past the date of a request is drawn from, and how far back it may go where
// all of that is taken, in seconds.
const (
	drawnFrom = 60
	furthest  = 600
)

// dates gives requests dates that no other request of a terminal has.
type dates struct {
	now func() time.Time

	mu    sync.Mutex
	used  map[usedDate]struct{}
	swept int64 // when the old ones were forgotten
}

type usedDate struct {
	terminal string
	second   int64
}

// next is a date that this process has not used for the terminal. Where ten minutes are
// taken to the last second it is one that was: asking is better than not asking.
func (d *dates) next(terminal string) string {
	now := d.now().Unix()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forget(now)
	date := usedDate{terminal, now - rand.Int64N(drawnFrom)} //nolint:gosec // it is no secret
	for range furthest {
		if _, taken := d.used[date]; !taken {
			break
		}
		if date.second--; date.second <= now-furthest {
			date.second = now
		}
	}
	d.used[date] = struct{}{}
	return time.Unix(date.second, 0).In(tripoli).Format(secondForm)
}

// forget drops, once a minute, what can be drawn no more. d.mu is held.
func (d *dates) forget(now int64) {
	if d.used == nil {
		d.used = make(map[usedDate]struct{})
	}
	if now < d.swept+drawnFrom {
		return
	}
	d.swept = now
	for u := range d.used {
		if u.second <= now-furthest {
			delete(d.used, u)
		}
	}
}

package moamalat

import (
	"math/rand/v2"
	"sync"
	"time"
)

// Forms of dates, in Tripoli's time.
const (
	minuteForm = "200601021504" // in the configuration of the lightbox
	secondForm = "060102150405" // in a request
	dayForm    = "20060102"
)

// tripoli needs no database of time zones: Libya has no summer time.
var tripoli = time.FixedZone("Africa/Tripoli", 2*60*60)

// The date of a request is a random one of the last randomSeconds, or an earlier one of the last
// maxSeconds where it was used already.
const (
	randomSeconds = 60
	maxSeconds    = 600
)

// dates gives requests dates that no other request of a terminal has.
type dates struct {
	now func() time.Time

	mu    sync.Mutex
	used  map[usedDate]struct{}
	swept int64 // when old dates were last deleted
}

type usedDate struct {
	terminal string
	second   int64
}

// next returns a date that this process has not used for the terminal. Where every second of
// ten minutes is used it repeats one: a request that may be refused is better than none.
func (d *dates) next(terminal string) string {
	now := d.now().Unix()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sweep(now)
	date := usedDate{terminal, now - rand.Int64N(randomSeconds)} //nolint:gosec // it is no secret
	for range maxSeconds {
		if _, taken := d.used[date]; !taken {
			break
		}
		if date.second--; date.second <= now-maxSeconds {
			date.second = now
		}
	}
	d.used[date] = struct{}{}
	return time.Unix(date.second, 0).In(tripoli).Format(secondForm)
}

// sweep deletes, once a minute, dates that are too old to be used again. d.mu is held.
func (d *dates) sweep(now int64) {
	if d.used == nil {
		d.used = make(map[usedDate]struct{})
	}
	if now < d.swept+randomSeconds {
		return
	}
	d.swept = now
	for u := range d.used {
		if u.second <= now-maxSeconds {
			delete(d.used, u)
		}
	}
}

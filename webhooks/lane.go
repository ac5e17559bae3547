package webhooks

import (
	"bytes"
	"time"
)

const (
	// maxDepth is how many deliveries of one endpoint are fetched ahead. Only
	// endpoints that answer fast get more than maxInFlight.
	maxDepth = 64
	// freshFor is how long what was fetched counts. Later the address or the
	// secret may be another, and it is fetched again.
	freshFor = 100 * time.Millisecond
)

// lane is an endpoint that this dispatcher serves at the moment.
type lane struct {
	url      string
	sealed   []byte
	by       signer
	until    time.Time // of the lease
	fetched  time.Time // of the queue, by the machine's clock
	queue    []claimed
	inFlight int
	unmarked int  // tries that were made and are not written down yet
	depth    int  // how many to fetch at a time
	asked    int  // depth when the last fetch was made
	more     bool // the last fetch was full
	troubled bool // failures are on record, so a success must be noted too
	probing  bool // one at a time
}

// take puts what was claimed into the lane. The rows are of one application.
func (l *lane) take(rows []claimed, by signer, now time.Time) {
	first := rows[0]
	l.url, l.sealed, l.by, l.until, l.fetched = first.URL, first.Sealed, by, first.Until, now
	l.troubled = l.troubled && l.unmarked > 0 || first.Failures > 0
	l.probing = first.Failures >= failuresToOpen
	l.queue = append(l.queue, rows...)
	l.more = len(rows) >= l.asked
}

// signs says whether the lane's signer is that of the sealed secret.
func (l *lane) signs(sealed []byte) bool { return l.by.hook != nil && bytes.Equal(l.sealed, sealed) }

// next takes the delivery to send now; false where there is none, the endpoint
// has as many as it may, or the lease would end too soon. What became stale is
// returned as dropped.
func (l *lane) next(now, wall time.Time) (c claimed, dropped []claimed, ok bool) {
	room := maxInFlight
	if l.probing {
		room = 1
	}
	if len(l.queue) == 0 || l.inFlight >= room {
		return claimed{}, nil, false
	}
	if wall.Sub(l.fetched) > freshFor || l.until.Sub(now) < leaseLeft {
		dropped, l.queue, l.more = l.queue, nil, true
		l.depth = max(l.depth/2, maxInFlight)
		return claimed{}, dropped, false
	}
	c, l.queue = l.queue[0], l.queue[1:]
	if len(l.queue) == 0 && l.more {
		l.depth = min(l.depth*2, maxDepth)
	}
	l.inFlight++
	return c, nil, true
}

// hungry says whether another fetch would find room. An endpoint that is being
// tried out gets no more before it is known how that went.
func (l *lane) hungry() bool {
	if l.probing {
		return false
	}
	return len(l.queue) <= l.depth/4 && (l.inFlight < maxInFlight || l.depth > maxInFlight)
}

// idle says whether nothing is left to do for the endpoint.
func (l *lane) idle() bool { return len(l.queue) == 0 && l.inFlight == 0 && l.unmarked == 0 }

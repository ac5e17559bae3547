package webhooks

import (
	"bytes"
	"time"

	"daftar/accounts"
)

const (
	// maxDepth is how many deliveries of one endpoint are fetched ahead. Only
	// endpoints that answer fast get more than maxInFlight.
	maxDepth = 64
	// freshFor is how long a fetched delivery may be sent. Later it may have been held or
	// delivered, so it is fetched again. (Address and secret are confirmed at each try.)
	freshFor = time.Second
)

// endpointQueue is an endpoint that this dispatcher serves at the moment.
type endpointQueue struct {
	owner    accounts.OrganizationID
	url      string
	by       signer
	until    time.Time // of the lease
	fetched  time.Time // of the queue, by the machine's clock
	ready    []claimed
	inFlight int
	unmarked int  // tries that ended and are not stored yet
	depth    int  // how many to fetch at a time
	asked    int  // depth when the last fetch was made
	more     bool // the last fetch was full
	troubled bool // failures are stored, so the next success must change the health
	probing  bool // one at a time
}

// take adds claimed deliveries, all of one application.
func (q *endpointQueue) take(rows []claimed, by signer, now time.Time) {
	first := rows[0]
	q.owner = first.Organization
	q.url, q.by, q.until, q.fetched = first.URL, by, first.Until, now
	q.troubled = q.troubled && q.unmarked > 0 || first.Failures > 0
	q.probing = first.Failures >= failuresToOpen
	q.ready = append(q.ready, rows...)
	q.more = len(rows) >= q.asked
}

// signs reports whether the queue's signer is that of the sealed secret.
func (q *endpointQueue) signs(sealed []byte) bool {
	return q.by.hook != nil && bytes.Equal(q.by.sealed, sealed)
}

// next takes the delivery to send now; ok is false where there is none, the endpoint
// has as many in flight as allowed, or the lease would end too soon. Stale deliveries
// are returned as dropped.
func (q *endpointQueue) next(now, wall time.Time) (c claimed, dropped []claimed, ok bool) {
	room := maxInFlight
	if q.probing {
		room = 1
	}
	if len(q.ready) == 0 || q.inFlight >= room {
		return claimed{}, nil, false
	}
	if wall.Sub(q.fetched) > freshFor || q.until.Sub(now) < leaseLeft {
		dropped, q.ready, q.more = q.ready, nil, true
		q.depth = max(q.depth/2, maxInFlight)
		return claimed{}, dropped, false
	}
	c, q.ready = q.ready[0], q.ready[1:]
	if len(q.ready) == 0 && q.more {
		q.depth = min(q.depth*2, maxDepth)
	}
	q.inFlight++
	return c, nil, true
}

// wantsMore reports whether the queue has room for another fetch. An endpoint that is being
// probed gets no more before the outcome of the probe is known.
func (q *endpointQueue) wantsMore() bool {
	if q.probing {
		return false
	}
	return len(q.ready) <= q.depth/4 && (q.inFlight < maxInFlight || q.depth > maxInFlight)
}

// idle reports whether nothing is left to do for the endpoint.
func (q *endpointQueue) idle() bool { return len(q.ready) == 0 && q.inFlight == 0 && q.unmarked == 0 }

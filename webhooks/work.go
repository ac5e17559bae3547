package webhooks

import (
	"context"
	"time"

	"daftar/accounts"
	"daftar/domain"
)

// startRound starts a round with the database if there is reason for one.
func (w *work) startRound(ctx context.Context) {
	if w.syncing {
		return
	}
	r := &round{marks: w.outcomes, release: w.release, hold: w.hold}
	marks := map[domain.ApplicationID]int{}
	for _, o := range r.marks {
		marks[o.Application]++
		r.trouble = r.trouble || !o.delivered() || o.slow() || w.queues[o.Application].troubled
	}
	for id, q := range w.queues {
		if len(q.ready) == 0 && q.inFlight == 0 && q.unmarked == marks[id] {
			r.release = append(r.release, id)
		}
	}
	if w.wanted && w.inFlight < maxSending {
		r.claim = w.claimRequest()
	}
	if len(r.marks) == 0 && len(r.release) == 0 && r.claim == nil {
		return
	}
	// The goroutine gets copies: only Run's goroutine may touch work.
	queues := make(map[domain.ApplicationID]endpointQueue, len(w.queues))
	for id, q := range w.queues {
		queues[id] = *q
	}
	w.syncing, w.wanted, w.hold, w.outcomes, w.release = true, false, false, nil, nil
	go func() {
		r.err = w.syncStore(ctx, r, queues)
		w.rounds <- r
	}()
}

// claimRequest asks for as many deliveries as the queues have room for.
func (w *work) claimRequest() *claimRequest {
	// Not nil: NULL compares to nothing.
	all := &claimRequest{
		Now: w.now(), By: w.me,
		Skip:  []domain.ApplicationID{},
		Known: make([]DeliveryID, 0, len(w.known)),
	}
	for id := range w.known {
		all.Known = append(all.Known, id)
	}
	for id, q := range w.queues {
		if !q.wantsMore() && !q.idle() {
			all.Skip = append(all.Skip, id)
			continue
		}
		all.Served, all.Depths = append(all.Served, id), append(all.Depths, int32(q.depth))
		q.asked, q.more = q.depth, false
	}
	for id, until := range w.suspended {
		if time.Now().After(until) {
			delete(w.suspended, id)
		} else {
			all.Skip = append(all.Skip, id)
		}
	}
	return all
}

// finish stores a try for the next round and fills its place.
func (w *work) finish(o outcome) {
	q := w.queues[o.Application]
	q.inFlight--
	waited := w.freePlace(q.owner)
	if o.none {
		delete(w.known, o.ID)
		w.drop(q.ready)
		q.ready, q.more = nil, true
	} else {
		q.unmarked++
		w.outcomes = append(w.outcomes, o)
		w.metrics.count(o)
		w.log.Debug().Stringer("application", o.Application).Stringer("delivery", o.ID).
			Str("event", o.Event).Int("attempt", o.Attempts+1).Int("status", o.Status).
			Str("error", o.Error).Dur("duration", o.Duration).
			Msg("webhook tried")
		q.troubled = q.troubled || o.slow()
		if !o.delivered() {
			// The endpoint may be disabled now: the next claim finds that out.
			q.troubled, q.more, q.depth = true, true, maxInFlight
			w.drop(q.ready)
			q.ready = nil
		}
	}
	if waited {
		w.startOthers(q.owner) // before q, or one queue would keep the place for ever
	}
	w.start(q)
}

// freePlace frees a place of an organisation, and reports whether its queues may have waited
// for one.
func (w *work) freePlace(of accounts.OrganizationID) bool {
	w.inFlight--
	w.of[of]--
	waited := w.of[of] == maxOfOrganization-1
	if w.of[of] == 0 {
		delete(w.of, of)
	}
	return waited
}

// startOthers gives a place that became free to any of the organisation's queues.
func (w *work) startOthers(of accounts.OrganizationID) {
	for _, q := range w.queues {
		if q.owner == of && len(q.ready) > 0 {
			w.start(q)
		}
	}
}

func (w *work) drop(rows []claimed) {
	for _, c := range rows {
		delete(w.known, c.ID)
	}
}

// start sends as much from the endpoint's queue as it may.
func (w *work) start(q *endpointQueue) {
	for w.inFlight < maxSending && w.of[q.owner] < maxOfOrganization {
		c, dropped, ok := q.next(w.now(), time.Now())
		w.drop(dropped)
		if !ok {
			break
		}
		w.inFlight++
		w.of[q.owner]++
		by := q.by
		w.tries.Go(func() { w.attempt(c, by) })
	}
	if q.more && q.wantsMore() {
		w.wanted = true
	}
}

// applyResults applies the results of a round. It returns false if the round failed; what was
// not stored is kept for the next.
func (w *work) applyResults(r *round) bool {
	w.syncing = false
	if r.err != nil {
		w.outcomes = append(r.marks, w.outcomes...)
		w.wanted = true
		for _, id := range r.release {
			if w.queues[id] == nil { // otherwise nothing would release its lease
				w.release = append(w.release, id)
			}
		}
		w.forget(r)
		return false
	}
	w.loop.Retry.Reset()
	w.forget(r)
	for _, id := range r.release {
		if q := w.queues[id]; q != nil && q.idle() {
			delete(w.queues, id)
		}
		// Another server may have looked for work while this one had the lease, and
		// found none: claim once more.
		w.wanted = true
	}
	var rows []claimed
	for n, c := range r.claimed {
		if !w.known[c.ID] {
			rows = append(rows, c)
		}
		if n+1 < len(r.claimed) && r.claimed[n+1].Application == c.Application {
			continue
		}
		if len(rows) > 0 {
			w.admit(c.Application, rows, r.signers[c.Application])
		}
		rows = nil
	}
	return true
}

// forget removes the deliveries that the round has marked.
func (w *work) forget(r *round) {
	for _, o := range r.marked {
		delete(w.known, o.ID)
		w.queues[o.Application].unmarked--
	}
}

// admit opens a queue for what was claimed, or adds to it.
func (w *work) admit(id domain.ApplicationID, rows []claimed, by signer) {
	if by.hook == nil {
		w.suspended[id] = time.Now().Add(suspendFor)
		if w.queues[id] == nil {
			w.release = append(w.release, id)
		}
		return
	}
	q := w.queues[id]
	if q == nil {
		q = &endpointQueue{depth: maxInFlight}
		w.queues[id] = q
	}
	for _, c := range rows {
		w.known[c.ID] = true
	}
	q.take(rows, by, time.Now())
	w.start(q)
}

// stop waits for the tries under way (the context sending cancels those that take too long),
// stores their outcomes and releases the endpoints.
func (w *work) stop() {
	for _, q := range w.queues {
		w.drop(q.ready)
		q.ready = nil
	}
	for w.inFlight > 0 || w.syncing {
		select {
		case o := <-w.finished:
			w.finish(o)
		case r := <-w.rounds:
			for _, c := range r.claimed {
				w.release = append(w.release, c.Application)
			}
			r.claimed = nil
			w.applyResults(r)
		}
	}
	w.tries.Wait()
	last := &round{marks: w.outcomes, trouble: len(w.outcomes) > 0, release: w.release}
	for id := range w.queues {
		last.release = append(last.release, id)
	}
	if len(last.release) == 0 {
		return
	}
	if err := w.syncStore(context.Background(), last, nil); err != nil {
		w.log.Warn().Err(err).Msg("the last tries are not marked; they will be made again")
	}
}

package webhooks

import (
	"context"
	"time"

	"daftar/domain"
)

// visit starts a round with the database if there is reason for one.
func (w *work) visit(ctx context.Context) {
	if w.visiting {
		return
	}
	r := &round{marks: w.outcomes, release: w.release, hold: w.hold}
	marks := map[domain.ApplicationID]int{}
	for _, o := range r.marks {
		marks[o.Application]++
		r.trouble = r.trouble || !o.delivered() || w.lanes[o.Application].troubled
	}
	for id, l := range w.lanes {
		if len(l.queue) == 0 && l.inFlight == 0 && l.unmarked == marks[id] {
			r.release = append(r.release, id)
		}
	}
	if w.wanted && w.inFlight < maxSending {
		r.wish = w.wish()
	}
	if len(r.marks) == 0 && len(r.release) == 0 && r.wish == nil {
		return
	}
	// The goroutine sees copies: what Run knows is Run's.
	lanes := make(map[domain.ApplicationID]lane, len(w.lanes))
	for id, l := range w.lanes {
		lanes[id] = *l
	}
	w.visiting, w.wanted, w.hold, w.outcomes, w.release = true, false, false, nil, nil
	go func() {
		r.err = w.converse(ctx, r, lanes)
		w.rounds <- r
	}()
}

// wish is what there is room for.
func (w *work) wish() *wish {
	// Not nil: NULL compares to nothing.
	all := &wish{Now: w.now(), By: w.me, Leave: [][16]byte{}, Known: make([][16]byte, 0, len(w.known))}
	for id := range w.known {
		all.Known = append(all.Known, id)
	}
	for id, l := range w.lanes {
		if !l.hungry() && !l.idle() {
			all.Leave = append(all.Leave, id)
			continue
		}
		all.Served, all.Depths = append(all.Served, id), append(all.Depths, int32(l.depth))
		l.asked, l.more = l.depth, false
	}
	for id, until := range w.benched {
		if time.Now().After(until) {
			delete(w.benched, id)
		} else {
			all.Leave = append(all.Leave, id)
		}
	}
	return all
}

// finish takes note of a try and fills its place.
func (w *work) finish(o outcome) {
	w.inFlight--
	l := w.lanes[o.Application]
	l.inFlight--
	if o.none {
		delete(w.known, o.ID)
	} else {
		l.unmarked++
		w.outcomes = append(w.outcomes, o)
		w.tell(o)
		if !o.delivered() {
			// Perhaps the endpoint is not to be tried any more: the next claim knows.
			l.troubled, l.more, l.depth = true, true, maxInFlight
			w.drop(l.queue)
			l.queue = nil
		}
	}
	w.start(l)
}

func (w *work) tell(o outcome) {
	w.metrics.count(o)
	w.log.Debug().Stringer("application", o.Application).Stringer("delivery", o.ID).Str("event", o.Event).
		Int("attempt", o.Attempts+1).Int("status", o.Status).Str("error", o.Error).Dur("duration", o.Duration).Msg("webhook tried")
}

func (w *work) drop(rows []claimed) {
	for _, c := range rows {
		delete(w.known, c.ID)
	}
}

// start sends as much from the lane's queue as it may.
func (w *work) start(l *lane) {
	for w.inFlight < maxSending {
		c, dropped, ok := l.next(w.now(), time.Now())
		w.drop(dropped)
		if !ok {
			break
		}
		w.inFlight++
		by := l.by
		w.tries.Go(func() { w.attempt(c, by) })
	}
	if l.more && l.hungry() {
		w.wanted = true
	}
}

// settle takes note of a round. It returns false if it failed; what it should
// have written down is kept for the next.
func (w *work) settle(r *round) bool {
	w.visiting = false
	if r.err != nil {
		w.outcomes = append(r.marks, w.outcomes...)
		w.wanted = true
		w.forget(r)
		return false
	}
	w.failures = 0
	w.forget(r)
	for _, id := range r.release {
		if l := w.lanes[id]; l != nil && l.idle() {
			delete(w.lanes, id)
		}
		// Another server may have been told of work for the endpoint while it was
		// ours, and gone away again: look once more.
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

// forget frees what the round has written down.
func (w *work) forget(r *round) {
	for _, o := range r.marked {
		delete(w.known, o.ID)
		w.lanes[o.Application].unmarked--
	}
}

// admit opens a lane for what was claimed, or adds to it.
func (w *work) admit(id domain.ApplicationID, rows []claimed, by signer) {
	if by.hook == nil {
		w.benched[id] = time.Now().Add(benchedFor)
		if w.lanes[id] == nil {
			w.release = append(w.release, id)
		}
		return
	}
	l := w.lanes[id]
	if l == nil {
		l = &lane{depth: maxInFlight}
		w.lanes[id] = l
	}
	for _, c := range rows {
		w.known[c.ID] = true
	}
	l.take(rows, by, time.Now())
	w.start(l)
}

// stop lets the tries under way end, cuts off those that take too long, writes
// down what was done and gives the endpoints back.
func (w *work) stop(abandon func()) {
	for _, l := range w.lanes {
		w.drop(l.queue)
		l.queue = nil
	}
	grace := time.NewTimer(w.grace)
	defer grace.Stop()
	for w.inFlight > 0 || w.visiting {
		select {
		case o := <-w.finished:
			w.finish(o)
		case r := <-w.rounds:
			for _, c := range r.claimed {
				w.release = append(w.release, c.Application)
			}
			r.claimed = nil
			w.settle(r)
		case <-grace.C:
			abandon()
		}
	}
	w.tries.Wait()
	last := &round{marks: w.outcomes, trouble: len(w.outcomes) > 0, release: w.release}
	for id := range w.lanes {
		last.release = append(last.release, id)
	}
	if len(last.release) == 0 {
		return
	}
	if err := w.converse(context.Background(), last, nil); err != nil {
		w.log.Warn().Err(err).Msg("the last tries are not marked; they will be made again")
	}
}

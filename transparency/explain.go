package transparency

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// explainWindow is how many positions are searched for an explanation.
const explainWindow = 4096

func missing(position, found int64) *Wrong {
	w := &Wrong{Position: position, Kind: KindRemoved, Reason: "the log ends before it, and the tree does not"}
	if found > 0 {
		w.Reason = fmt.Sprintf("there is no event at this position; the next is at %d", found)
	}
	return w
}

// explain finds out what happened to the event at a position, the first whose
// hash is not the stored one; where there is none, the tree is short.
func (v *verification) explain(ctx context.Context, position int64, stored bool) (*Wrong, error) {
	asSigned, err := v.asSigned(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case asSigned:
		return &Wrong{Position: position, Kind: KindTree,
			Reason: "the stored hash is not that of the event; a signed checkpoint proves the event right"}, nil
	case !stored:
		return &Wrong{Position: position, Kind: KindTree, Reason: "the tree has no hash here, though it should have grown beyond"}, nil
	}
	return v.classify(ctx, position)
}

// asSigned says whether the events from the edge on have the root of the next
// checkpoint, whatever the stored tree has.
func (v *verification) asSigned(ctx context.Context) (bool, error) {
	c, err := v.signed.peek(ctx)
	if err != nil || c == nil {
		return false, err
	}
	e := v.edge.clone()
	if err := extend(ctx, v.pool, e, c.Size); errors.Is(err, ErrMismatch) {
		return false, nil // there is a gap as well
	} else if err != nil {
		return false, err
	}
	return v.judge(*c, e.root()) == nil, nil
}

// explainGap is for a position without an event. Events may have been removed
// before it, too, and the others moved up.
func (v *verification) explainGap(w Wrong) *Wrong {
	if w.Position > v.head {
		w.Reason = fmt.Sprintf("the log ends at %d; the tree has %d events", v.head, v.size)
	}
	return &w
}

// surroundings are the events and hashes around the first wrong position.
type surroundings struct {
	at     int64
	events map[int64]leaf      // as they are
	hashes map[int64]tlog.Hash // as they were logged
}

func (v *verification) readSurroundings(ctx context.Context, position int64) (surroundings, error) {
	s := surroundings{at: position, events: map[int64]leaf{}, hashes: map[int64]tlog.Hash{}}
	last := position + explainWindow - 1
	rows, err := v.pool.Query(ctx, leafRangeSQL, allBinary, position-1, last)
	if err != nil {
		return s, fmt.Errorf("read events: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		l, err := leafOfRow(rows.RawValues())
		if err != nil {
			return s, err
		}
		l.typ = append([]byte(nil), l.typ...)
		s.events[l.position] = l
	}
	if err := rows.Err(); err != nil {
		return s, fmt.Errorf("read events: %w", err)
	}
	wanted := map[tileID]bool{}
	for n := (position - 1) / tileWidth; n <= (last-1)/tileWidth; n++ {
		wanted[tileID{0, n}] = true
	}
	tiles, err := readTiles(ctx, v.pool, wanted)
	if err != nil {
		return s, err
	}
	for p := position; p <= min(last, v.size); p++ {
		if h, ok := leafIn(tiles[tileID{0, (p - 1) / tileWidth}], p-1); ok {
			s.hashes[p] = h
		}
	}
	return s, nil
}

// loggedAt is the position at which the event that is now at the given one was
// logged: where its leaf, with another number, has the logged hash. 0: not found.
func (s surroundings) loggedAt(position int64) int64 {
	l, ok := s.events[position]
	if !ok {
		return 0
	}
	scratch := make([]byte, 0, leafSize)
	for p := range s.hashes {
		l.position = p
		var h tlog.Hash
		if h, scratch = l.hash(scratch); s.hashes[p] == h {
			return p
		}
	}
	return 0
}

// classify tries what may have been done. What was logged is known only by its
// hash: each guess is hashed and compared.
func (v *verification) classify(ctx context.Context, position int64) (*Wrong, error) {
	s, err := v.readSurroundings(ctx, position)
	if err != nil {
		return nil, err
	}
	if w := s.moved(); w != nil {
		return w, nil
	}
	if w := s.pushed(); w != nil {
		return w, nil
	}
	if w := s.swapped(); w != nil {
		return w, nil
	}
	return &Wrong{Position: position, Kind: KindChanged, Reason: "the event differs from what was logged here"}, nil
}

// moved: the event here was logged further on.
func (s surroundings) moved() *Wrong {
	from := s.loggedAt(s.at)
	if from == 0 {
		return nil
	}
	if back := s.loggedAt(from); back == s.at {
		return &Wrong{Position: s.at, Kind: KindReordered, Reason: fmt.Sprintf("this event and the one at %d have changed places", from)}
	}
	shift := from - s.at
	if w := s.elsewhere(); w != nil {
		return w
	}
	next := s.loggedAt(s.at + 1)
	_, further := s.events[s.at+1]
	if next == s.at+1+shift || (!further && next == 0) {
		return &Wrong{Position: s.at, Kind: KindRemoved, Reason: fmt.Sprintf(
			"%s removed here and the events behind moved up: this one was logged at %d", events(shift), from)}
	}
	return &Wrong{Position: s.at, Kind: KindReordered, Reason: fmt.Sprintf("the event that was logged at %d stands here", from)}
}

// elsewhere: the event that was logged here stands further on, though no event
// was put in its place.
func (s surroundings) elsewhere() *Wrong {
	w := s.pushed()
	if w == nil {
		return nil
	}
	return &Wrong{Position: s.at, Kind: KindReordered, Reason: fmt.Sprintf(
		"the event that was logged at %d stands here, and the one that was logged here further on", s.loggedAt(s.at))}
}

// pushed: the event that was logged here stands further on.
func (s surroundings) pushed() *Wrong {
	logged, ok := s.hashes[s.at]
	if !ok {
		return nil
	}
	scratch := make([]byte, 0, leafSize)
	for p, l := range s.events {
		l.position = s.at
		var h tlog.Hash
		if h, scratch = l.hash(scratch); h == logged {
			return &Wrong{Position: s.at, Kind: KindInserted, Reason: fmt.Sprintf(
				"%s inserted here and the events behind moved down: the one that was logged here stands at %d", events(p-s.at), p)}
		}
	}
	return nil
}

// swapped: the contents that were logged here stand at another event, which is
// not what was logged there either.
func (s surroundings) swapped() *Wrong {
	own, ok := s.events[s.at]
	if !ok {
		return nil
	}
	scratch := make([]byte, 0, leafSize)
	for p, other := range s.events {
		var there tlog.Hash
		if there, scratch = other.hash(scratch); p == s.at || there == s.hashes[p] {
			continue
		}
		for _, metadata := range [][32]byte{own.metadata, other.metadata} {
			guess := own
			guess.payload, guess.metadata = other.payload, metadata
			var h tlog.Hash
			if h, scratch = guess.hash(scratch); h == s.hashes[s.at] {
				return &Wrong{Position: s.at, Kind: KindReordered, Reason: fmt.Sprintf(
					"the contents of this event stand at %d, and others here", p)}
			}
		}
	}
	return nil
}

func events(n int64) string {
	if n == 1 {
		return "an event was"
	}
	return fmt.Sprintf("%d events were", n)
}

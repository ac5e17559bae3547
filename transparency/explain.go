package transparency

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/internal/postgres"
)

// explainWindow is how many positions are searched for an explanation.
const explainWindow = 4096

// explain finds out what happened to the event at a position, the first whose
// hash is not the stored one; if no hash is stored, the tree is too short.
func (v *verification) explain(ctx context.Context, position int64, stored bool) (*Discrepancy, error) {
	asSigned, err := v.asSigned(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case asSigned:
		return discrepancy(position, KindTree,
			"the stored hash is not that of the event; a signed checkpoint proves the event right"), nil
	case !stored:
		return discrepancy(position, KindTree, "the tree has no hash here, though it should have grown beyond"), nil
	}
	s, err := v.readSurroundings(ctx, position)
	if err != nil {
		return nil, err
	}
	return s.classify(), nil
}

// asSigned reports whether the events from the edge on have the root of the next
// checkpoint, whatever the stored tree has.
func (v *verification) asSigned(ctx context.Context) (bool, error) {
	next, err := v.signed(ctx, v.edge.size, v.size, 1)
	if err != nil || len(next) == 0 {
		return false, err
	}
	e := v.edge.clone()
	if err := extend(ctx, v.pool, e, next[0].Size); errors.Is(err, ErrMismatch) {
		return false, nil // there is a gap as well
	} else if err != nil {
		return false, err
	}
	return next[0].signedBy(v.keys) == nil && next[0].Root == e.root(), nil
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
	leaves, err := postgres.List(ctx, v.pool, "read events", func(row pgx.CollectableRow) (leaf, error) {
		l, err := leafOfRow(row.RawValues())
		l.typ = bytes.Clone(l.typ) // the next row overwrites it
		return l, err
	}, leafRangeSQL, allBinary, position-1, last)
	if err != nil {
		return s, err
	}
	for _, l := range leaves {
		s.events[l.position] = l
	}
	tiles, err := readTiles(ctx, v.pool, leafTiles(position-1, last)...)
	if err != nil {
		return s, err
	}
	for p := position; p <= min(last, v.size); p++ {
		if h, ok := tiles.leaf(p - 1); ok {
			s.hashes[p] = h
		}
	}
	return s, nil
}

// classify tries possible changes. Only the hash of what was logged is known: each guess is
// hashed and compared.
func (s surroundings) classify() *Discrepancy {
	from, to := s.loggedAt(s.at), s.foundAt()
	_, hasNext := s.events[s.at+1]
	switch {
	case from != 0 && s.loggedAt(from) == s.at:
		return discrepancy(s.at, KindReordered, "this event and the one at %d have changed places", from)
	case from != 0 && to != 0: // no new event replaced the one that was logged here
		return discrepancy(s.at, KindReordered,
			"the event that was logged at %d stands here, and the one that was logged here further on", from)
	case from != 0 && (!hasNext || s.loggedAt(s.at+1) == from+1):
		return discrepancy(s.at, KindRemoved,
			"%s removed here and the events behind moved up: this one was logged at %d", events(from-s.at), from)
	case from != 0:
		return discrepancy(s.at, KindReordered, "the event that was logged at %d stands here", from)
	case to != 0:
		return discrepancy(s.at, KindInserted,
			"%s inserted here and the events behind moved down: the one that was logged here stands at %d",
			events(to-s.at), to)
	}
	if p := s.swappedWith(); p != 0 {
		return discrepancy(s.at, KindReordered, "the contents of this event stand at %d, and others here", p)
	}
	return discrepancy(s.at, KindChanged, "the event differs from what was logged here")
}

// loggedAt is the position at which the event that is now at the given one was
// logged: there its leaf, with that position, has the logged hash. 0: not found.
func (s surroundings) loggedAt(position int64) int64 {
	if l, ok := s.events[position]; ok {
		for p, logged := range s.hashes {
			if l.hashAt(p) == logged {
				return p
			}
		}
	}
	return 0
}

// foundAt is the position of the event that was logged here. 0: not found.
func (s surroundings) foundAt() int64 {
	for p, l := range s.events {
		if l.hashAt(s.at) == s.hashes[s.at] {
			return p
		}
	}
	return 0
}

// swappedWith is the position of the event that now has the contents that were
// logged here, and is not what was logged there either. 0: there is none.
func (s surroundings) swappedWith() int64 {
	own, ok := s.events[s.at]
	if !ok {
		return 0
	}
	for p, other := range s.events {
		if p == s.at || other.hashAt(p) == s.hashes[p] {
			continue
		}
		for _, metadata := range [][32]byte{own.metadata, other.metadata} {
			guess := own
			guess.payload, guess.metadata = other.payload, metadata
			if guess.hashAt(s.at) == s.hashes[s.at] {
				return p
			}
		}
	}
	return 0
}

func events(n int64) string {
	if n == 1 {
		return "an event was"
	}
	return fmt.Sprintf("%d events were", n)
}

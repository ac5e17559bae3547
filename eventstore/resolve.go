package eventstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"daftar/internal/postgres"
	"daftar/internal/worker"
)

const (
	// writeLimit bounds one attempt to write a batch. A batch that takes longer is
	// cut off and its outcome is unknown.
	writeLimit = 10 * time.Second
	// resolveLimit bounds how long the outcome of a batch is pursued. Its callers
	// have long given up by then.
	resolveLimit = 30 * time.Second
	// maxRetries bounds the retries of a batch after errors that call for one.
	maxRetries = 5
)

// commit writes the requests and answers each of them.
func (s *Store) commit(ctx context.Context, from *turn, requests []*request) {
	if open, err := s.commitOnce(ctx, from, requests); len(open) > 0 {
		s.commitAfter(ctx, open, err)
	}
}

// commitOnce tries to write the requests, and answers them. It returns those that have no answer, and why.
func (s *Store) commitOnce(ctx context.Context, from *turn, requests []*request) ([]*request, error) {
	if from == nil && canBeDirect(requests) {
		rest, err := s.tryDirectly(ctx, requests)
		if len(rest) == 0 || err != nil {
			return rest, err
		}
		requests = rest
	}
	v, err := s.tryWrite(ctx, from, requests)
	if err != nil {
		return requests, err
	}
	s.answer(requests, v)
	return nil, nil
}

// commitAfter continues after a first attempt to write has failed.
func (s *Store) commitAfter(ctx context.Context, requests []*request, err error) {
	for try := 0; ; try++ {
		var certain *notWritten
		switch {
		case !errors.As(err, &certain):
			s.log.Warn().Err(err).Int("appends", len(requests)).Msg("commit outcome unknown, finding out")
			s.resolveUnknown(ctx, requests)
			return
		case postgres.Classify(err) == postgres.Retryable && try < maxRetries:
			var v batchResult
			if v, err = s.tryWrite(ctx, nil, requests); err == nil {
				s.answer(requests, v)
				return
			}
			continue
		case postgres.Classify(err) == postgres.BadData && len(requests) > 1:
			// One of them is bad. The batch is bisected until the bad one is alone.
			half := len(requests) / 2
			s.commit(ctx, nil, requests[:half])
			s.commit(ctx, nil, requests[half:])
			return
		case postgres.Classify(err) == postgres.BadData:
			s.refuse(requests, err)
			return
		default:
			s.log.Error().Err(err).Int("appends", len(requests)).Msg("append failed")
			failAll(requests, fmt.Errorf("%w: %w", ErrUnavailable, err))
			return
		}
	}
}

func (s *Store) tryWrite(ctx context.Context, from *turn, requests []*request) (batchResult, error) {
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	began := time.Now()
	v, err := s.write(ctx, from, requests)
	s.metrics.wrote(v.events, began)
	s.noteOutcome(v.events, err)
	return v, err
}

// refuse answers an append whose data the database does not take. It was not
// written and never will be.
func (s *Store) refuse(requests []*request, err error) {
	s.log.Error().Err(err).Msg("append refused by the database")
	failAll(requests, fmt.Errorf("%w: %w", ErrInvalid, err))
}

func failAll(requests []*request, err error) {
	for _, r := range requests {
		r.fail(err)
	}
}

// answer gives each request its outcome.
func (s *Store) answer(requests []*request, v batchResult) {
	position := v.head
	next := 0
	committed := make([]Recorded, 0, v.events)
	for n, r := range requests {
		actual := int(v.actual[n])
		if next < len(v.taken) && v.taken[next] == int64(n+1) {
			next++
			committed = s.accept(committed, r, position, v.at)
			position += int64(len(r.Events))
			continue
		}
		r.reached = actual
		r.fail(r.rejection(actual))
	}
	s.noteCommit(committed)
}

// accept answers a request that was written after a position, and adds its events to those that were
// committed.
func (s *Store) accept(committed []Recorded, r *request, position int64, at time.Time) []Recorded {
	r.reached = r.Expected + len(r.Events)
	r.succeed(Appended{Version: r.reached, Position: position + int64(len(r.Events))})
	return r.recorded(committed, position, at)
}

// noteCommit counts a batch and passes its events on.
func (s *Store) noteCommit(committed []Recorded) {
	s.batches.Add(1)
	s.events.Add(int64(len(committed)))
	if len(committed) > 0 {
		s.onCommit(committed)
	}
}

// recorded adds the request's events as they are in the log after a position.
func (r *request) recorded(to []Recorded, position int64, at time.Time) []Recorded {
	for n, e := range r.Events {
		to = append(to, Recorded{
			Position:      position + int64(n) + 1,
			Stream:        r.Stream,
			Version:       r.Expected + n + 1,
			Type:          e.Type,
			SchemaVersion: e.SchemaVersion,
			Payload:       e.Payload,
			Metadata:      r.metadata,
			RecordedAt:    at.UTC(),
		})
	}
	return to
}

func (r *request) rejection(actual int) error {
	if actual == r.Expected {
		return ErrFenced
	}
	return &Conflict{Stream: r.Stream, Expected: r.Expected, Actual: actual}
}

// resolveUnknown finds out the outcome of a batch whose answer was lost. Reading the
// log is not enough: the lost transaction may still be running and commit after
// the read. So the batch is written again. The copy that commits first wins, the
// versions reject the other one, and an append that is rejected because the
// same events are already in the log was a success.
func (s *Store) resolveUnknown(ctx context.Context, requests []*request) {
	deadline := time.Now().Add(resolveLimit)
	backoff := worker.Backoff{First: 20 * time.Millisecond, Longest: time.Second}
	for time.Now().Before(deadline) && !allAbandoned(requests) {
		v, err := s.tryWrite(ctx, nil, requests)
		if err == nil {
			var before []recordedAppend
			if before, err = s.findWritten(ctx, requests, v); err == nil {
				s.answerResolved(requests, v, before)
				return
			}
		}
		// A copy that is refused for its data proves that the lost one was refused, too.
		// Several appends are resolved half by half.
		if postgres.Classify(err) == postgres.BadData {
			if len(requests) == 1 {
				s.refuse(requests, err)
				return
			}
			half := len(requests) / 2
			s.resolveUnknown(ctx, requests[:half])
			s.resolveUnknown(ctx, requests[half:])
			return
		}
		s.log.Warn().Err(err).Int("appends", len(requests)).Msg("commit outcome still unknown")
		worker.Sleep(ctx, backoff.Next())
	}
	failAll(requests, ErrOutcomeUnknown)
}

func allAbandoned(requests []*request) bool {
	return !slices.ContainsFunc(requests, func(r *request) bool { return !r.abandoned() })
}

// recordedAppend is the place of an append that a lost transaction wrote.
type recordedAppend struct {
	found bool
	Appended
}

const findWrittenSQL = `
SELECT position, stream_id, version, type, schema_version, payload, metadata, recorded_at
FROM events
WHERE stream_id = ANY($1)
ORDER BY stream_id, version`

// findWritten looks for the events of the rejected requests, byte for byte. A
// created event holds a random token and every append the id of its request, so
// equal bytes are the same append.
func (s *Store) findWritten(
	ctx context.Context, requests []*request, v batchResult,
) ([]recordedAppend, error) {
	found := make([]recordedAppend, len(requests))
	if len(v.taken) == len(requests) {
		return found, nil
	}
	streams := make([][16]byte, len(requests))
	for n, r := range requests {
		streams[n] = r.Stream
	}
	recorded, err := s.query(ctx, findWrittenSQL, streams)
	if err != nil {
		return nil, err
	}
	written := ByStream(recorded)
	for n, r := range requests {
		found[n] = r.findIn(written[r.Stream])
	}
	return found, nil
}

// findIn looks for the request's events at the versions they would have.
func (r *request) findIn(stream []Recorded) recordedAppend {
	if len(stream) < r.Expected+len(r.Events) {
		return recordedAppend{}
	}
	for n, e := range r.Events {
		stored := stream[r.Expected+n]
		if stored.Type != e.Type || stored.SchemaVersion != e.SchemaVersion ||
			!bytes.Equal(stored.Payload, e.Payload) || !bytes.Equal(stored.Metadata, r.metadata) {
			return recordedAppend{}
		}
	}
	last := stream[r.Expected+len(r.Events)-1]
	return recordedAppend{found: true, Appended: Appended{Version: last.Version, Position: last.Position}}
}

// answerResolved answers after a repeated write: as usual, except that an append that was
// found in the log is a success.
func (s *Store) answerResolved(requests []*request, v batchResult, before []recordedAppend) {
	found := false
	for n, r := range requests {
		if before[n].found {
			r.reached = int(v.actual[n])
			r.succeed(before[n].Appended)
			found = true
		}
	}
	// The rest, with the result narrowed to it.
	rest, narrowed := remaining(requests, v, before)
	s.answer(rest, narrowed)
	if found && narrowed.events == 0 {
		s.onCommit(nil) // for the lost transaction
	}
}

// remaining are the requests that were not found in the log, and the result for them alone.
func remaining(requests []*request, v batchResult, before []recordedAppend) ([]*request, batchResult) {
	narrowed := v
	narrowed.taken, narrowed.actual = nil, nil
	var rest []*request
	next := 0
	for n, r := range requests {
		took := next < len(v.taken) && v.taken[next] == int64(n+1)
		if took {
			next++
		}
		if before[n].found {
			continue
		}
		rest = append(rest, r)
		narrowed.actual = append(narrowed.actual, v.actual[n])
		if took {
			narrowed.taken = append(narrowed.taken, int64(len(rest)))
		}
	}
	return rest, narrowed
}

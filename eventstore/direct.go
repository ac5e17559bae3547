package eventstore

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// With few clients at a time, most batches are one event or a few. They are written directly: each
// by a statement that takes the append lock if it is free, and inserts the event and its row. The
// statement of a batch costs several times as much, because it waits for the lock, reports on
// each append, and unnests, joins and sorts.
//
// A direct statement that inserts nothing does not say why: another server has the lock, the
// stream has another version, the credential has changed, or the log is behind. It is followed
// by a batch, which finds out. A statement's snapshot is older than its lock, and may lack what
// another server committed in between. The keys of the table then refuse the event, for its
// position or version exists, nothing of the transaction is written, and a batch follows, too.

// maxDirect is how many events are written directly at most: more are cheaper as a batch.
const maxDirect = 4

// ownParametersOfDirect is how many parameters insertDirectly has.
const ownParametersOfDirect = 8

var insertDirectly = `
WITH written AS (
    INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
    SELECT h.position + 1, $1::uuid, $2::int4 + 1, $5::text, $6::int4, $7::text, $4::text, clock_timestamp()
    FROM (
        SELECT ` + headPosition + ` AS position,
               pg_try_advisory_xact_lock(` + strconv.FormatInt(appendLock, 10) + `) AS locked
    ) h
    WHERE h.locked
      AND h.position >= $8::int8
      AND $2::int4 = coalesce((SELECT version
                               FROM events
                               WHERE stream_id = $1::uuid
                               ORDER BY version DESC
                               LIMIT 1), 0)
      AND ($3::int8 = 0 OR $3::int8 = (SELECT epoch FROM credential_epoch))
    RETURNING position, recorded_at
)`

const reportDirect = `
SELECT position, recorded_at
FROM written`

// directSQL are the statements for the first event of a stream and for later ones.
type directSQL struct{ first, later string }

func newDirectSQL(inline *Inline) directSQL {
	if inline == nil {
		return directSQL{insertDirectly + reportDirect, insertDirectly + reportDirect}
	}
	return directSQL{
		first: insertDirectly + inline.withOneQuery(inline.First) + reportDirect,
		later: insertDirectly + inline.withOneQuery(inline.Statement) + reportDirect,
	}
}

// canBeDirect reports whether the requests are few enough, and each a single event with a row.
func canBeDirect(requests []*request) bool {
	if len(requests) > maxDirect {
		return false
	}
	for _, r := range requests {
		if len(r.Events) > 1 || r.NotShown {
			return false
		}
	}
	return true
}

func (s *Store) queueDirectly(all *pgx.Batch, r *request, known int64) {
	sql, e := s.direct.later, r.Events[0]
	if r.Expected == 0 {
		sql = s.direct.first
	}
	arguments := []any{
		[16]byte(r.Stream), int32(r.Expected), r.Fence, r.metadata,
		e.Type, int32(e.SchemaVersion), notNull(e.Payload), known,
	}
	if s.inline != nil {
		arguments = append(arguments, r.Row.Arguments()...)
	}
	all.Queue(sql, arguments...)
}

// place is where a direct statement has written its event; zero: it has written none.
type place struct {
	position int64
	at       time.Time
}

// writeDirectly writes single events as one implicit transaction, in one round trip. After an
// error that is notWritten, nothing was written.
func (s *Store) writeDirectly(ctx context.Context, requests []*request) ([]place, error) {
	conn, err := s.connection(ctx, nil)
	if err != nil {
		return nil, &notWritten{err}
	}
	defer conn.Release()
	known := s.highWater.position.Load()
	var all pgx.Batch
	for _, r := range requests {
		s.queueDirectly(&all, r, known)
	}
	places := make([]place, len(requests))
	sent, received, err := exchange(ctx, conn, &all, func(results pgx.BatchResults) error {
		for n := range places {
			err := results.QueryRow().Scan(&places[n].position, &places[n].at)
			if err != nil && !errors.Is(err, pgx.ErrNoRows) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		if p.position > 0 {
			s.clock.Correct(p.at, sent, received)
			s.highWater.advance(p.position)
		}
	}
	return places, nil
}

// tryDirectly writes single events and answers those that it has written. It returns the others.
func (s *Store) tryDirectly(ctx context.Context, requests []*request) ([]*request, error) {
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	began := time.Now()
	places, err := s.writeDirectly(ctx, requests)
	committed := make([]Recorded, 0, len(requests))
	var rest []*request
	for n, r := range requests {
		if err != nil || places[n].position == 0 {
			rest = append(rest, r)
			continue
		}
		committed = s.accept(committed, r, places[n].position-1, places[n].at)
	}
	s.noteOutcome(int64(len(committed)), err)
	if postgres.Classify(err) == postgres.BadData {
		return rest, nil // a batch finds out why
	}
	if len(committed) > 0 || err != nil {
		s.metrics.wrote(int64(len(committed)), began)
	}
	if len(committed) > 0 {
		s.queue.observe(false)
		s.noteCommit(committed)
	}
	return rest, err
}

package eventstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"daftar/internal/failpoint"
)

// appendLock is the advisory lock under which positions are given out. Its
// number is arbitrary and means nothing else in the database.
const appendLock int64 = 8_712_000_001

// The lock is a statement of its own: the next one then sees, in a snapshot of
// its own, everything that was committed under the lock before.
const lockSQL = `SELECT pg_advisory_xact_lock($1)`

// appendSQL is the statement that judges the appends of a batch, gives
// positions to the events of those that hold, writes them and the read model,
// and reports what it did.
func appendSQL(inline *Inline) string {
	if inline == nil {
		return judgeAndWrite + report
	}
	return judgeAndWrite + inline.withQueries(ownParameters) + report
}

// ownParameters is how many parameters judgeAndWrite has.
const ownParameters = 9

const (
	judgeAndWrite = `
WITH moment AS MATERIALIZED (
    SELECT coalesce((SELECT position FROM events ORDER BY position DESC LIMIT 1), 0) AS head,
           (SELECT epoch FROM credential_epoch) AS epoch,
           clock_timestamp() AS now
), judged AS MATERIALIZED (
    SELECT r.append, r.stream_id, r.expected, r.fence, r.metadata,
           coalesce((SELECT e.version FROM events e WHERE e.stream_id = r.stream_id
                     ORDER BY e.version DESC LIMIT 1), 0) AS actual
    FROM unnest($1::uuid[], $2::int4[], $3::int8[], $4::text[])
         WITH ORDINALITY AS r(stream_id, expected, fence, metadata, append)
), taken AS MATERIALIZED (
    SELECT j.append, j.stream_id, j.expected, j.metadata
    FROM judged j, moment m
    WHERE j.actual = j.expected AND (j.fence = 0 OR j.fence = m.epoch)
), written AS (
    INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
    SELECT m.head + row_number() OVER (ORDER BY e.ordinal), t.stream_id, t.expected + e.step,
           e.type, e.schema_version, e.payload, t.metadata, m.now
    FROM moment m,
         unnest($5::int8[], $6::int4[], $7::text[], $8::int4[], $9::text[])
         WITH ORDINALITY AS e(append, step, type, schema_version, payload, ordinal)
         JOIN taken t USING (append)
    RETURNING 1
)`
	report = `
SELECT m.head, m.now,
       ARRAY(SELECT t.append FROM taken t ORDER BY t.append),
       ARRAY(SELECT j.actual FROM judged j ORDER BY j.append),
       (SELECT count(*) FROM written)
FROM moment m`
)

// verdict is what the statement reported of a batch.
type verdict struct {
	head   int64     // position before the batch
	at     time.Time // when its events were recorded
	taken  []int64   // appends that were written, counted from 1
	actual []int32   // version of each append's stream before the batch
	events int64     // that were written
}

// write sends a batch as one implicit transaction, in one round trip. An error
// of which certain is true means that nothing was written.
func (s *Store) write(ctx context.Context, requests []*request) (verdict, error) {
	conn, err := s.writes.Acquire(ctx)
	if err != nil {
		return verdict{}, &notWritten{err}
	}
	defer conn.Release()

	var v verdict
	var both pgx.Batch
	both.Queue(lockSQL, appendLock)
	both.Queue(s.sql, s.arguments(requests)...)
	failpoint.Here("append_before_send")
	sent := time.Now()
	results := conn.SendBatch(ctx, &both)
	_, err = results.Exec()
	if err == nil {
		err = results.QueryRow().Scan(&v.head, &v.at, &v.taken, &v.actual, &v.events)
	}
	received := time.Now()
	// The transaction commits when the results are closed: before that, even a
	// complete report proves nothing.
	if closing := results.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return verdict{}, judgeFailure(err)
	}
	failpoint.Here("append_after_commit")
	s.clock.Correct(v.at, sent, received)
	v.check(requests)
	return v, nil
}

// notWritten wraps an error after which it is certain that the batch is not and
// will not be in the log.
type notWritten struct{ error }

func (n *notWritten) Unwrap() error { return n.error }

// judgeFailure marks the errors that leave no doubt. An ERROR of the server
// rolls the transaction back. A FATAL one, or a connection that broke, may have
// come after the commit.
func judgeFailure(err error) error {
	var server *pgconn.PgError
	if errors.As(err, &server) && server.SeverityUnlocalized == "ERROR" {
		return &notWritten{err}
	}
	if pgconn.SafeToRetry(err) {
		return &notWritten{err}
	}
	return err
}

// check holds the report against the request: what is neither accepted nor
// rejected would be lost without anyone noticing.
func (v verdict) check(requests []*request) {
	events := 0
	for _, n := range v.taken {
		events += len(requests[n-1].Events)
	}
	if len(v.actual) != len(requests) || int64(events) != v.events {
		panic(fmt.Sprintf("eventstore: %d appends asked, %d judged; %d events accepted, %d written",
			len(requests), len(v.actual), events, v.events))
	}
}

func (s *Store) arguments(requests []*request) []any {
	var (
		streams  = make([][16]byte, len(requests))
		expected = make([]int32, len(requests))
		fences   = make([]int64, len(requests))
		metadata = make([]string, len(requests))

		appends  = make([]int64, 0, len(requests))
		steps    = make([]int32, 0, len(requests))
		types    = make([]string, 0, len(requests))
		schemas  = make([]int32, 0, len(requests))
		payloads = make([]string, 0, len(requests))
	)
	for n, r := range requests {
		streams[n], expected[n], fences[n], metadata[n] = r.Stream, int32(r.Expected), r.Fence, r.metadata
		for step, e := range r.Events {
			appends = append(appends, int64(n+1))
			steps = append(steps, int32(step+1))
			types = append(types, e.Type)
			schemas = append(schemas, int32(e.SchemaVersion))
			payloads = append(payloads, string(e.Payload))
		}
	}
	all := []any{streams, expected, fences, metadata, appends, steps, types, schemas, payloads}
	if s.inline == nil {
		return all
	}
	return append(all, s.inline.valuesOf(requests)...)
}

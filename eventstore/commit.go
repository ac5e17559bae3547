package eventstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/failpoint"
	"daftar/internal/postgres"
)

// appendLock is the advisory lock under which positions are assigned. Its
// number is arbitrary and used for nothing else in the database.
const appendLock int64 = 8_712_000_001

// The lock is taken by a separate statement: the next one then has a new snapshot, which
// shows everything that was committed under the lock before.
const lockSQL = `SELECT pg_advisory_xact_lock($1)`

// tryLockSQL takes the lock like lockSQL, and reports whether another session had it.
const tryLockSQL = `
SELECT CASE WHEN pg_try_advisory_xact_lock($1) THEN false
            ELSE pg_advisory_xact_lock($1) IS NOT NULL END`

// appendSQL is the statement that checks the appends of a batch, assigns positions to
// the events of the accepted ones, writes them and the read model, and reports what it did.
func appendSQL(inline *Inline) string {
	if inline == nil {
		return appendBatch + report
	}
	return appendBatch + inline.withQueries(ownParameters) + report
}

// ownParameters is how many parameters appendBatch has. The last is the end of the log as this
// process knows it.
var ownParameters = len(requestColumns) + len(eventColumns) + 1

var appendBatch = `
WITH moment AS MATERIALIZED (
    SELECT ` + headPosition + ` AS head,
           (SELECT epoch FROM credential_epoch) AS epoch,
           clock_timestamp() AS now
), judged AS MATERIALIZED (
    SELECT r.append, r.stream_id, r.expected, r.fence, r.metadata,
           coalesce((SELECT e.version
                     FROM events e
                     WHERE e.stream_id = r.stream_id
                     ORDER BY e.version DESC
                     LIMIT 1), 0) AS actual
    FROM ` + requestColumns.Unnest(1) + `
         WITH ORDINALITY AS r(stream_id, expected, fence, metadata, append)
), taken AS MATERIALIZED (
    SELECT j.append, j.stream_id, j.expected, j.metadata
    FROM judged j, moment m
    WHERE j.actual = j.expected
      AND (j.fence = 0 OR j.fence = m.epoch)
      AND m.head >= $` + strconv.Itoa(ownParameters) + `::int8
), written AS (
    INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
    SELECT m.head + row_number() OVER (ORDER BY e.ordinal), t.stream_id, t.expected + e.step,
           e.type, e.schema_version, e.payload, t.metadata, m.now
    FROM moment m,
         ` + eventColumns.Unnest(1+len(requestColumns)) + `
         WITH ORDINALITY AS e(append, step, type, schema_version, payload, ordinal)
         JOIN taken t USING (append)
    RETURNING 1
)`

const report = `
SELECT m.head, m.now,
       ARRAY(SELECT t.append FROM taken t ORDER BY t.append),
       ARRAY(SELECT j.actual FROM judged j ORDER BY j.append),
       (SELECT count(*) FROM written),` + confirmation + `
FROM moment m`

// batchResult is what the statement reported of a batch.
type batchResult struct {
	head   int64     // position before the batch
	at     time.Time // when its events were recorded
	taken  []int64   // appends that were written, counted from 1
	actual []int32   // version of each append's stream before the batch
	events int64     // that were written
	// confirmed is true if the batch waited for the standbys although it wrote nothing.
	confirmed bool
}

// write sends a batch as one implicit transaction, in one round trip, over the turn's
// connection where it has one (see appendqueue.go). After an error that is notWritten,
// nothing was written.
func (s *Store) write(ctx context.Context, from *turn, requests []*request) (batchResult, error) {
	conn, err := s.connection(ctx, from)
	if err != nil {
		return batchResult{}, &notWritten{err}
	}
	defer conn.Release()

	var v batchResult
	known := s.highWater.position.Load()
	var all pgx.Batch
	all.Queue(tryLockSQL, appendLock)
	if requests[0].NotShown {
		all.Queue(appendSQL(nil), arguments(requests, known)...)
	} else {
		all.Queue(s.sql, s.arguments(requests, known)...)
	}
	if from != nil {
		all.Queue(releaseTurnSQL, turnLock) // last: the next server collects appends until then
	}
	var waited bool
	sent, received, err := exchange(ctx, conn, &all, func(results pgx.BatchResults) error {
		err := results.QueryRow().Scan(&waited)
		if err == nil {
			err = results.QueryRow().Scan(&v.head, &v.at, &v.taken, &v.actual, &v.events, &v.confirmed)
		}
		if err == nil && from != nil {
			_, err = results.Exec()
		}
		return err
	})
	if err != nil {
		if from != nil {
			_ = conn.Conn().Close(ctx) // releases the turn, if it is still held
		}
		return batchResult{}, err
	}
	s.queue.observe(waited)
	s.clock.Correct(v.at, sent, received)
	if v.head < known {
		return batchResult{}, &notWritten{&logBehind{v.head, known}}
	}
	v.check(requests)
	s.highWater.advance(v.head + v.events)
	return v, nil
}

// exchange sends statements as one implicit transaction, passes their results to read, and returns when
// they were sent and their results received. After an error that is notWritten, nothing was written.
func exchange(
	ctx context.Context, conn *pgxpool.Conn, all *pgx.Batch, read func(pgx.BatchResults) error,
) (sent, received time.Time, err error) {
	failpoint.Here("append_before_send")
	sent = time.Now()
	results := conn.SendBatch(ctx, all)
	err = read(results)
	received = time.Now()
	// The transaction commits when the results are closed: before that, even a
	// complete report proves nothing.
	if closing := results.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return sent, received, classifyFailure(err)
	}
	failpoint.Here("append_after_commit")
	return sent, received, nil
}

// notWritten wraps an error after which the batch is certainly not in the log and
// never will be.
type notWritten struct{ error }

func (n *notWritten) Unwrap() error { return n.error }

// classifyFailure marks the errors that leave no doubt. An ERROR of the server
// rolls the transaction back. A FATAL one, or a connection that broke, may have
// come after the commit.
func classifyFailure(err error) error {
	var server *pgconn.PgError
	if errors.As(err, &server) && server.SeverityUnlocalized == "ERROR" {
		return &notWritten{err}
	}
	if pgconn.SafeToRetry(err) {
		return &notWritten{err}
	}
	return err
}

// check compares the report with the request: an append that is neither accepted nor
// rejected would be lost silently. In that case the program ends. The panic is in a new
// goroutine, because a caller may recover from panics.
func (v *batchResult) check(requests []*request) {
	events := 0
	for _, n := range v.taken {
		events += len(requests[n-1].Events)
	}
	if len(v.actual) != len(requests) || int64(events) != v.events {
		go panic(fmt.Sprintf("eventstore: %d appends asked, %d judged; %d events accepted, %d written",
			len(requests), len(v.actual), events, v.events))
		select {}
	}
}

// requestColumns and eventColumns are the parameters of appendBatch.
var (
	requestColumns = postgres.Columns[request]{
		postgres.Typed("stream_id", "uuid", func(r *request) *[16]byte { return (*[16]byte)(&r.Stream) }),
		postgres.Typed("expected", "int4", func(r *request) *int { return &r.Expected }),
		postgres.Typed("fence", "int8", func(r *request) *int64 { return &r.Fence }),
		postgres.Typed("metadata", "text", func(r *request) *[]byte { return &r.metadata }),
	}
	eventColumns = postgres.Columns[step]{
		postgres.Typed("append", "int8", func(s *step) *int { return &s.append }),
		postgres.Typed("step", "int4", func(s *step) *int { return &s.step }),
		postgres.Typed("type", "text", func(s *step) *string { return &s.Type }),
		postgres.Typed("schema_version", "int4", func(s *step) *int { return &s.SchemaVersion }),
		postgres.Typed("payload", "text", func(s *step) *[]byte { return &s.Payload }),
	}
)

// step is an event of an append of a batch; both are counted from 1.
type step struct {
	Event
	append, step int
}

// notNull makes a nil payload an empty one, which is not stored as null.
func notNull(payload []byte) []byte {
	if payload == nil {
		return []byte{}
	}
	return payload
}

func (s *Store) arguments(requests []*request, known int64) []any {
	all := arguments(requests, known)
	if s.inline == nil {
		return all
	}
	return append(all, s.inline.valuesOf(requests)...)
}

// arguments are those of appendBatch alone.
func arguments(requests []*request, known int64) []any {
	appends := make([][]any, len(requests))
	events := make([]step, 0, len(requests))
	for n, r := range requests {
		appends[n] = requestColumns.Fields(r)
		for k, e := range r.Events {
			e.Payload = notNull(e.Payload)
			events = append(events, step{e, n + 1, k + 1})
		}
	}
	return append(append(requestColumns.ArraysOf(appends), eventColumns.Arrays(events)...), known)
}

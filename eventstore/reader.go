package eventstore

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Reader reads the log. It needs no right but SELECT on events, so an auditor's
// connection will do. Over a pool it is safe for concurrent use; over a
// transaction it sees what the transaction sees.
type Reader struct{ q Querier }

// NewReader reads through q, which the caller still owns.
func NewReader(q Querier) *Reader { return &Reader{q: q} }

const readStreamSQL = `
SELECT position, stream_id, version, type, schema_version, payload, metadata, recorded_at
FROM events
WHERE stream_id = $1 ORDER BY version`

// ReadStream is the whole history of a stream in the order of its versions;
// empty where there is none.
func (r *Reader) ReadStream(ctx context.Context, stream uuid.UUID) ([]Recorded, error) {
	return r.query(ctx, readStreamSQL, [16]byte(stream))
}

var readStreamsSQL = `
SELECT e.position, e.stream_id, e.version, e.type, e.schema_version, e.payload, e.metadata, e.recorded_at
FROM ` + postgres.KeyRows("$1::uuid[]") + ` AS w(uuid)
CROSS JOIN LATERAL (
    SELECT position, stream_id, version, type, schema_version, payload, metadata, recorded_at
    FROM events
    WHERE stream_id = w.uuid
      AND type = ANY($2)
    ORDER BY version OFFSET 0
) e`

// ReadStreams reads the events of the given types in each of the streams, in the order of
// their versions; the streams are in no order. It needs SELECT on events only.
func ReadStreams(
	ctx context.Context, q postgres.Querier, streams []uuid.UUID, types ...string,
) ([]Recorded, error) {
	ids := make([][16]byte, len(streams))
	for n, id := range streams {
		ids[n] = id
	}
	return postgres.List(ctx, q, "read events of streams", scanRecorded, readStreamsSQL, ids, types)
}

// headPosition is the position of the newest event; 0 in an empty log. It names no max(position):
// planned while the log is empty, that would read all of it for ever.
const headPosition = `coalesce((SELECT position FROM events ORDER BY position DESC LIMIT 1), 0)`

// HeadSQL is the query of Head, for a batch or as a part of another query.
const HeadSQL = `SELECT ` + headPosition

// Head is the position of the newest event; 0 in an empty log.
func (r *Reader) Head(ctx context.Context) (int64, error) {
	var head int64
	if err := r.q.QueryRow(ctx, HeadSQL).Scan(&head); err != nil {
		return 0, fmt.Errorf("read head of the log: %w", err)
	}
	return head, nil
}

const changedStreamsSQL = `
SELECT DISTINCT stream_id
FROM events
WHERE position > $1
  AND position <= $2
ORDER BY stream_id`

// ChangedStreams are the streams with events after one position up to another.
func (r *Reader) ChangedStreams(ctx context.Context, after, upTo int64) ([]uuid.UUID, error) {
	return postgres.List(ctx, r.q, "read changed streams",
		func(row pgx.CollectableRow) (id uuid.UUID, err error) {
			err = row.Scan((*[16]byte)(&id))
			return id, err
		}, changedStreamsSQL, after, upTo)
}

func (r *Reader) query(ctx context.Context, sql string, args ...any) ([]Recorded, error) {
	return postgres.List(ctx, r.q, "read events", scanRecorded, sql, args...)
}

func scanRecorded(row pgx.CollectableRow) (Recorded, error) {
	var e Recorded
	var stream [16]byte
	err := row.Scan(&e.Position, &stream, &e.Version, &e.Type, &e.SchemaVersion, &e.Payload,
		&e.Metadata, &e.RecordedAt)
	e.Stream, e.RecordedAt = stream, e.RecordedAt.UTC()
	return e, err
}

// LockAppends keeps every server from appending until the transaction ends. It
// waits for the batch that is under way. A statement that starts afterwards sees the
// whole log.
func LockAppends(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, lockSQL, appendLock); err != nil {
		return fmt.Errorf("lock appends: %w", err)
	}
	return nil
}

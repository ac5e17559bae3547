package eventstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// ErrNotNext says that events do not continue the log.
var ErrNotNext = errors.New("the events do not continue the log")

var recordedColumns = postgres.Columns[Recorded]{
	postgres.Typed("position", "int8", func(e *Recorded) *int64 { return &e.Position }),
	postgres.Typed("stream_id", "uuid", func(e *Recorded) *[16]byte { return (*[16]byte)(&e.Stream) }),
	postgres.Typed("version", "int4", func(e *Recorded) *int { return &e.Version }),
	postgres.Typed("type", "text", func(e *Recorded) *string { return &e.Type }),
	postgres.Typed("schema_version", "int4", func(e *Recorded) *int { return &e.SchemaVersion }),
	postgres.Typed("payload", "text", func(e *Recorded) *[]byte { return &e.Payload }),
	postgres.Typed("metadata", "text", func(e *Recorded) *[]byte { return &e.Metadata }),
	postgres.Typed("recorded_at", "timestamptz", func(e *Recorded) *time.Time { return &e.RecordedAt }),
}

var restoreSQL = recordedColumns.InsertMany("events")

// Restore writes events that the log has lost as they were recorded: with the same positions,
// bytes and times. It is for nothing else: new events are written by Append. The transaction
// must hold LockAppends. The caller updates the read models. The error is ErrNotNext if the
// first event is not the next one of the log, or an event not the next one of its stream.
func Restore(ctx context.Context, tx pgx.Tx, events []Recorded) error {
	if len(events) == 0 {
		return nil
	}
	head, err := NewReader(tx).Head(ctx)
	if err != nil {
		return err
	}
	versions, err := versionsOf(ctx, tx, events)
	if err != nil {
		return err
	}
	for n := range events {
		e := &events[n]
		if e.Position != head+1+int64(n) || e.Version != versions[e.Stream]+1 {
			return fmt.Errorf("%w: position %d, version %d of %s follows position %d and version %d",
				ErrNotNext, e.Position, e.Version, e.Stream, head+int64(n), versions[e.Stream])
		}
		versions[e.Stream] = e.Version
	}
	if _, err := tx.Exec(ctx, restoreSQL, recordedColumns.Arrays(events)...); err != nil {
		return fmt.Errorf("restore events: %w", err)
	}
	return nil
}

var versionsSQL = `
SELECT w.stream_id,
       coalesce((SELECT version
                 FROM events e
                 WHERE e.stream_id = w.stream_id
                 ORDER BY version DESC
                 LIMIT 1), 0)
FROM ` + postgres.KeyRows("$1::uuid[]") + ` AS w(stream_id)`

// versionsOf reads the present versions of the streams that the events belong to.
func versionsOf(ctx context.Context, tx pgx.Tx, events []Recorded) (map[uuid.UUID]int, error) {
	seen := map[uuid.UUID]int{}
	var streams [][16]byte
	for _, e := range events {
		if _, known := seen[e.Stream]; !known {
			seen[e.Stream] = 0
			streams = append(streams, e.Stream)
		}
	}
	type version struct {
		stream [16]byte
		number int
	}
	all, err := postgres.List(ctx, tx, "read versions of streams",
		func(row pgx.CollectableRow) (v version, err error) {
			err = row.Scan(&v.stream, &v.number)
			return v, err
		}, versionsSQL, streams)
	if err != nil {
		return nil, err
	}
	for _, v := range all {
		seen[v.stream] = v.number
	}
	return seen, nil
}

package rebuild

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/internal/postgres"
)

const (
	eventsSQL = `
SELECT position, stream_id, version, type, schema_version, payload
FROM events`
	// chunkSQL finds the streams of a chunk as they were at a position, streamsSQL those
	// of a list.
	chunkSQL = eventsSQL + `
WHERE stream_id BETWEEN $1 AND $2
  AND position <= $3
ORDER BY stream_id, version`
	streamsSQL = eventsSQL + `
WHERE stream_id = ANY($1)
  AND position <= $2
ORDER BY stream_id, version`
)

// eachStream calls do with each stream that a query finds, one at a time as they come
// from the database, and returns how many events they have. do must not keep the slice.
func eachStream(
	ctx context.Context, tx pgx.Tx, do func([]eventstore.Recorded) error, sql string, args ...any,
) (events int64, err error) {
	var e eventstore.Recorded
	var stream []eventstore.Recorded
	end := func() error {
		if len(stream) == 0 {
			return nil
		}
		events += int64(len(stream))
		return do(stream)
	}
	// Its error comes again from the rows.
	rows, _ := tx.Query(ctx, sql, append([]any{postgres.PlanEachTime}, args...)...)
	// A uuid.UUID would be read through its text, which is slow with a million events.
	places := []any{&e.Position, (*[16]byte)(&e.Stream), &e.Version, &e.Type, &e.SchemaVersion, &e.Payload}
	_, err = pgx.ForEachRow(rows, places, func() error {
		if len(stream) > 0 && stream[0].Stream != e.Stream {
			if err := end(); err != nil {
				return err
			}
			stream = stream[:0]
		}
		stream = append(stream, e)
		return nil
	})
	if err != nil {
		return events, fmt.Errorf("replay events: %w", err)
	}
	return events, end()
}

// chunkEnds are the first and the last stream of a chunk. All chunks are of the same
// width: the ids of intents are hashes, so they have about the same number of events.
func chunkEnds(chunk, chunks int) (first, last uuid.UUID) {
	width := math.MaxUint64 / uint64(chunks)
	last = uuid.Max
	binary.BigEndian.PutUint64(first[:], uint64(chunk)*width)
	if chunk+1 < chunks {
		binary.BigEndian.PutUint64(last[:], uint64(chunk+1)*width-1)
	}
	return first, last
}

func bytesOf(ids []uuid.UUID) [][16]byte {
	all := make([][16]byte, len(ids))
	for n, id := range ids {
		all[n] = id
	}
	return all
}

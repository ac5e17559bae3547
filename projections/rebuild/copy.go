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

// chunkEvents is how many events a chunk has, about. Its rows are kept in memory.
const chunkEvents = 30_000

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

// copyChunks replays the chunks that are not done yet. The log has as many events as
// positions: one that is missing there must not go by unnoticed.
func (r *rebuild) copyChunks(ctx context.Context) error {
	r.report()
	b := newTableBuilder(r.modelTables)
	for r.chunk < r.chunks {
		if err := pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error { return r.copyChunk(ctx, tx, b) }); err != nil {
			return fmt.Errorf("copy chunk %d: %w", r.chunk, err)
		}
		r.reportThrottled()
	}
	if r.done != r.h0 {
		return fmt.Errorf("%w: %d events up to position %d", errShadow, r.done, r.h0)
	}
	return nil
}

const (
	// A server that crashes loses the chunk and its mark together, so neither has
	// to wait for the disk. The sort of a chunk's events fits the memory.
	chunkSessionSQL = `SET LOCAL synchronous_commit = off; SET LOCAL work_mem = '48MB'`
	chunkEventsSQL  = `
SELECT position, stream_id, version, type, schema_version, payload
FROM events WHERE stream_id BETWEEN $1 AND $2 AND position <= $3 ORDER BY stream_id, version`
)

// copyChunk writes the next chunk's rows and counts it in one transaction.
func (r *rebuild) copyChunk(ctx context.Context, tx pgx.Tx, b *tableBuilder) error {
	if _, err := tx.Exec(ctx, chunkSessionSQL); err != nil {
		return fmt.Errorf("prepare chunk: %w", err)
	}
	if err := r.replayChunk(ctx, tx, b); err != nil {
		return err
	}
	if err := b.write(ctx, tx, r.at); err != nil {
		return err
	}
	r.chunk++
	return r.save(ctx, tx)
}

// replayChunk replays the streams of a chunk one at a time, as they come from the
// database.
func (r *rebuild) replayChunk(ctx context.Context, tx pgx.Tx, b *tableBuilder) error {
	first, last := chunkEnds(r.chunk, r.chunks)
	rows, err := tx.Query(ctx, chunkEventsSQL, postgres.PlanEachTime, first, last, r.h0)
	if err != nil {
		return fmt.Errorf("read events: %w", err)
	}
	defer rows.Close()
	var stream []eventstore.Recorded
	end := func() error {
		if len(stream) == 0 {
			return nil
		}
		r.done += int64(len(stream))
		r.reportThrottled()
		return b.add(stream)
	}
	for rows.Next() {
		e, err := scanEvent(rows)
		if err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		if len(stream) > 0 && stream[0].Stream != e.Stream {
			if err := end(); err != nil {
				return err
			}
			stream = stream[:0]
		}
		stream = append(stream, e)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read events: %w", err)
	}
	return end()
}

package rebuild

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
)

// chunkEvents is about how many events a chunk has. Its rows are kept in memory.
const chunkEvents = 30_000

// copyChunks replays the chunks that are not done yet. The log has as many events as
// positions: if one is missing there, the rebuild fails.
func (r *rebuild) copyChunks(ctx context.Context) error {
	r.report()
	b := newTableBuilder(r.model)
	for r.run.Chunk < r.run.Chunks {
		if err := pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error { return r.copyChunk(ctx, tx, b) }); err != nil {
			return fmt.Errorf("copy chunk %d: %w", r.run.Chunk, err)
		}
		r.reportThrottled()
	}
	if r.run.Events != r.run.H0 {
		return fmt.Errorf("%w: %d events up to position %d", errShadow, r.run.Events, r.run.H0)
	}
	return nil
}

// A server that crashes loses the chunk and its mark together, so neither has
// to wait for the disk. The sort of a chunk's events fits the memory.
const chunkSessionSQL = `SET LOCAL synchronous_commit = off; SET LOCAL work_mem = '48MB'`

// copyChunk writes the next chunk's rows and counts it in one transaction.
func (r *rebuild) copyChunk(ctx context.Context, tx pgx.Tx, b *tableBuilder) error {
	if _, err := tx.Exec(ctx, chunkSessionSQL); err != nil {
		return fmt.Errorf("prepare chunk: %w", err)
	}
	first, last := chunkEnds(r.run.Chunk, r.run.Chunks)
	_, err := eachStream(ctx, tx, func(stream []eventstore.Recorded) error {
		r.run.Events += int64(len(stream))
		r.reportThrottled()
		return b.add(stream)
	}, chunkSQL, first, last, r.run.H0)
	if err != nil {
		return err
	}
	if err := b.write(ctx, tx, r.at); err != nil {
		return err
	}
	r.run.Chunk++
	return r.save(ctx, tx)
}

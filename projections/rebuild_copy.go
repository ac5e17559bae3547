package projections

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/time/rate"

	"daftar/eventstore"
)

// chunk is a part of all streams: their ids, both ends included.
type chunk struct {
	number      int
	first, last uuid.UUID
}

const (
	// chunkEvents is how many events a chunk has, about. What a worker keeps in
	// memory is the rows of one.
	chunkEvents = 30_000
	// samples is how many events are looked at for each chunk to find its ends.
	samples = 16
)

// Positions have no gaps, so that a sample needs no scan.
const sampleSQL = `
SELECT e.stream_id FROM generate_series(1, $1::int8, $2::int8) AS s(position) JOIN events e USING (position)`

// cut makes chunks of about the same number of events.
func cut(ctx context.Context, tx pgx.Tx, h0, size int64) ([]chunk, error) {
	n := h0/size + 1
	var ids []uuid.UUID
	if n > 1 {
		rows, err := tx.Query(ctx, sampleSQL, h0, max(1, h0/(n*samples)))
		if err != nil {
			return nil, fmt.Errorf("cut chunks: %w", err)
		}
		ids, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (uuid.UUID, error) {
			var id [16]byte
			err := row.Scan(&id)
			return id, err
		})
		if err != nil {
			return nil, fmt.Errorf("cut chunks: %w", err)
		}
		slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	}
	chunks := []chunk{{last: lastUUID}}
	for k := int64(1); k < n && len(ids) > 0; k++ {
		end := ids[k*int64(len(ids))/n]
		last := &chunks[len(chunks)-1]
		if bytes.Compare(end[:], last.first[:]) <= 0 || end == lastUUID {
			continue // one stream has more events than a chunk
		}
		last.last = end
		chunks = append(chunks, chunk{number: len(chunks), first: successor(end), last: lastUUID})
	}
	return chunks, nil
}

const (
	chunksSQL = `
SELECT number, first, last, coalesce(events, 0), coalesce(rows, 0), done_at IS NOT NULL
FROM projection_chunks WHERE run_id = $1 ORDER BY number`
	copiedSQL = `
SELECT coalesce(sum(events), 0)::int8, coalesce(sum(rows), 0)::int8, count(*) FILTER (WHERE done_at IS NULL)
FROM projection_chunks WHERE run_id = $1`
)

// copyChunks replays the chunks that are not done yet.
func (r *rebuild) copyChunks(ctx context.Context) error {
	left, err := r.openChunks(ctx)
	if err != nil {
		return err
	}
	r.tell()
	limit := rate.NewLimiter(rate.Inf, 0)
	if r.options.MaxRate > 0 {
		limit = rate.NewLimiter(rate.Limit(r.options.MaxRate), max(1, r.options.MaxRate/10))
	}
	workers := min(max(1, r.options.Workers), max(1, int(r.pool.Config().MaxConns)-2))
	queue := make(chan chunk, len(left))
	for _, c := range left {
		queue <- c
	}
	close(queue)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			f := r.shape.begin()
			for c := range queue {
				if err := r.copyChunk(ctx, c, f, limit); err != nil {
					cancel(err) // the first is why the others fail
					return
				}
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("copy chunks: %w", err)
	}
	return r.checkCopied(ctx)
}

// openChunks are the chunks that are left; what is done is counted.
func (r *rebuild) openChunks(ctx context.Context) ([]chunk, error) {
	rows, err := r.conn.Query(ctx, chunksSQL, r.id)
	if err != nil {
		return nil, fmt.Errorf("list chunks: %w", err)
	}
	var left []chunk
	var first, last [16]byte
	var number int
	var events, made int64
	var done bool
	_, err = pgx.ForEachRow(rows, []any{&number, &first, &last, &events, &made, &done}, func() error {
		r.chunks.Add(1)
		if !done {
			left = append(left, chunk{number, first, last})
			return nil
		}
		r.chunk.Add(1)
		r.done.Add(events)
		r.rows.Add(made)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list chunks: %w", err)
	}
	return left, nil
}

// checkCopied holds the chunks to the log, which has as many events as positions:
// one that is missing there must not go by unnoticed.
func (r *rebuild) checkCopied(ctx context.Context) error {
	var events, rows, left int64
	if err := r.conn.QueryRow(ctx, copiedSQL, r.id).Scan(&events, &rows, &left); err != nil {
		return fmt.Errorf("count chunks: %w", err)
	}
	if events != r.h0 || left != 0 {
		return fmt.Errorf("%w: %d events up to position %d, %d chunks left", errShadow, events, r.h0, left)
	}
	return nil
}

const (
	// A server that crashes loses the chunk and its mark together, so neither has
	// to wait for the disk. The sort of a chunk's events fits the memory.
	chunkSessionSQL = `
SET LOCAL synchronous_commit = off; SET LOCAL statement_timeout = 0; SET LOCAL jit = off; SET LOCAL work_mem = '48MB';
SET LOCAL max_parallel_workers_per_gather = 0`
	lockChunkSQL = `SELECT done_at IS NOT NULL FROM projection_chunks WHERE run_id = $1 AND number = $2 FOR UPDATE`
	doneChunkSQL = `
UPDATE projection_chunks SET events = $3, rows = $4, done_at = clock_timestamp() WHERE run_id = $1 AND number = $2`
	chunkEventsSQL = `
SELECT position, stream_id, version, type, schema_version, payload
FROM events WHERE stream_id BETWEEN $1 AND $2 AND position <= $3 ORDER BY stream_id, version`
)

// copyChunk writes a chunk's rows and marks it done in one transaction.
func (r *rebuild) copyChunk(ctx context.Context, c chunk, f folding, limit *rate.Limiter) error {
	var events, rows int64
	err := pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, chunkSessionSQL); err != nil {
			return fmt.Errorf("prepare chunk: %w", err)
		}
		// A process that was killed may have left a session that is about to commit.
		var done bool
		if err := tx.QueryRow(ctx, lockChunkSQL, r.id, c.number).Scan(&done); err != nil || done {
			return err
		}
		var err error
		if events, err = r.foldChunk(ctx, tx, c, f, limit); err != nil {
			return err
		}
		if rows, err = f.write(ctx, tx, r.at); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, doneChunkSQL, r.id, c.number, events, rows)
		return err
	})
	if err != nil {
		return fmt.Errorf("chunk %d: %w", c.number, err)
	}
	r.rows.Add(rows)
	r.chunk.Add(1)
	r.tellOften()
	return nil
}

// foldChunk hands the streams of a chunk to the folding, one at a time, as they
// come from the database.
func (r *rebuild) foldChunk(ctx context.Context, tx pgx.Tx, c chunk, f folding, limit *rate.Limiter) (int64, error) {
	rows, err := tx.Query(ctx, chunkEventsSQL, plannedAnew, [16]byte(c.first), [16]byte(c.last), r.h0)
	if err != nil {
		return 0, fmt.Errorf("read events: %w", err)
	}
	defer rows.Close()
	var stream []eventstore.Recorded
	var events int64
	fold := func() error {
		if len(stream) == 0 {
			return nil
		}
		if err := wait(ctx, limit, len(stream)); err != nil {
			return err
		}
		events += int64(len(stream))
		r.done.Add(int64(len(stream)))
		r.tellOften()
		return f.add(stream)
	}
	for rows.Next() {
		e, err := scanEvent(rows)
		if err != nil {
			return 0, fmt.Errorf("read events: %w", err)
		}
		if len(stream) > 0 && stream[0].Stream != e.Stream {
			if err := fold(); err != nil {
				return 0, err
			}
			stream = stream[:0]
		}
		stream = append(stream, e)
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("read events: %w", err)
	}
	return events, fold()
}

// wait keeps to the rate, also for more events than it allows at once.
func wait(ctx context.Context, limit *rate.Limiter, n int) error {
	if limit.Limit() == rate.Inf {
		return nil
	}
	for n > 0 {
		some := min(n, limit.Burst())
		if err := limit.WaitN(ctx, some); err != nil {
			return errors.Join(context.Cause(ctx), err)
		}
		n -= some
	}
	return nil
}

package projections

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// lockClass is what the advisory locks of rebuilds have in common; the other half
// of the key is the read model's. It means nothing else in the database.
const lockClass int32 = 871_200_002

func (s shape) lockKey() int32 { return int32(crc32.ChecksumIEEE([]byte(s.name)) & math.MaxInt32) }

// rebuild is a run, as its row in projection_runs tells, and the session that
// holds the lock. What the session does is done in one goroutine; workers have
// connections of their own.
type rebuild struct {
	shape
	options Options
	pool    *pgxpool.Pool
	conn    *pgx.Conn

	id       int64
	h0       int64
	position int64
	phase    Phase

	done           atomic.Int64 // events replayed
	rows           atomic.Int64
	chunk, chunks  atomic.Int64
	rate           atomic.Uint64 // bits of a float64
	telling        sync.Mutex
	told           time.Time
	quiet          sync.Mutex // held while the exchange is tried: no heartbeat then
	measuredEvents int64
	measuredAt     time.Time
}

// at is where the tables are made.
func (r *rebuild) at(table string) string { return fmt.Sprintf("%s_r%d", table, r.id) }

// replaced is where the old tables are kept.
func (r *rebuild) replaced(table string) string { return fmt.Sprintf("%s_old_%d", table, r.id) }

const (
	unfinishedSQL = `
SELECT id, version, structure, phase, h0, position FROM projection_runs WHERE name = $1 AND finished_at IS NULL`
	takeOverSQL = `
UPDATE projection_runs SET host = $2, pid = $3, drift = 0, heartbeat = clock_timestamp() WHERE id = $1`
	versionSQL = `
SELECT coalesce((SELECT version FROM projection_runs WHERE name = $1 AND outcome = 'swapped' ORDER BY id DESC LIMIT 1), 1)`
)

// open resumes the run that is not finished, or begins one.
func (r *rebuild) open(ctx context.Context) error {
	var made int
	if err := r.conn.QueryRow(ctx, versionSQL, r.name).Scan(&made); err != nil {
		return fmt.Errorf("read version: %w", err)
	}
	if made > r.version {
		return fmt.Errorf("%w: it is of version %d, this program makes version %d", ErrNewerTable, made, r.version)
	}
	structure, err := r.structure(ctx, r.conn)
	if err != nil {
		return err
	}
	var version int
	var copied string
	err = r.conn.QueryRow(ctx, unfinishedSQL, r.name).Scan(&r.id, &version, &copied, &r.phase, &r.h0, &r.position)
	if errors.Is(err, pgx.ErrNoRows) {
		return r.begin(ctx, structure, made)
	}
	if err != nil {
		return fmt.Errorf("look for a half-done run: %w", err)
	}
	if version != r.version || copied != structure {
		return fmt.Errorf("%w: it is of version %d, this program makes version %d, and the tables have changed: %t",
			ErrRestart, version, r.version, copied != structure)
	}
	if _, err := r.conn.Exec(ctx, takeOverSQL, r.id, hostName(), os.Getpid()); err != nil {
		return fmt.Errorf("resume run: %w", err)
	}
	return nil
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}

const (
	beginSQL = `
INSERT INTO projection_runs (name, version, tables, structure, phase, h0, position, host, pid)
VALUES ($1, $2, $3, $4, 'copying', $5, 0, $6, $7) RETURNING id`
	addChunkSQL = `INSERT INTO projection_chunks (run_id, number, first, last) VALUES ($1, $2, $3, $4)`
)

// begin makes the empty tables and cuts the streams into chunks, all or nothing.
func (r *rebuild) begin(ctx context.Context, structure string, made int) error {
	return pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error {
		var err error
		if r.h0, err = r.target(ctx, tx); err != nil {
			return err
		}
		names := make([]string, len(r.tables))
		for n, t := range r.tables {
			names[n] = t.name
		}
		err = tx.QueryRow(ctx, beginSQL, r.name, r.version, names, structure, r.h0, hostName(), os.Getpid()).Scan(&r.id)
		if err != nil {
			return fmt.Errorf("begin run: %w", err)
		}
		r.phase = PhaseCopying
		if err := r.createTables(ctx, tx, made); err != nil {
			return err
		}
		chunks, err := cut(ctx, tx, r.h0, cmp.Or(r.options.chunkEvents, chunkEvents))
		if err != nil {
			return err
		}
		for n, c := range chunks {
			if _, err := tx.Exec(ctx, addChunkSQL, r.id, n, [16]byte(c.first), [16]byte(c.last)); err != nil {
				return fmt.Errorf("note chunks: %w", err)
			}
		}
		return nil
	})
}

const enterSQL = `UPDATE projection_runs SET phase = $2, heartbeat = clock_timestamp() WHERE id = $1`

// enter notes the phase before its work begins.
func (r *rebuild) enter(ctx context.Context, p Phase) error {
	if _, err := r.conn.Exec(ctx, enterSQL, r.id, string(p)); err != nil {
		return fmt.Errorf("note phase: %w", err)
	}
	r.phase = p
	r.tell()
	return nil
}

const keepDriftSQL = `UPDATE projection_runs SET drift = $2, heartbeat = clock_timestamp() WHERE id = $1`

// keepDrift leaves the run to one that accepts what was found.
func (r *rebuild) keepDrift(ctx context.Context, found int) error {
	if _, err := r.conn.Exec(ctx, keepDriftSQL, r.id, found); err != nil {
		return fmt.Errorf("note drift: %w", err)
	}
	return nil
}

const (
	heartbeatEvery = 2 * time.Second
	heartbeatLimit = 5 * time.Second
	heartbeatSQL   = `
UPDATE projection_runs SET heartbeat = clock_timestamp(), events = $2, rows = $3, rate = $4 WHERE id = $1 AND finished_at IS NULL`
)

// beat tells whoever looks at projection_runs that the run lives, until the
// returned function is called.
func (r *rebuild) beat(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	r.measuredAt, r.measuredEvents = time.Now(), r.done.Load()
	wg.Go(func() {
		tick := time.NewTicker(heartbeatEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				r.beatOnce(ctx)
			}
		}
	})
	return func() {
		cancel()
		wg.Wait()
	}
}

// beatOnce does not fail the run: who misses the heartbeat looks for the lock.
func (r *rebuild) beatOnce(ctx context.Context) {
	r.quiet.Lock()
	defer r.quiet.Unlock()
	ctx, cancel := context.WithTimeout(ctx, heartbeatLimit)
	defer cancel()
	events, now := r.done.Load(), time.Now()
	rate := float64(events-r.measuredEvents) / now.Sub(r.measuredAt).Seconds()
	if before := r.perSecond(); before > 0 {
		rate = (2*before + rate) / 3
	}
	r.rate.Store(math.Float64bits(rate))
	r.measuredEvents, r.measuredAt = events, now
	_, _ = r.pool.Exec(ctx, heartbeatSQL, r.id, events, r.rows.Load(), rate)
}

func (r *rebuild) perSecond() float64 { return math.Float64frombits(r.rate.Load()) }

// tell reports progress.
func (r *rebuild) tell() {
	r.telling.Lock()
	defer r.telling.Unlock()
	r.tellNow()
}

// tellEvery is how often progress within a phase is worth a call.
const tellEvery = 100 * time.Millisecond

// tellOften is tell for whoever calls it for each stream.
func (r *rebuild) tellOften() {
	if !r.telling.TryLock() {
		return
	}
	defer r.telling.Unlock()
	if time.Since(r.told) >= tellEvery {
		r.tellNow()
	}
}

func (r *rebuild) tellNow() {
	r.told = time.Now()
	if r.options.Progress == nil {
		return
	}
	s := Step{
		Phase: r.phase, Done: r.done.Load(), Total: max(r.h0, r.position), Rate: r.perSecond(),
		Chunk: int(r.chunk.Load()), Chunks: int(r.chunks.Load()),
	}
	if r.phase == PhaseCopying && s.Rate > 0 {
		s.Left = time.Duration(float64(s.Total-s.Done) / s.Rate * float64(time.Second))
	}
	r.options.Progress(s)
}

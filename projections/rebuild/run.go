package rebuild

import (
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"daftar/projections"
)

// model is a read model, with the methods that verify and rebuild it.
type model struct{ projections.Model }

// lockClass is the common half of the keys of the advisory locks of rebuilds; the other half
// is the read model's. Nothing else in the database uses it.
const lockClass int32 = 871_200_002

func (m model) lockKey() int32 {
	return int32(crc32.ChecksumIEEE([]byte(m.Name)) & math.MaxInt32)
}

func (m model) tableNames(at tableNamer) []string {
	names := make([]string, len(m.Tables))
	for n, t := range m.Tables {
		names[n] = at(t.Name)
	}
	return names
}

// rebuild is a run, as its row in projection_runs has it, and the session that
// has the lock and does all of its work.
type rebuild struct {
	model
	options Options
	conn    *pgx.Conn
	run     Run

	began      time.Time // when this process began
	doneBefore int64     // events that other processes have replayed
	reported   time.Time // last
}

// at names the tables that the run makes.
func (r *rebuild) at(table string) string { return shadow(r.run.ID)(table) }

// shadow names the tables that a run makes.
func shadow(id int64) tableNamer {
	return func(table string) string { return fmt.Sprintf("%s_r%d", table, id) }
}

// replaced names the old tables that a run has replaced.
func replaced(id int64) tableNamer {
	return func(table string) string { return fmt.Sprintf("%s_old_%d", table, id) }
}

const versionSQL = `
SELECT coalesce((SELECT version
                 FROM projection_runs
                 WHERE name = $1
                   AND outcome = 'swapped'
                 ORDER BY id DESC
                 LIMIT 1), 1)`

// open resumes the run that is not finished, or begins one.
func (r *rebuild) open(ctx context.Context) error {
	r.began = time.Now()
	var made int
	if err := r.conn.QueryRow(ctx, versionSQL, r.Name).Scan(&made); err != nil {
		return fmt.Errorf("read version: %w", err)
	}
	if made > r.Version {
		return fmt.Errorf("%w: it is of version %d, this program makes version %d", ErrNewerTable, made, r.Version)
	}
	structure, err := r.structure(ctx, r.conn)
	if err != nil {
		return err
	}
	unfinished, err := r.unfinished(ctx, r.conn)
	if err != nil {
		return err
	}
	if unfinished == nil {
		return r.begin(ctx, structure, made)
	}
	r.run = *unfinished
	if r.run.Version != r.Version || r.run.Structure != structure {
		return fmt.Errorf("%w: it is of version %d, this program makes version %d, and the tables have changed: %t",
			ErrRestart, r.run.Version, r.Version, r.run.Structure != structure)
	}
	r.doneBefore, r.run.Drift = r.run.Events, 0
	return r.save(ctx, r.conn)
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}

const beginSQL = `
INSERT INTO projection_runs (name, version, tables, structure, phase, h0, position, chunks, host, pid)
VALUES ($1, $2, $3, $4, 'copying', $5, 0, $6, $7, $8)
RETURNING id`

// begin records the run and creates its empty tables in one transaction.
func (r *rebuild) begin(ctx context.Context, structure string, made int) error {
	return pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error {
		var err error
		if r.run.H0, err = r.target(ctx, tx); err != nil {
			return err
		}
		r.run.Phase, r.run.Chunks = PhaseCopying, int(r.run.H0/cmp.Or(r.options.ChunkEvents, chunkEvents))+1
		err = tx.QueryRow(ctx, beginSQL, r.Name, r.Version, r.tableNames(liveTable), structure,
			r.run.H0, r.run.Chunks, hostName(), os.Getpid()).Scan(&r.run.ID)
		if err != nil {
			return fmt.Errorf("begin run: %w", err)
		}
		return r.createTables(ctx, tx, made)
	})
}

const saveSQL = `
UPDATE projection_runs
SET phase = $2, position = $3, events = $4, rate = $5, chunk = $6, drift = $7, host = $8, pid = $9,
    heartbeat = clock_timestamp()
WHERE id = $1`

// executor is a connection or a transaction.
type executor interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// save stores the progress of the run, in the transaction of the work if there is one.
func (r *rebuild) save(ctx context.Context, q executor) error {
	_, err := q.Exec(ctx, saveSQL, r.run.ID, string(r.run.Phase), r.run.Position, r.run.Events, r.rate(),
		r.run.Chunk, r.run.Drift, hostName(), os.Getpid())
	if err != nil {
		return fmt.Errorf("save progress: %w", err)
	}
	return nil
}

// enterPhase saves the phase before its work begins.
func (r *rebuild) enterPhase(ctx context.Context, p Phase) error {
	r.run.Phase = p
	if err := r.save(ctx, r.conn); err != nil {
		return err
	}
	r.report()
	return nil
}

// rate is how many events a second this process has replayed.
func (r *rebuild) rate() float64 {
	return float64(r.run.Events-r.doneBefore) / time.Since(r.began).Seconds()
}

// reportEvery is how often progress within a phase is reported.
const reportEvery = 100 * time.Millisecond

// reportThrottled is report for callers that call it for each stream.
func (r *rebuild) reportThrottled() {
	if time.Since(r.reported) >= reportEvery {
		r.report()
	}
}

// report calls Options.Progress with the progress of the rebuild.
func (r *rebuild) report() {
	r.reported = time.Now()
	if r.options.Progress == nil {
		return
	}
	run := r.run
	s := Step{
		Phase: run.Phase, Done: run.Events, Total: max(run.H0, run.Position), Rate: r.rate(),
		Chunk: run.Chunk, Chunks: run.Chunks,
	}
	if run.Phase == PhaseCopying && s.Rate > 0 {
		if left := time.Duration(float64(s.Total-s.Done) / s.Rate * float64(time.Second)); left > 0 {
			s.SecondsLeft = new(left.Seconds())
		}
	}
	r.options.Progress(s)
}

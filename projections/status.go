package projections

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
)

// Status is how far a read model is.
type Status struct {
	Projection
	Position, Head int64
	// TableVersion is that of the schema which the tables have.
	TableVersion int
	// Run is a rebuild that is not finished; nil: there is none.
	Run *Run
	// Replaced are the runs whose old tables are still there.
	Replaced []Replaced
}

// Run is a rebuild that is not finished, as any machine sees it.
type Run struct {
	ID        int64
	Version   int
	Phase     Phase
	H0        int64 // events that the chunks have
	Events    int64 // replayed so far
	Rate      float64
	Chunk     int // chunks that are done
	Chunks    int
	Drift     int // differences that wait to be accepted
	StartedAt time.Time
	Heartbeat time.Time
	SinceBeat time.Duration // by the database's clock
	Host      string
	PID       int
	UnderWay  bool // a process is at work on it
}

// staleAfter is how old a heartbeat may be.
const staleAfter = 30 * time.Second

// Stale says that a process holds the run and has not been heard of.
func (r Run) Stale() bool { return r.UnderWay && r.SinceBeat > staleAfter }

// Percent is how much of the events have been replayed.
func (r Run) Percent() float64 {
	if r.H0 == 0 {
		return 100
	}
	return math.Min(100, 100*float64(r.Events)/float64(r.H0))
}

// Replaced is what a rebuild replaced.
type Replaced struct {
	Tables []string
	At     time.Time
}

const (
	positionSQL = `SELECT coalesce(max(position), 0) FROM consumer_offsets WHERE consumer_group = $1`
	runSQL      = `
SELECT r.id, r.version, r.phase, r.h0, r.position, r.events, r.rate, r.drift, r.started_at, r.heartbeat,
       extract(epoch FROM clock_timestamp() - r.heartbeat)::float8, r.host, r.pid,
       (SELECT count(*) FROM projection_chunks c WHERE c.run_id = r.id AND c.done_at IS NOT NULL),
       (SELECT count(*) FROM projection_chunks c WHERE c.run_id = r.id),
       (SELECT coalesce(sum(c.events), 0)::int8 FROM projection_chunks c WHERE c.run_id = r.id),
       EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = $2 AND l.objid = $3 AND l.objsubid = 2 AND l.granted
               AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
FROM projection_runs r WHERE r.name = $1 AND r.finished_at IS NULL`
	replacedTablesSQL = `
SELECT id, tables, finished_at FROM projection_runs WHERE name = $1 AND outcome = 'swapped' AND dropped_at IS NULL ORDER BY id`
)

// ReadStatus says how far each read model is, in one snapshot. It needs SELECT
// only.
func ReadStatus(ctx context.Context, pool *pgxpool.Pool) ([]Status, error) {
	var all []Status
	err := pgx.BeginTxFunc(ctx, pool, snapshot, func(tx pgx.Tx) error {
		head, err := eventstore.NewReader(tx).Head(ctx)
		if err != nil {
			return err
		}
		for _, p := range All() {
			s, err := p.status(ctx, tx, head)
			if err != nil {
				return err
			}
			all = append(all, s)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read status of the read models: %w", err)
	}
	return all, nil
}

func (p Projection) status(ctx context.Context, tx pgx.Tx, head int64) (Status, error) {
	s := Status{Projection: p, Position: head, Head: head}
	if p.Group != "" {
		if err := tx.QueryRow(ctx, positionSQL, p.Group).Scan(&s.Position); err != nil {
			return s, fmt.Errorf("read position of %s: %w", p.Group, err)
		}
	}
	if err := tx.QueryRow(ctx, versionSQL, p.Name).Scan(&s.TableVersion); err != nil {
		return s, fmt.Errorf("read version of %s: %w", p.Name, err)
	}
	run, err := p.shape.readRun(ctx, tx)
	if err != nil {
		return s, fmt.Errorf("read rebuild of %s: %w", p.Name, err)
	}
	s.Run = run
	rows, err := tx.Query(ctx, replacedTablesSQL, p.Name)
	if err != nil {
		return s, fmt.Errorf("list replaced tables: %w", err)
	}
	s.Replaced, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (old Replaced, err error) {
		var r rebuild
		if err := row.Scan(&r.id, &old.Tables, &old.At); err != nil {
			return old, err
		}
		for n, table := range old.Tables {
			old.Tables[n] = r.replaced(table)
		}
		return old, nil
	})
	if err != nil {
		return s, fmt.Errorf("list replaced tables: %w", err)
	}
	return s, nil
}

func (s shape) readRun(ctx context.Context, tx pgx.Tx) (*Run, error) {
	var r Run
	var position, copied int64
	var since float64
	err := tx.QueryRow(ctx, runSQL, s.name, uint32(lockClass), uint32(s.lockKey())).Scan(&r.ID, &r.Version, &r.Phase, &r.H0, &position, &r.Events, &r.Rate, &r.Drift,
		&r.StartedAt, &r.Heartbeat, &since, &r.Host, &r.PID, &r.Chunk, &r.Chunks, &copied, &r.UnderWay)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// The heartbeat tells of the last seconds, the chunks of what will stay.
	r.Events = max(position, copied, r.Events)
	if !r.UnderWay {
		r.Events, r.Rate = max(position, copied), 0
	}
	r.SinceBeat = time.Duration(since * float64(time.Second))
	return &r, nil
}

package rebuild

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/projections"
)

// Status is how far a read model is.
type Status struct {
	projections.Model
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
	Structure string // a digest of what the tables looked like when it began
	Phase     Phase
	H0        int64 // events that the chunks have
	Position  int64 // up to which the new tables hold every event; 0 until all chunks are done
	Events    int64 // replayed so far
	Rate      float64
	Chunk     int // chunks that are done
	Chunks    int
	Drift     int // differences that wait to be accepted
	StartedAt time.Time
	Heartbeat time.Time // when the last step was done
	Host      string
	PID       int
	UnderWay  bool // a process is at work on it
}

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
	unfinishedSQL = `
SELECT r.id, r.version, r.structure, r.phase, r.h0, r.position, r.events, CASE WHEN l.held THEN r.rate ELSE 0 END,
       r.chunk, r.chunks, r.drift, r.started_at, r.heartbeat, r.host, r.pid, l.held
FROM projection_runs r, (SELECT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $2 AND objid = $3 AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS held) l
WHERE r.name = $1 AND r.finished_at IS NULL`
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
		for _, of := range projections.Models() {
			m := model{of}
			s, err := m.status(ctx, tx, head)
			if err != nil {
				return fmt.Errorf("%s: %w", m.Name, err)
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

func (m model) status(ctx context.Context, tx pgx.Tx, head int64) (Status, error) {
	s := Status{Model: m.Model, Head: head}
	var err error
	if s.Position, err = m.target(ctx, tx); err != nil {
		return s, err
	}
	if err := tx.QueryRow(ctx, versionSQL, m.Name).Scan(&s.TableVersion); err != nil {
		return s, fmt.Errorf("read version: %w", err)
	}
	if s.Run, err = m.unfinished(ctx, tx); err != nil {
		return s, err
	}
	s.Replaced, err = postgres.List(ctx, tx, "list replaced tables", func(row pgx.CollectableRow) (old Replaced, err error) {
		var id int64
		err = row.Scan(&id, &old.Tables, &old.At)
		for n, table := range old.Tables {
			old.Tables[n] = replaced(id)(table)
		}
		return old, err
	}, replacedTablesSQL, m.Name)
	return s, err
}

// unfinished is the run that is not finished; nil: there is none.
func (m model) unfinished(ctx context.Context, q eventstore.Querier) (*Run, error) {
	return postgres.Find(ctx, q, "look for a half-done run", nil, pgx.RowToAddrOfStructByPos[Run],
		unfinishedSQL, m.Name, uint32(lockClass), uint32(m.lockKey()))
}

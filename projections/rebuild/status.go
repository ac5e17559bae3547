package rebuild

import (
	"context"
	"fmt"
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
	// TableVersion is the schema version of the tables.
	TableVersion int
	// Run is a rebuild that is not finished; nil: there is none.
	Run *Run
	// Replaced are the runs whose old tables still exist.
	Replaced []Replaced
}

// Run is a rebuild that is not finished, as any machine sees it.
type Run struct {
	ID        int64     `json:"id"`
	Version   int       `json:"version"`
	Structure string    `json:"-"` // a digest of the tables' structure when it began
	State     RunState  `json:"state"`
	Phase     Phase     `json:"phase"`
	Percent   float64   `json:"percent"` // of the events that have been replayed
	Events    int64     `json:"events"`  // replayed so far
	H0        int64     `json:"total"`   // events that the chunks have
	Position  int64     `json:"-"`       // up to which the new tables are complete; 0: not all chunks are done
	Rate      float64   `json:"rate"`
	Chunk     int       `json:"chunk"` // chunks that are done
	Chunks    int       `json:"chunks"`
	Drift     int       `json:"drift"` // differences that wait to be accepted
	StartedAt time.Time `json:"started_at"`
	Heartbeat time.Time `json:"heartbeat"` // when the last step was done
	Host      string    `json:"host"`
	PID       int       `json:"pid"`
}

// RunState is the state of a run that is not finished.
type RunState string

// The states.
const (
	RunRunning     RunState = "running" // a process is at work on it
	RunWaiting     RunState = "waiting" // for its differences to be accepted
	RunInterrupted RunState = "interrupted"
)

// Replaced is what a rebuild replaced.
type Replaced struct {
	Tables []string  `json:"tables"`
	At     time.Time `json:"replaced_at"`
}

const (
	unfinishedSQL = `
SELECT r.id, r.version, r.structure,
       CASE WHEN l.held THEN 'running' WHEN r.drift > 0 THEN 'waiting' ELSE 'interrupted' END, r.phase,
       CASE WHEN r.h0 = 0 THEN 100 ELSE least(100, 100 * r.events::float8 / r.h0) END,
       r.events, r.h0, r.position, CASE WHEN l.held THEN r.rate ELSE 0 END, r.chunk, r.chunks, r.drift,
       r.started_at AT TIME ZONE 'UTC', r.heartbeat AT TIME ZONE 'UTC', r.host, r.pid
FROM projection_runs r, (SELECT EXISTS (
    SELECT
    FROM pg_locks
    WHERE locktype = 'advisory'
      AND classid = $2
      AND objid = $3
      AND objsubid = 2
      AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS held) l
WHERE r.name = $1
  AND r.finished_at IS NULL`
	replacedTablesSQL = `
SELECT id, tables, finished_at AT TIME ZONE 'UTC'
FROM projection_runs
WHERE name = $1
  AND outcome = 'swapped'
  AND dropped_at IS NULL
ORDER BY id`
)

// ReadStatus reads the status of each read model, in one snapshot. It needs SELECT
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
	s.Replaced, err = postgres.List(ctx, tx, "list replaced tables",
		func(row pgx.CollectableRow) (old Replaced, err error) {
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

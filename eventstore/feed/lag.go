package feed

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/worker"
)

// Lag is how far a group lags behind the log.
type Lag struct {
	Group    string `json:"group"    label:"group"`
	Position int64  `json:"position" label:"position"` // of the last event that the group has handled; 0: none
	Head     int64  `json:"head"     label:"of"`       // of the log's newest event
	Behind   int64  `json:"lag"      label:"behind"`   // events that the group has not handled
	// Seconds since the oldest event that the group has not handled was recorded, on
	// the database's clock; 0 where there is none.
	Seconds float64 `json:"seconds" label:"seconds"`
	Parked  int64   `json:"parked"  label:"parked"` // events set aside
	// Halted is why the group has stopped, "" if it has not.
	Halted string `json:"halted" below:"HALTED:"`
}

// There are few offsets, so all are read. Of the tables that grow, each statement reads one
// row for an offset: the subqueries cannot be joined in another way than by key.
const (
	lagColumns = `
SELECT o.consumer_group, o.position, h.head, h.head - o.position,
       coalesce(greatest(0, extract(epoch FROM clock_timestamp() - n.recorded_at)), 0)::float8,
       p.parked, coalesce(o.halted_reason, '')`
	lagTables = `
FROM consumer_offsets o
CROSS JOIN (` + eventstore.HeadSQL + `) AS h(head)
LEFT JOIN LATERAL (SELECT e.recorded_at
                   FROM events e
                   WHERE e.position = o.position + 1 OFFSET 0) n ON true
CROSS JOIN LATERAL (SELECT count(*) AS parked, count(released_at) > 0 AS released
                    FROM parked_events
                    WHERE consumer_group = o.consumer_group) p
ORDER BY o.consumer_group`
	lagsSQL = lagColumns + lagTables
	// watchSQL also reports whether there are events that the group may handle now.
	watchSQL = lagColumns + `,
       p.released
       OR h.head > o.position AND (o.retry_at IS NULL OR o.retry_at <= clock_timestamp())` + lagTables
)

// Lags reads the lags of all groups that ever ran on the database, by name.
func Lags(ctx context.Context, q eventstore.Querier) ([]Lag, error) {
	return postgres.List(ctx, q, "read lag of groups", pgx.RowToStructByPos[Lag], lagsSQL)
}

// prepare checks that no group is ahead of the log. It waits for a database
// that is out of reach; the error is also nil when ctx has ended.
func (f *Feed) prepare(ctx context.Context) error {
	for {
		lags, err := Lags(ctx, f.config.Pool)
		if err == nil {
			return f.checkOffsets(lags)
		}
		if postgres.Classify(err) != postgres.Unavailable && ctx.Err() == nil {
			return err
		}
		f.config.Log.Warn().Err(err).Msg("feed: waiting for the database")
		if !worker.Sleep(ctx, min(f.config.Poll, defaultPoll)) {
			return nil
		}
	}
}

func (f *Feed) checkOffsets(lags []Lag) error {
	for _, g := range f.groups {
		for _, lag := range lags {
			if lag.Group == g.Name && lag.Position > lag.Head {
				return fmt.Errorf("%w: group %s is at position %d, the log ends at %d; "+
					"restore offsets and log from the same backup, or set the offset back by hand",
					ErrAhead, g.Name, lag.Position, lag.Head)
			}
		}
	}
	return nil
}

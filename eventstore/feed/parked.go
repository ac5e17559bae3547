package feed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
	"daftar/internal/postgres"
)

// Parked is an event that a group set aside.
type Parked struct {
	Group    string    `json:"group"    label:"group"`
	Position int64     `json:"position" label:"position"`
	Attempts int       `json:"attempts" label:"tries"` // failed calls of the handler, over all releases
	At       time.Time `json:"at"       label:"at"`
	Released bool      `json:"released" label:"released"` // the group will get the event again at once
	Reason   string    `json:"reason"   below:""`         // of the last failure
}

// ErrNotParked is returned by Release for an event that is not set aside.
var ErrNotParked = errors.New("feed: no such parked event")

const listParkedSQL = `
SELECT consumer_group, position, attempts, parked_at, released_at IS NOT NULL, reason
FROM parked_events
ORDER BY consumer_group, position`

// ListParked lists the events that groups have set aside, by group and position.
func ListParked(ctx context.Context, q eventstore.Querier) ([]Parked, error) {
	return postgres.List(ctx, q, "list parked events", pgx.RowToStructByPos[Parked], listParkedSQL)
}

const deleteGroupSQL = `
WITH parked AS (DELETE FROM parked_events WHERE consumer_group = $1)
DELETE FROM consumer_offsets
WHERE consumer_group = $1`

// ErrNoGroup is returned by Forget for a group that has no offset.
var ErrNoGroup = errors.New("feed: no such group")

// Forget deletes a group's offset and its parked events. No server may run the
// group: a server that does stops handling its events until it is restarted, and begins
// with the first event then. The error is ErrNoGroup or the database's.
func Forget(ctx context.Context, pool *pgxpool.Pool, group string) error {
	done, err := pool.Exec(ctx, deleteGroupSQL, group)
	if err != nil {
		return fmt.Errorf("forget group: %w", err)
	}
	if done.RowsAffected() == 0 {
		return fmt.Errorf("%w: %s", ErrNoGroup, group)
	}
	return nil
}

const releaseSQL = `
UPDATE parked_events
SET released_at = clock_timestamp()
WHERE consumer_group = $1
  AND position = $2`

// Release gives a parked event to its group again, on whichever server the group
// is active; that happens after Release has returned. If it fails again, it is
// parked again. The error is ErrNotParked or the database's.
func Release(ctx context.Context, pool *pgxpool.Pool, group string, position int64) error {
	done, err := pool.Exec(ctx, releaseSQL, group, position)
	if err != nil {
		return fmt.Errorf("release parked event: %w", err)
	}
	if done.RowsAffected() == 0 {
		return fmt.Errorf("%w: group %s, position %d", ErrNotParked, group, position)
	}
	// Without the notification the group finds the event when it polls.
	if _, err := pool.Exec(ctx, notifySQL, Channel, ""); err != nil {
		return fmt.Errorf("notify of released event: %w", err)
	}
	return nil
}

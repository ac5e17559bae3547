package eventstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// FirstAt is the first position up to head whose time is not before t; head+1 where there is none.
// timeSQL reads the time of the event at the position $1. Positions have no gaps and times grow with
// them, so a binary search by the primary key finds it with a few look-ups.
func FirstAt(
	ctx context.Context, q postgres.Querier, timeSQL string, head int64, t time.Time,
) (int64, error) {
	from, to := int64(1), head+1
	for from < to {
		middle := from + (to-from)/2
		at, err := postgres.Find(ctx, q, "read time of an event", pgx.ErrNoRows, pgx.RowTo[time.Time],
			timeSQL, middle)
		if err != nil {
			return 0, err
		}
		if at.Before(t) {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from, nil
}

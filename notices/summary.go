package notices

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/projections"
)

const (
	// maxSummaryAge is after how long a summary that could not be made is left out.
	maxSummaryAge = 7 * 24 * time.Hour
	// dayEndGrace is how long after the end of a day its last events may be recorded.
	dayEndGrace = time.Minute
)

// nextDaily is the next time that it is this hour in Libya.
func nextDaily(now time.Time, hour int) time.Time {
	today := domain.DayOf(now)
	at := hourOf(today, hour)
	if !at.After(now) {
		at = hourOf(today.Add(1), hour)
	}
	return at
}

// hourOf is an hour of a day in Libya, whose clocks do not change.
func hourOf(d domain.Day, hour int) time.Time {
	return d.Start().Add(time.Duration(hour) * time.Hour)
}

// dayBefore is the day of the summary that is due then.
func dayBefore(daily time.Time) domain.Day { return domain.DayOf(daily).Add(-1) }

// skipSummaries leaves out summaries that the member may not see, or that are too late.
func (t *memberState) skipSummaries(role accounts.Role, now time.Time) {
	switch {
	case t.daily == nil || t.daily.After(now):
	case !role.Allows(accounts.SeeMoney):
		t.daily = new(nextDaily(now, *t.hour))
	case now.Sub(*t.daily) > maxSummaryAge:
		t.daily = new(nextDaily(now, *t.hour).AddDate(0, 0, -1))
	}
}

// An event that the dashboard's group has not handled, and that was recorded before then, may be of the day.
const completeSQL = `
SELECT NOT EXISTS (
    SELECT
    FROM consumer_offsets o
    JOIN events e ON e.position = o.position + 1
    WHERE o.consumer_group = $1
      AND e.recorded_at < $2
)`

// summary adds up the day of which a claimed member's summary is due; nil: none is, or the figures of the
// day are not complete yet.
func (n *Notices) summary(ctx context.Context, c claimed, now time.Time) (*Summary, error) {
	if c.DailyAt == nil || c.DailyAt.After(now) || now.Sub(*c.DailyAt) > maxSummaryAge {
		return nil, nil
	}
	day := dayBefore(*c.DailyAt)
	end := day.Add(1).Start().Add(dayEndGrace)
	if now.Before(end) {
		return nil, nil
	}
	complete, err := postgres.Find(ctx, n.Pool, "look at the figures' group", nil, pgx.RowTo[bool],
		completeSQL, projections.DashboardGroupName, end)
	if err != nil || !complete {
		return nil, err
	}
	s, tenant := &Summary{Day: day}, c.Organization.In(domain.ModeLive)
	if s.DayTakings, err = n.Payments.Day(ctx, tenant, day); err != nil {
		return nil, err
	}
	if _, s.ToDecide, err = n.Decisions.ToDecide(ctx, tenant, 1); err != nil {
		return nil, err
	}
	if s.Unknown, err = n.Outcomes.Count(ctx, tenant, MaxCounted); err != nil {
		return nil, err
	}
	s.Stopped, err = n.Deliveries.CountStopped(ctx, tenant)
	return s, err
}

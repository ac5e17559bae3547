package checker

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/eventstore/feed"
	"daftar/expiry"
	"daftar/facts"
	"daftar/internal/postgres"
	"daftar/projections"
	"daftar/projections/rebuild"
	"daftar/transparency"
	"daftar/webhooks"
)

const extentSQL = `
SELECT count(*), coalesce(min(position), 1), coalesce(max(position), 0)
FROM events`

// followed is I6: positions are 1 to n, and the tables of each group match all events. The
// offset of a group alone would prove nothing.
func (c *checker) followed(ctx context.Context, f *finding) error {
	var first, head int64
	if err := c.pool.QueryRow(ctx, extentSQL).Scan(&f.looked, &first, &head); err != nil {
		return fmt.Errorf("read extent of the log: %w", err)
	}
	if first != 1 || f.looked != head {
		f.wrongf("the log has %d events at positions %d to %d", f.looked, first, head)
	}
	for _, check := range []func(context.Context, *finding, int64) error{
		c.offsets, c.deliveries, c.timers, c.sums, c.leaves,
	} {
		if err := check(ctx, f, head); err != nil {
			return err
		}
	}
	return nil
}

// groups are the consumer groups of the service. The last three halt before an event that
// they do not understand.
var (
	groups = []string{
		webhooks.Group().Name, transparency.GroupName, expiry.GroupName, projections.DashboardGroupName,
		projections.BooksGroupName,
	}
	halts = groups[2:]
)

// offsets checks that every group is at the end of the log. Only a group that has halted
// before a parked event may be behind.
func (c *checker) offsets(ctx context.Context, f *finding, head int64) error {
	lags, err := feed.Lags(ctx, c.pool)
	if err != nil {
		return err
	}
	at := map[string]feed.Lag{}
	for _, lag := range lags {
		at[lag.Group] = lag
	}
	for _, name := range groups {
		lag, known := at[name]
		switch {
		case !known:
			f.wrongf("group %s never ran", name)
		case lag.Position == head && lag.Halted == "":
		case slices.Contains(halts, name) && c.log.parked > 0 && lag.Position == c.log.parked-1 && lag.Halted != "":
			f.notef("group %s has halted before the event that was put in", name)
		default:
			f.wrongf("group %s is at %d of %d (%s)", name, lag.Position, head, lag.Halted)
		}
	}
	parked, err := feed.ListParked(ctx, c.pool)
	if err != nil {
		return err
	}
	for _, p := range parked {
		if !slices.Contains(c.o.Parked, p.Position) {
			f.wrongf("group %s has set aside position %d: %s", p.Group, p.Position, p.Reason)
		}
	}
	return nil
}

// webhookOf is the type of the webhook for an event; empty: none.
func webhookOf(e event) string {
	if kind, known := facts.Named(e.kind); known {
		return kind.Webhook
	}
	return ""
}

const (
	deliveriesSQL = `
SELECT uuid, application_uuid, event, intent_uuid, sequence, state, attempts
FROM webhook_deliveries
WHERE intent_uuid IS NOT NULL`
	hookedSQL = `SELECT uuid FROM applications WHERE webhook_url IS NOT NULL`
)

// delivery is a row of webhook_deliveries.
type delivery struct {
	id, application, intent [16]byte
	event, state            string
	sequence                int32
	attempts                int
}

// readDeliveries returns the recorded deliveries, except test webhooks.
func readDeliveries(ctx context.Context, pool *pgxpool.Pool) ([]delivery, error) {
	rows, err := pool.Query(ctx, deliveriesSQL)
	if err != nil {
		return nil, fmt.Errorf("read deliveries: %w", err)
	}
	var all []delivery
	var d delivery
	_, err = pgx.ForEachRow(rows, []any{
		&d.id, &d.application, &d.event, &d.intent, &d.sequence, &d.state, &d.attempts,
	}, func() error {
		all = append(all, d)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read deliveries: %w", err)
	}
	return all, nil
}

// webhookID is the webhook-id header of the delivery.
func (d delivery) webhookID() string { return "evt_" + uuid.UUID(d.id).String() }

// hooked are the applications that get webhooks.
func (c *checker) hooked(ctx context.Context) (map[uuid.UUID]bool, error) {
	rows, err := c.pool.Query(ctx, hookedSQL)
	if err != nil {
		return nil, fmt.Errorf("read endpoints: %w", err)
	}
	all := map[uuid.UUID]bool{}
	var id [16]byte
	_, err = pgx.ForEachRow(rows, []any{&id}, func() error {
		all[id] = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read endpoints: %w", err)
	}
	return all, nil
}

// place is an event's place in its stream.
type place struct {
	stream  [16]byte
	version int32
}

// deliveries checks that each event of an application with an endpoint has a delivery, with
// the id that follows from the event, and that each delivery has an event.
func (c *checker) deliveries(ctx context.Context, f *finding, _ int64) error {
	hooked, err := c.hooked(ctx)
	if err != nil {
		return err
	}
	recorded := make(map[place]bool, c.log.events)
	for _, d := range c.rows {
		recorded[place{d.intent, d.sequence}] = true
		if why := c.misdelivered(d); why != "" {
			f.wrongf("delivery %s: %s", uuid.UUID(d.id), why)
		}
	}
	for _, s := range c.log.streams {
		if !hooked[s.created.Application] {
			continue
		}
		for _, e := range s.events {
			if webhookOf(e) != "" && !recorded[place{s.id, e.version}] {
				f.wrongf("position %d (%s of intent %s) has no delivery", e.position, e.kind, s.id)
			}
		}
	}
	return nil
}

func (c *checker) misdelivered(d delivery) string {
	s := c.log.streams[d.intent]
	if s == nil || d.sequence < 1 || int(d.sequence) > len(s.events) {
		if c.log.parked > 0 {
			return "" // it may be of a parked event
		}
		return fmt.Sprintf("there is no version %d of intent %s", d.sequence, uuid.UUID(d.intent))
	}
	return differs([]field{
		{"event", d.event, webhookOf(s.events[d.sequence-1])},
		{"application", uuid.UUID(d.application).String(), s.created.Application.String()},
		{"id", uuid.UUID(d.id).String(), idOf(s.id, d.sequence)},
	})
}

// idOf is the id of a delivery by its definition: a version 5 uuid of the event's version in
// the namespace of the stream's id.
func idOf(stream uuid.UUID, version int32) string {
	return uuid.NewSHA1(stream, fmt.Append(nil, version)).String()
}

// overdueGrace is how long an intent may be overdue, because a worker claims its timer and
// executes its command a moment after the time.
const overdueGrace = 5 * time.Second

const timersSQL = `SELECT intent_uuid FROM expiry_timers`

// timers checks that exactly the intents that are neither paid nor canceled have a timer, and
// that none is overdue unless it has an open attempt.
func (c *checker) timers(ctx context.Context, f *finding, _ int64) error {
	rows, err := c.pool.Query(ctx, timersSQL)
	if err != nil {
		return fmt.Errorf("read timers: %w", err)
	}
	timed := map[uuid.UUID]bool{}
	var id [16]byte
	_, err = pgx.ForEachRow(rows, []any{&id}, func() error {
		timed[id] = true
		return nil
	})
	if err != nil {
		return fmt.Errorf("read timers: %w", err)
	}
	now := c.log.now.Add(c.o.ClockOffset)
	open := 0
	for _, s := range c.log.streams {
		waits := s.state.Status == domain.StatusRequiresPaymentMethod || s.state.Status == domain.StatusProcessing
		switch last := s.events[len(s.events)-1]; {
		case s.problem != "", c.log.parked > 0 && last.position > c.log.parked:
			continue // the group has halted before it
		case waits != timed[s.id]:
			f.wrongf("intent %s is %s and has a timer: %t", s.id, s.state.Status, timed[s.id])
		case s.state.Overdue(now.Add(-overdueGrace)):
			f.wrongf("intent %s has been overdue for %v", s.id, now.Sub(s.state.ExpiresAt).Round(time.Millisecond))
		}
		if waits {
			open++
		}
	}
	if c.log.parked == 0 && len(timed) != open {
		f.wrongf("%d timers for %d open intents", len(timed), open)
	}
	return nil
}

// sums checks that payments and turnover equal a replay of the events up to the offset of
// their group.
func (c *checker) sums(ctx context.Context, f *finding, _ int64) error {
	for _, m := range projections.Models() {
		if m.Group == "" {
			continue // I5 checks intents, without the project's own verification
		}
		report, err := rebuild.Verify(ctx, c.pool, m, func(_, _ int64) {})
		if unreachable(ctx, err) {
			return err
		}
		if err != nil {
			f.wrongf("%s cannot be replayed: %v", m.Name, err)
		}
		for _, d := range report.Drift {
			f.wrongf("%s of %s: %s is %q, events say %q", report.Name, d.UUID, d.Field, d.Stored, d.Replayed)
		}
	}
	return nil
}

// leaves checks that the transparency tree has every event unchanged.
func (c *checker) leaves(ctx context.Context, f *finding, head int64) error {
	report, err := transparency.Verify(ctx, c.pool, transparency.VerifyOptions{})
	switch {
	case unreachable(ctx, err):
		return err
	case err != nil:
		f.wrongf("the tree cannot be verified: %v", err)
	case !report.OK:
		f.wrongf("the tree at position %d: %s: %s",
			report.Discrepancy.Position, report.Discrepancy.Kind, report.Discrepancy.Reason)
	case report.Size != head:
		f.wrongf("the tree has %d of %d events", report.Size, head)
	case report.Checkpoints == 0 && head > 0:
		f.wrongf("no checkpoint was ever signed")
	}
	return nil
}

// unreachable reports whether err means that the database does not answer, and not that its
// contents are invalid.
func unreachable(ctx context.Context, err error) bool {
	if err == nil {
		return false
	}
	kind := postgres.Classify(err)
	return ctx.Err() != nil || kind == postgres.Unavailable || kind == postgres.Canceled
}

package projections_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/payments/decisions"
	"daftar/projections"
)

// midnight is one in Tripoli, two hours before that of UTC.
var midnight = time.Date(2026, 11, 20, 22, 0, 0, 0, time.UTC)

// shop is an application with its organisation.
type shop struct {
	organization uuid.UUID
	id           domain.ApplicationID
	namespace    domain.Namespace
}

// world is a book whose events are written at times that the test chooses, and delivered to the
// dashboard group when the test says so.
type world struct {
	*book
	pool      *pgxpool.Pool
	store     *eventstore.Store
	payments  *projections.Payments
	decisions *decisions.Decisions
	position  int64
	intents   map[domain.IntentID]domain.Intent
}

func openWorld(t *testing.T) *world {
	t.Helper()
	return openWorldOf(t, open(t, false))
}

func openWorldOf(t *testing.T, b *book) *world {
	t.Helper()
	d := &world{book: b, intents: make(map[domain.IntentID]domain.Intent)}
	d.pool = d.db.Pool(t)
	d.store = eventstore.New(d.db.Pool(t), d.pool, eventstore.Options{Inline: projections.Inline()})
	d.payments, d.decisions = projections.NewPayments(d.pool), decisions.New(d.pool)
	t.Cleanup(func() {
		if err := d.store.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return d
}

// shop opens a live application of the given organisation, or of a new one.
func (d *world) shop(t *testing.T, organization uuid.UUID) shop {
	t.Helper()
	return d.shopIn(t, organization, domain.ModeLive)
}

// shopIn opens an application in a mode.
func (d *world) shopIn(t *testing.T, organization uuid.UUID, mode domain.Mode) shop {
	t.Helper()
	if organization == uuid.Nil {
		organization = uuid.New()
		const insertSQL = `INSERT INTO organizations (uuid, name, created_at) VALUES ($1, 'متجر', now())`
		exec(t, d.pool, insertSQL, organization)
	}
	s := shop{organization, domain.ApplicationID(uuid.New()), domain.Namespace(uuid.New())}
	exec(t, d.pool, `
		INSERT INTO applications (uuid, organization_uuid, name, active, namespace, api_key_hash,
		                          api_key_ending, api_key_rolled_at, webhook_secret,
		                          webhook_secret_rolled_at, mode, created_at)
		VALUES ($1, $2, 'shop', true, $3, sha256($4), 'abcd', now(), '', now(), $5, now())`,
		s.id, organization, s.namespace, s.id[:], mode)
	return s
}

// step is a command and its time.
type step struct {
	domain.Command
	at time.Time
}

// order is the command that creates the shop's next intent.
func (d *world) order(s shop) domain.Create {
	n, random := d.serial.Add(1), uuid.New()
	return domain.Create{CheckoutToken: "token", Terms: domain.Terms{
		Application: s.id, MerchantReference: domain.MerchantReference(fmt.Sprintf("order-%d", n)),
		Amount: domain.Money{Minor: 1000 + n, Currency: domain.LYD}, Description: "شاي",
		Reference: domain.NewReference([7]byte(random[:7])),
	}}
}

// record writes the events of an intent. Commands that are refused are left out.
func (d *world) record(t testing.TB, s shop, c domain.Create, at time.Time, steps ...step) domain.Intent {
	t.Helper()
	return d.carry(t, domain.Blank(s.namespace.IntentID(c.MerchantReference)), append([]step{{c, at}}, steps...))
}

// carry writes more events of an intent. Commands that are refused are left out.
func (d *world) carry(t testing.TB, i domain.Intent, steps []step) domain.Intent {
	t.Helper()
	before := i.Version
	var events []eventstore.Event
	for _, step := range steps {
		decided, _ := domain.Decide(i, step.Command, step.at)
		for _, e := range decided {
			i = domain.Evolve(i, e)
			encoded, err := domain.EncodeEvent(e)
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, eventstore.Event(encoded))
		}
	}
	if len(events) == 0 {
		return i
	}
	_, err := d.store.Append(t.Context(), eventstore.Append{
		Stream: uuid.UUID(i.ID), Expected: before, Events: events, Row: projections.IntentOf(i),
	})
	if err != nil {
		t.Fatalf("append: %v", err)
	}
	d.intents[i.ID] = i
	return i
}

// The commands of intents, from their creation on.
func attempt(at time.Time, id domain.AttemptID) step {
	return step{domain.StartAttempt{Attempt: id, Acquirer: "sandbox", Method: "wallet"}, at}
}

func failed(at time.Time, id domain.AttemptID) step {
	return step{domain.FailAttempt{Attempt: id, Reason: "declined"}, at}
}

func paid(at time.Time, id domain.AttemptID, c domain.Create) step {
	return step{domain.RecordPayment{Attempt: id, Amount: c.Amount, ProviderReference: "p"}, at}
}

func refunded(at time.Time, id domain.AttemptID, number byte, minor int64) step {
	return step{domain.RecordRefund{
		Refund: domain.RefundID{number}, Attempt: id, Amount: domain.Money{Minor: minor, Currency: domain.LYD},
		Evidence: domain.EvidencePerson,
	}, at}
}

func expired(at time.Time) step { return step{domain.Expire{}, at} }

// late records an intent that was canceled and paid after that.
func (d *world) late(t testing.TB, s shop, at time.Time) domain.Intent {
	t.Helper()
	c := d.order(s)
	canceled := at.Add(25 * time.Hour)
	return d.record(t, s, c, at, attempt(at, "a"), failed(at, "a"), expired(canceled),
		paid(canceled.Add(48*time.Hour), "a", c))
}

// twice records an intent that was paid two times.
func (d *world) twice(t testing.TB, s shop, at time.Time) domain.Intent {
	t.Helper()
	c := d.order(s)
	return d.record(t, s, c, at, attempt(at, "a"), failed(at, "a"), attempt(at, "b"), paid(at, "b", c),
		paid(at.Add(time.Hour), "a", c))
}

func (d *world) events(t testing.TB, after int64, limit int) []eventstore.Recorded {
	t.Helper()
	rows, err := d.pool.Query(t.Context(), `
		SELECT position, stream_id, version, type, schema_version, payload, metadata, recorded_at
		FROM events
		WHERE position > $1
		ORDER BY position
		LIMIT $2`, after, limit)
	if err != nil {
		t.Fatal(err)
	}
	events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (eventstore.Recorded, error) {
		var e eventstore.Recorded
		err := row.Scan(&e.Position, &e.Stream, &e.Version, &e.Type, &e.SchemaVersion, &e.Payload, &e.Metadata,
			&e.RecordedAt)
		return e, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// deliver delivers events to the groups in a transaction, which also advances their offsets, unless the
// test lets the server die before the commit. The group of the books gets none again: its sums count what
// it gets.
func (d *world) deliver(t testing.TB, events []eventstore.Recorded, dies bool) error {
	t.Helper()
	tx, err := d.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	last := events[len(events)-1].Position
	others := slices.IndexFunc(events, func(e eventstore.Recorded) bool { return e.Position > d.position })
	for _, g := range []feed.Group{projections.DashboardGroup(), projections.BooksGroup()} {
		if g.Name == projections.BooksGroupName {
			if others < 0 {
				continue
			}
			events = events[others:]
		}
		of := slices.DeleteFunc(slices.Clone(events), func(e eventstore.Recorded) bool { return !g.Only(e.Type) })
		if len(of) > 0 {
			if err := g.Handle(t.Context(), tx, of); err != nil {
				return err
			}
		}
		exec(t, tx, `
			INSERT INTO consumer_offsets AS o (consumer_group, position, updated_at)
			VALUES ($1, $2, now())
			ON CONFLICT (consumer_group) DO UPDATE
			SET position = greatest(o.position, excluded.position)`, g.Name, last)
	}
	if dies {
		return nil
	}
	d.position = max(d.position, last)
	return tx.Commit(t.Context())
}

// feed delivers the events that the group has not handled.
func (d *world) feed(t testing.TB) {
	t.Helper()
	for {
		events := d.events(t, d.position, 1000)
		if len(events) == 0 {
			return
		}
		if err := d.deliver(t, events, false); err != nil {
			t.Fatalf("keep turnover: %v", err)
		}
	}
}

func (d *world) checkModels(t testing.TB) {
	t.Helper()
	for _, p := range readModels() {
		report, err := p.Verify(t.Context(), d.pool, quiet)
		if err != nil || !report.OK || len(report.Drift) != 0 {
			t.Errorf("verify %s: %+v, %v", p.Name, report, err)
		}
	}
}

// expected is the turnover that results from the states of the intents.
func (d *world) expected(of func(domain.Intent) bool) projections.Turnover {
	days := make(map[domain.Day]projections.Figures)
	var total projections.Figures
	count := func(at time.Time, to func(*projections.Figures) *projections.Total, amount int64) {
		f := days[domain.DayOf(at)]
		for _, t := range []*projections.Total{to(&f), to(&total)} {
			t.Count++
			t.Sum += amount
		}
		days[domain.DayOf(at)] = f
	}
	for _, i := range d.intents {
		if !of(i) {
			continue
		}
		if i.Status == domain.StatusCanceled {
			count(i.UpdatedAt, func(f *projections.Figures) *projections.Total { return &f.Canceled }, i.Amount.Minor)
		}
		for _, a := range i.Attempts {
			switch {
			case a.State != domain.AttemptStatePaid:
			case a.ID != i.PaidBy:
				count(a.EndedAt, func(f *projections.Figures) *projections.Total { return &f.Duplicates }, i.Amount.Minor)
			default:
				count(a.EndedAt, func(f *projections.Figures) *projections.Total { return &f.Succeeded }, i.Amount.Minor)
				if i.Late {
					count(a.EndedAt, func(f *projections.Figures) *projections.Total { return &f.Late }, i.Amount.Minor)
				}
			}
		}
	}
	for _, i := range d.intents {
		for _, r := range i.Refunds {
			if of(i) {
				count(r.At, func(f *projections.Figures) *projections.Total { return &f.Refunds }, r.Amount.Minor)
			}
		}
	}
	var t projections.Turnover
	for day, f := range days {
		t.Days = append(t.Days, projections.DayFigures{Day: day, Currency: domain.LYD, Figures: f})
	}
	slices.SortFunc(t.Days, func(a, b projections.DayFigures) int {
		if a.Day.Before(b.Day) {
			return -1
		}
		return 1
	})
	if len(t.Days) > 0 {
		t.Totals = []projections.CurrencyFigures{{Currency: domain.LYD, Figures: total}}
	}
	return t
}

var (
	firstDay = domain.DayOf(midnight.AddDate(-1, 0, 0))
	lastDay  = domain.DayOf(midnight.AddDate(1, 0, 0))
)

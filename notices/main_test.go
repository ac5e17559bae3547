package notices_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/mail"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/notices"
	"daftar/payments/decisions"
	"daftar/payments/outcomes"
	"daftar/projections"
	"daftar/webhooks"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// world is an organisation with people on a database of its own, and a clock that the test moves.
type world struct {
	*accountstest.World
	*notices.Notices
	*post
	store    *eventstore.Store
	position int64 // up to which the groups have read the log
	serial   int64
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: accountstest.NewWorld(t), post: &post{}}
	w.store = eventstore.New(w.Pool, w.Pool, eventstore.Options{Inline: projections.Inline()})
	intents := projections.NewIntents(w.Pool)
	t.Cleanup(func() {
		intents.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := w.store.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	w.Notices = notices.New(notices.Config{
		Pool: w.Pool, Accounts: w.Accounts, Key: accountstest.SecretKey(t, "5a"), Now: w.Now.Now, Letters: w.post,
		Payments: projections.NewPayments(w.Pool), Decisions: decisions.New(w.Pool),
		Outcomes:   outcomes.New(w.Pool, ledger.New(w.store, intents), w.Accounts, nil, nil),
		Deliveries: webhooks.NewDeliveries(w.Pool, w.Accounts, w.Now.Now),
	})
	if err := w.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// post keeps what was written, in its order.
type post struct {
	mu        sync.Mutex
	digests   []notices.Digest
	summaries []notices.Summary
}

func (p *post) Digest(d notices.Digest) mail.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.digests = append(p.digests, d)
	return mail.Message{To: d.Email, Subject: "digest", Text: fmt.Sprint(len(p.digests) - 1)}
}

func (p *post) Summary(s notices.Summary) mail.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.summaries = append(p.summaries, s)
	return mail.Message{To: s.Email, Subject: "summary", Text: s.Day.String()}
}

// written empties the post.
func (p *post) written() (digests []notices.Digest, summaries []notices.Summary) {
	p.mu.Lock()
	defer p.mu.Unlock()
	digests, summaries = p.digests, p.summaries
	p.digests, p.summaries = nil, nil
	return digests, summaries
}

// member is a new member of the organisation with a role, who chooses.
func (w *world) member(role accounts.Role, p notices.Preferences) people.User {
	w.T.Helper()
	w.serial++
	u := w.Person(fmt.Sprintf("%s-%d", role, w.serial), w.Org, role)
	w.choose(u, p)
	return u
}

func (w *world) choose(u people.User, p notices.Preferences) {
	w.T.Helper()
	if err := w.Choose(w.T.Context(), accountstest.By(u), w.Org, p); err != nil {
		w.T.Fatal(err)
	}
}

// test is a new test application of the organisation.
func (w *world) test() domain.ApplicationID {
	w.T.Helper()
	app, err := w.Accounts.CreateApplication(w.T.Context(), accountstest.Operator, w.Org,
		accounts.Draft{Name: "Trials", Mode: domain.ModeTest})
	if err != nil {
		w.T.Fatal(err)
	}
	return app.ID
}

// story says what became of a payment.
type story int

const (
	inTime story = iota
	late
	twice
	refundFails
)

// stories are all of them.
var stories = []story{inTime, late, twice, refundFails}

// pay records a payment of an application through a method, whose money came now.
func (w *world) pay(of domain.ApplicationID, s story, minor int64, method string) domain.IntentID {
	w.T.Helper()
	now, id, random := w.Now.Now(), domain.NewAttemptID(uuid.New()), uuid.New()
	w.serial++
	c := domain.Create{CheckoutToken: "token", Terms: domain.Terms{
		Application: of, MerchantReference: domain.MerchantReference(fmt.Sprint("order-", w.serial)),
		Amount: domain.Money{Minor: minor, Currency: domain.LYD}, Description: "شاي لسالم 0912345678",
		CustomerID: new("salem-0912345678"), Reference: domain.NewReference([7]byte(random[:7])),
	}}
	begin := domain.StartAttempt{Attempt: id, Acquirer: "plutu", Method: method, Payer: "091•••5678"}
	paid := domain.RecordPayment{Attempt: id, Amount: c.Amount, ProviderReference: "p"}
	steps := []step{{c, -time.Hour}, {begin, -time.Minute}, {paid, 0}}
	switch s {
	case inTime:
	case late:
		c.ExpiresAt = new(now.Add(-10 * time.Minute))
		steps = []step{{c, -time.Hour}, {begin, -30 * time.Minute},
			{domain.FailAttempt{Attempt: id, Reason: "declined"}, -20 * time.Minute},
			{domain.Expire{}, -5 * time.Minute}, {paid, 0}}
	case twice:
		other := domain.NewAttemptID(uuid.New())
		second := begin
		second.Attempt = other
		steps = []step{{c, -time.Hour}, {begin, -30 * time.Minute},
			{domain.FailAttempt{Attempt: id, Reason: "declined"}, -20 * time.Minute}, {second, -time.Minute},
			{domain.RecordPayment{Attempt: other, Amount: c.Amount}, 0}, {paid, 0}}
	case refundFails:
		steps = append(steps, step{domain.RecordRefundFailure{
			Refund: domain.RefundID(uuid.New()), Attempt: id, Amount: c.Amount, Reason: "refused",
		}, 0})
	}
	return w.record(id, steps)
}

// step is a command and its time, from now on.
type step struct {
	domain.Command
	at time.Duration
}

func (w *world) record(of domain.AttemptID, steps []step) domain.IntentID {
	w.T.Helper()
	i := domain.Blank(domain.IntentID(uuid.New()))
	var events []eventstore.Event
	for _, s := range steps {
		decided, err := domain.Decide(i, s.Command, w.Now.Now().Add(s.at))
		if err != nil {
			w.T.Fatalf("%T: %v", s.Command, err)
		}
		for _, e := range decided {
			i = domain.Evolve(i, e)
			encoded, err := domain.EncodeEvent(e)
			if err != nil {
				w.T.Fatal(err)
			}
			events = append(events, eventstore.Event(encoded))
		}
		if begun, is := s.Command.(domain.StartAttempt); is {
			w.exec(`
				INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, language, payer,
				    created_at, stage, stage_since, updated_at)
				VALUES ($1, $2, $3, $4, 'ar', $5, $6, 'closed', $6, $6)`,
				begun.Attempt, [16]byte(i.ID), begun.Acquirer, begun.Method, begun.Payer, w.Now.Now())
		}
	}
	_, err := w.store.Append(w.T.Context(),
		eventstore.Append{Stream: uuid.UUID(i.ID), Events: events, Row: projections.IntentOf(i)})
	if err != nil {
		w.T.Fatal(err)
	}
	return i.ID
}

func (w *world) exec(sql string, arguments ...any) {
	w.T.Helper()
	if _, err := w.Owner.Exec(w.T.Context(), sql, arguments...); err != nil {
		w.T.Fatal(err)
	}
}

// eventsAfter are those of the log after a position.
func (w *world) eventsAfter(position int64) []eventstore.Recorded {
	w.T.Helper()
	rows, err := w.Pool.Query(w.T.Context(), `
		SELECT position, stream_id, version, type, schema_version, payload, metadata, recorded_at
		FROM events
		WHERE position > $1
		ORDER BY position`, position)
	if err != nil {
		w.T.Fatal(err)
	}
	events, err := pgx.CollectRows(rows, pgx.RowToStructByPos[eventstore.Recorded])
	if err != nil {
		w.T.Fatal(err)
	}
	return events
}

// follow lets the groups read what is new in the log: that of the notices, and the dashboard's.
func (w *world) follow() {
	w.T.Helper()
	events := w.eventsAfter(w.position)
	if len(events) == 0 {
		return
	}
	w.position = events[len(events)-1].Position
	w.handle(events)
	err := pgx.BeginFunc(w.T.Context(), w.Pool, func(tx pgx.Tx) error {
		if err := projections.DashboardGroup().Handle(w.T.Context(), tx, events); err != nil {
			return err
		}
		_, err := tx.Exec(w.T.Context(), `
			INSERT INTO consumer_offsets (consumer_group, position, updated_at)
			VALUES ('dashboard', $1, now())
			ON CONFLICT (consumer_group) DO UPDATE SET position = excluded.position`, w.position)
		return err
	})
	if err != nil {
		w.T.Fatal(err)
	}
}

// handle gives events to the group of the notices.
func (w *world) handle(events []eventstore.Recorded) {
	w.T.Helper()
	err := pgx.BeginFunc(w.T.Context(), w.Pool, func(tx pgx.Tx) error {
		return notices.Group().Handle(w.T.Context(), tx, events)
	})
	if err != nil {
		w.T.Fatal(err)
	}
}

// turns gives everybody who is due a turn.
func (w *world) turns() {
	w.T.Helper()
	for worked := true; worked; {
		var err error
		if worked, err = w.Step(w.T.Context()); err != nil {
			w.T.Fatal(err)
		}
	}
}

// sent lets the mail server take all mails that wait, now.
func (w *world) sent() { w.T.Helper(); w.ended("sent") }

// refused lets it refuse them.
func (w *world) refused() { w.T.Helper(); w.ended("failed") }

func (w *world) ended(state string) {
	w.T.Helper()
	w.exec(`UPDATE mails SET state = $1, message = NULL, finished_at = $2 WHERE state = 'pending'`,
		state, w.Now.Now())
}

// tell lets a minute pass in which what is due is written and sent.
func (w *world) tell() {
	w.T.Helper()
	w.follow()
	w.turns()
	w.sent()
	w.Later(time.Minute)
	w.turns()
}

// each is the choice of all.
func each(hour int) notices.Preferences {
	return notices.Preferences{Payments: true, Decisions: true, Daily: &hour}
}

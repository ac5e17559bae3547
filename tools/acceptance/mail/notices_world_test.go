package mail_test

import (
	"context"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/mail"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/notices"
	"daftar/payments"
	"daftar/payments/decisions"
	"daftar/payments/outcomes"
	"daftar/payments/refunds"
	"daftar/projections"
	"daftar/tools/acceptance/smtptest"
	"daftar/webhooks"
)

const publicURL = "https://pay.example"

var operator = accounts.Operator("test")

// news is a world whose mails tell members what happens to their organisations.
type news struct {
	*world
	server   *smtptest.Server
	store    *eventstore.Store
	accounts *accounts.Accounts
	people   *people.People
	notices  *notices.Notices
	members  map[string]accounts.Actor // by address

	position int64 // up to which the group of the notices has handled the log
	batches  int

	addressees map[string]addressee // by the address that ends the mails
	came       map[string]letter    // by Message-ID
	times      int                  // that mails came
	slowest    time.Duration        // of the turns at one moment
}

// addressee is who gets a mail, and about which organisation.
type addressee struct{ email, organization string }

func newNews(t *testing.T) *news {
	t.Helper()
	n := &news{
		world: newWorld(t), server: smtptest.Start(t, smtptest.Options{}),
		members: map[string]accounts.Actor{}, addressees: map[string]addressee{}, came: map[string]letter{},
	}
	n.store = eventstore.New(n.pool, n.pool, eventstore.Options{Inline: projections.Inline()})
	intents := projections.NewIntents(n.pool)
	t.Cleanup(func() {
		intents.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := n.store.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	book := ledger.New(n.store, intents)
	n.accounts = accounts.New(n.pool, accounts.Options{SecretKey: n.key})
	n.people = people.New(n.pool, n.accounts, people.Options{SecretKey: n.key, CheapPasswords: true})
	now := func() time.Time { return *n.now.Load() }
	n.notices = notices.New(notices.Config{
		Pool: n.pool, Accounts: n.accounts, Key: n.key, Now: now, Log: zerolog.New(&n.log),
		Letters:  view.Letters{PublicURL: publicURL},
		Payments: projections.NewPayments(n.pool), Decisions: decisions.New(n.pool),
		Outcomes: outcomes.New(n.pool, book, n.accounts, payments.NewOperations(n.pool, book),
			refunds.NewOperations(n.pool, book, n.accounts, func(string, string) bool { return true })),
		Deliveries: webhooks.NewDeliveries(n.pool, n.accounts, now),
	})
	n.exec(`INSERT INTO consumer_offsets (consumer_group, position, updated_at) VALUES ($1, 0, now())`,
		projections.DashboardGroupName) // as a feed does when it starts
	return n
}

// organization makes one with an application.
func (n *news) organization(name string) (accounts.OrganizationID, domain.ApplicationID) {
	n.t.Helper()
	org, err := n.accounts.CreateOrganization(n.t.Context(), operator, name)
	if err != nil {
		n.t.Fatal(err)
	}
	return org.ID, n.application(org.ID, accounts.Draft{Name: name})
}

func (n *news) application(of accounts.OrganizationID, d accounts.Draft) domain.ApplicationID {
	n.t.Helper()
	app, err := n.accounts.CreateApplication(n.t.Context(), operator, of, d)
	if err != nil {
		n.t.Fatal(err)
	}
	return app.ID
}

// member makes a person a member, who chooses what to be told.
func (n *news) member(
	org accounts.OrganizationID, email string, role accounts.Role, chooses notices.Preferences,
) {
	n.t.Helper()
	if _, known := n.members[email]; !known {
		u, err := n.people.CreateUser(n.t.Context(), operator, org, email, role, "seven grey camels at noon")
		if err != nil {
			n.t.Fatal(err)
		}
		n.members[email] = u.Actor("", "")
	} else {
		n.exec(`INSERT INTO memberships (user_uuid, organization_uuid, role, created_at)
			VALUES ($1, $2, $3, now())`, n.members[email].User, org, role)
	}
	if err := n.notices.Choose(n.t.Context(), n.members[email], org, chooses); err != nil {
		n.t.Fatal(err)
	}
	var token, name string
	err := n.pool.QueryRow(n.t.Context(), `
		SELECT p.token, o.name
		FROM mail_preferences p
		JOIN organizations o ON o.uuid = p.organization_uuid
		WHERE p.user_uuid = $1
		  AND p.organization_uuid = $2`, n.members[email].User, org).Scan(&token, &name)
	if err != nil {
		n.t.Fatal(err)
	}
	n.addressees[publicURL+"/dashboard/mails/"+token] = addressee{email, name}
}

func (n *news) exec(sql string, arguments ...any) {
	n.t.Helper()
	if _, err := n.pool.Exec(n.t.Context(), sql, arguments...); err != nil {
		n.t.Fatal(err)
	}
}

func (n *news) count(sql string, arguments ...any) (found int) {
	n.t.Helper()
	if err := n.pool.QueryRow(n.t.Context(), sql, arguments...).Scan(&found); err != nil {
		n.t.Fatal(err)
	}
	return found
}

// moment is what a service does at a time: it tells its members, and mails go a little later.
func (n *news) moment(at time.Time) {
	n.t.Helper()
	n.set(at)
	n.handle()
	n.turns()
	n.later(3 * time.Second)
	n.send()
	for n.server.Waiting() > 0 {
		n.take(n.server.Next())
	}
}

// handle hands the group what is new in the log, as recorded at the world's time. Some of it comes twice, as
// after a crash.
func (n *news) handle() {
	n.t.Helper()
	for {
		head, err := n.store.Head(n.t.Context())
		if err != nil {
			n.t.Fatal(err)
		}
		events, err := n.store.ReadRange(n.t.Context(), n.position, head, 1000)
		if err != nil {
			n.t.Fatal(err)
		}
		if len(events) == 0 {
			return
		}
		for i := range events {
			events[i].RecordedAt = *n.now.Load()
		}
		n.position = events[len(events)-1].Position
		n.deliver(notices.Group(), events)
		if n.batches++; n.batches%10 == 0 {
			n.deliver(notices.Group(), events)
		}
	}
}

func (n *news) deliver(g feed.Group, events []eventstore.Recorded) {
	n.t.Helper()
	err := pgx.BeginFunc(n.t.Context(), n.pool, func(tx pgx.Tx) error {
		if err := g.Handle(n.t.Context(), tx, events); err != nil {
			return err
		}
		_, err := tx.Exec(n.t.Context(), `
			INSERT INTO consumer_offsets (consumer_group, position, updated_at)
			VALUES ($1, $2, now())
			ON CONFLICT (consumer_group) DO UPDATE
			SET position = excluded.position`, g.Name, events[len(events)-1].Position)
		return err
	})
	if err != nil {
		n.t.Fatal(err)
	}
}

// figures has the dashboard's group handle all events up to now.
func (n *news) figures() {
	n.t.Helper()
	after := int64(n.count(`
		SELECT coalesce((SELECT position FROM consumer_offsets WHERE consumer_group = $1), 0)`,
		projections.DashboardGroupName))
	for {
		events, err := n.store.ReadRange(n.t.Context(), after, n.position, 1000)
		if err != nil {
			n.t.Fatal(err)
		}
		if len(events) == 0 {
			return
		}
		n.deliver(projections.DashboardGroup(), events)
		after = events[len(events)-1].Position
	}
}

// claimed is how long a member's turn belongs to a server.
const claimed = 30 * time.Second

// turns runs the notices until members were told of what has been unknown for an hour, and then until no
// member's turn is due.
func (n *news) turns() {
	n.t.Helper()
	if n.runUntil("the outcomes to be noticed", `
		SELECT (SELECT count(*) FROM checkout_attempts WHERE stage = 'quarantined' AND stage_since <= $1)
		     - (SELECT count(*) FROM unknown_noticed)`, n.now.Load().Add(-time.Hour)) {
		n.later(claimed) // it may have been stopped in the middle of a turn
	}
	n.runUntil("the members to have their turns", `
		SELECT count(*)
		FROM mail_preferences
		WHERE due_at <= $1`, *n.now.Load())
}

// runUntil runs the notices until nothing is counted; false: there was nothing.
func (n *news) runUntil(what, sql string, at time.Time) bool {
	n.t.Helper()
	over := func() bool { return n.count(sql, at) == 0 }
	if over() {
		return false
	}
	began := time.Now()
	stop := n.background(n.notices.Run)
	pgtest.WaitFor(n.t, what, over)
	n.slowest = max(n.slowest, time.Since(began))
	stop()
	return true
}

// send runs a sender until every mail that is due was tried.
func (n *news) send() {
	n.t.Helper()
	over := func() bool {
		return n.count(`
			SELECT count(*)
			FROM mails
			WHERE state = 'pending'
			  AND (next_attempt_at <= $1 OR next_attempt_at = $2)`, *n.now.Load(), n.now.Load().Add(lease)) == 0
	}
	if over() {
		return
	}
	stop := n.run(settings(n.server))
	pgtest.WaitFor(n.t, "the mails to be tried", over)
	stop()
}

// background runs something until the returned function is called.
func (n *news) background(run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(n.t.Context())
	var running sync.WaitGroup
	running.Go(func() { run(ctx) })
	stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
	})
	n.t.Cleanup(stop)
	return stop
}

// sentMail is a mail of the queue that was taken or refused.
type sentMail struct {
	ID               uuid.UUID
	State            mail.State
	Queued, Finished time.Time
	Tries            int
}

func (n *news) queue() []sentMail {
	n.t.Helper()
	rows, _ := n.pool.Query(n.t.Context(), `
		SELECT uuid, state, created_at, coalesce(finished_at, 'infinity'), attempts
		FROM mails
		ORDER BY created_at`)
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[sentMail])
	if err != nil {
		n.t.Fatal(err)
	}
	return all
}

// awaitAll waits until the test has every mail that the server took.
func (n *news) awaitAll() {
	n.t.Helper()
	missing := map[string]bool{}
	for _, m := range n.queue() {
		if m.State == mail.Sent {
			missing[messageID(m.ID)] = true
		}
	}
	maps.DeleteFunc(missing, func(id string, _ bool) bool { _, here := n.came[id]; return here })
	for len(missing) > 0 {
		m := n.server.Next()
		n.take(m)
		delete(missing, m.Header.Get("Message-ID"))
	}
}

func messageID(id uuid.UUID) string { return "<" + id.String() + "@pay.example>" }

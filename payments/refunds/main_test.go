package refunds_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/logtest"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/payments/acquirer"
	"daftar/payments/refunds"
	"daftar/projections"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// env is a database with an organisation, an application and its people.
type env struct {
	*server
	t        *testing.T
	db       *pgtest.DB
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
	org      accounts.OrganizationID
	app      domain.ApplicationID
	spaces   domain.Namespace
	people   map[accounts.Role]accounts.Actor
	asked    atomic.Int32
	logged   logtest.Log
	answer   func(i domain.Intent, of domain.AttemptID, amount domain.Money) (acquirer.Refunded, error)
}

// server is one of the servers on the database.
type server struct {
	*refunds.Operations
	ledger *ledger.Ledger
	worker *refunds.Worker
}

// newEnv makes one with an acquirer that carries out every refund.
func newEnv(t *testing.T) *env {
	t.Helper()
	db := pgtest.Database(t)
	h := &env{t: t, db: db, pool: db.Pool(t), people: map[accounts.Role]accounts.Actor{}}
	h.answer = func(_ domain.Intent, _ domain.AttemptID, amount domain.Money) (acquirer.Refunded, error) {
		return acquirer.Refunded{Money: amount, ProviderReference: fmt.Sprintf("BACK-%d", h.asked.Load())}, nil
	}
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	h.accounts = accounts.New(h.pool, accounts.Options{SecretKey: key})
	h.server = h.startServer(0)
	h.org, h.app = h.business("ours")
	people := people.New(h.pool, h.accounts, people.Options{SecretKey: key, CheapPasswords: true})
	for _, role := range accounts.Roles {
		u, err := people.CreateUser(t.Context(), operator, h.org, string(role)+"@ours.example", role,
			"seven grey camels at noon")
		if err != nil {
			t.Fatal(err)
		}
		h.people[role] = u.Actor("", "")
	}
	return h
}

var operator = accounts.Operator("test")

func (h *env) business(name string) (accounts.OrganizationID, domain.ApplicationID) {
	h.t.Helper()
	org, err := h.accounts.CreateOrganization(h.t.Context(), operator, name)
	if err != nil {
		h.t.Fatal(err)
	}
	return org.ID, h.applicationOf(org.ID, name)
}

func (h *env) applicationOf(org accounts.OrganizationID, name string) domain.ApplicationID {
	h.t.Helper()
	app, err := h.accounts.CreateApplication(h.t.Context(), operator, org, accounts.Draft{Name: name})
	if err != nil {
		h.t.Fatal(err)
	}
	h.spaces = domain.Namespace(uuid.New())
	return app.ID
}

// startServer starts a server whose clock is ahead by the given time.
func (h *env) startServer(ahead time.Duration) *server {
	h.t.Helper()
	pool := h.db.Pool(h.t)
	store := eventstore.New(pool, pool,
		eventstore.Options{Inline: projections.Inline(), Clock: &eventstore.Clock{Offset: ahead}})
	intents := projections.NewIntents(pool)
	h.t.Cleanup(func() {
		intents.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := store.Close(ctx); err != nil {
			h.t.Errorf("close: %v", err)
		}
	})
	l := ledger.New(store, intents)
	can := func(name, _ string) bool { return name == "bank" }
	d := refunds.NewOperations(pool, l, h.accounts, can)
	ask := func(
		_ context.Context, i domain.Intent, of domain.AttemptID, amount domain.Money,
	) (acquirer.Refunded, error) {
		h.asked.Add(1)
		return h.answer(i, of, amount)
	}
	return &server{d, l, refunds.NewWorker(d, ask, nil, zerolog.New(&h.logged), nil)}
}

func dinars(n int64) domain.Money { return domain.Money{Minor: n * 1000, Currency: domain.LYD} }

// paidBy creates an intent of ten dinars and pays it by an attempt with each of these acquirers.
func (h *env) paidBy(acquirers ...string) (domain.Intent, []domain.AttemptID) {
	h.t.Helper()
	row, _, err := h.ledger.Create(h.t.Context(), domain.Create{Terms: domain.Terms{
		Application: h.app, MerchantReference: domain.MerchantReference(uuid.NewString()), Amount: dinars(10),
		Description: "قهوة",
	}}, h.spaces, ledger.Origin{Actor: "application:test"})
	if err != nil {
		h.t.Fatal(err)
	}
	do := func(c domain.Command) {
		h.t.Helper()
		if _, err := h.ledger.Execute(h.t.Context(), row.ID, c, ledger.Origin{Actor: "payer"}); err != nil {
			h.t.Fatal(err)
		}
	}
	attempts := make([]domain.AttemptID, len(acquirers))
	for n, name := range acquirers {
		attempts[n] = domain.NewAttemptID(uuid.New())
		do(domain.StartAttempt{Attempt: attempts[n], Acquirer: name, Method: "wallet"})
		if n < len(acquirers)-1 {
			do(domain.FailAttempt{Attempt: attempts[n], Reason: "declined"})
		}
	}
	for n := range attempts { // the last one first; those that failed pay after all
		do(domain.RecordPayment{
			Attempt: attempts[len(attempts)-1-n], Amount: dinars(10), ProviderReference: fmt.Sprintf("PAID-%d", n),
		})
	}
	return h.load(row.ID), attempts
}

func (h *env) load(id domain.IntentID) domain.Intent {
	h.t.Helper()
	i, err := h.ledger.Load(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return i
}

// order requests a refund as the owner.
func (h *env) order(o refunds.Order) (refunds.Refund, error) {
	if o.Note == "" {
		o.Note = "the customer came back"
	}
	return h.Request(h.t.Context(), h.people[accounts.RoleOwner], h.org, o)
}

// maxLate bounds how often a step may run out of time.
const maxLate = 20

// runSteps runs the worker of a server until nothing is due. A step that runs out of time is repeated, as
// the worker does: requests for refunds of one payment wait for one lock, and on a busy machine hold
// every connection longer than a step may take.
func (h *env) runSteps(s *server) {
	h.t.Helper()
	late := 0
	for worked := true; worked; {
		var err error
		worked, err = s.worker.Step(h.t.Context())
		if errors.Is(err, context.DeadlineExceeded) && late < maxLate {
			late++
			worked, err = true, nil
		}
		if err != nil {
			h.t.Fatal(err)
		}
	}
}

// wantState returns a refund and checks its state.
func (h *env) wantState(id domain.RefundID, state refunds.State, trouble refunds.Trouble) refunds.Refund {
	h.t.Helper()
	r, err := h.Find(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	if r.State != state || r.Trouble != trouble {
		h.t.Fatalf("the refund is %s (%s), want %s (%s)", r.State, r.Trouble, state, trouble)
	}
	return r
}

// lastEvent is the latest event of an intent, with its metadata.
func (h *env) lastEvent(id domain.IntentID) (domain.Event, eventstore.Metadata) {
	h.t.Helper()
	all, err := eventstore.NewReader(h.pool).ReadStream(h.t.Context(), uuid.UUID(id))
	if err != nil {
		h.t.Fatal(err)
	}
	last := all[len(all)-1]
	e, err := domain.Decode(last)
	if err != nil {
		h.t.Fatal(err)
	}
	m, err := last.Origin()
	if err != nil {
		h.t.Fatal(err)
	}
	return e, m
}

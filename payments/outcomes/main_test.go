package outcomes_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/outcomes"
	"daftar/payments/refunds"
	"daftar/projections"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

var operator = accounts.Operator("test")

// world is an organisation with people, on a database of its own.
type world struct {
	*outcomes.Outcomes
	t        *testing.T
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
	people   *people.People
	ledger   *ledger.Ledger
	attempts *payments.Operations
	refunds  *refunds.Operations
	org      accounts.OrganizationID
	app      domain.ApplicationID
	spaces   domain.Namespace
	owner    accounts.Actor
	finance  accounts.Actor
	sold     int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := pgtest.Database(t)
	w := &world{t: t, pool: db.Pool(t), spaces: domain.Namespace(uuid.New())}
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	store := eventstore.New(w.pool, w.pool, eventstore.Options{Inline: projections.Inline()})
	intents := projections.NewIntents(w.pool)
	t.Cleanup(func() {
		intents.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := store.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	w.ledger = ledger.New(store, intents)
	w.accounts = accounts.New(w.pool, accounts.Options{SecretKey: key})
	w.people = people.New(w.pool, w.accounts, people.Options{SecretKey: key, CheapPasswords: true})
	w.attempts = payments.NewOperations(w.pool, w.ledger)
	w.refunds = refunds.NewOperations(w.pool, w.ledger, w.accounts,
		func(string, string) bool { return true })
	w.Outcomes = outcomes.New(w.pool, w.ledger, w.accounts, w.attempts, w.refunds)
	w.org, w.app = w.business("ours")
	w.owner = w.person("owner", accounts.RoleOwner)
	w.finance = w.person("finance", accounts.RoleFinance)
	return w
}

func (w *world) business(name string) (accounts.OrganizationID, domain.ApplicationID) {
	w.t.Helper()
	org, err := w.accounts.CreateOrganization(w.t.Context(), operator, name)
	if err != nil {
		w.t.Fatal(err)
	}
	app, err := w.accounts.CreateApplication(w.t.Context(), operator, org.ID, accounts.Draft{Name: name})
	if err != nil {
		w.t.Fatal(err)
	}
	return org.ID, app.ID
}

func (w *world) person(name string, role accounts.Role) accounts.Actor {
	w.t.Helper()
	u, err := w.people.CreateUser(w.t.Context(), operator, w.org, name+"@ours.example", role,
		"seven grey camels at noon")
	if err != nil {
		w.t.Fatal(err)
	}
	return u.Actor("", "")
}

// live is the tenant of the payments.
func (w *world) live() domain.Tenant { return w.org.In(domain.ModeLive) }

// always makes every outcome need two people.
func (w *world) always() {
	w.t.Helper()
	if err := w.SetRule(w.t.Context(), w.owner, w.org, new(int64)); err != nil {
		w.t.Fatal(err)
	}
}

// unknownPayment is an attempt of which the acquirer cannot be asked.
func (w *world) unknownPayment(minor int64) outcomes.Outcome {
	w.t.Helper()
	w.sold++
	i, _, err := w.ledger.Create(w.t.Context(), domain.Create{Terms: domain.Terms{
		Application: w.app, MerchantReference: domain.MerchantReference(fmt.Sprint("order-", w.sold)),
		Amount: domain.Money{Minor: minor, Currency: domain.LYD}, Description: "شاي",
	}}, w.spaces, ledger.Origin{Actor: "application:test"})
	if err != nil {
		w.t.Fatal(err)
	}
	id := domain.NewAttemptID(uuid.New())
	w.execute(i.ID, domain.StartAttempt{Attempt: id, Acquirer: "plutu", Method: "adfali", Payer: "091•••5678"})
	w.exec(`
		INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, language, payer, created_at,
		    stage, stage_since, trouble, updated_at)
		VALUES ($1, $2, 'plutu', 'adfali', 'ar', '091•••5678', now(), 'quarantined', now(),
		    '{"kind":"unaskable"}', now())`, id, [16]byte(i.ID))
	return w.find(outcomes.KeyOfPayment(id))
}

// unknownRefund is one that the acquirer did not answer to, of a paid payment.
func (w *world) unknownRefund(minor int64) outcomes.Outcome {
	w.t.Helper()
	paid := w.unknownPayment(minor)
	w.execute(paid.Intent, domain.RecordPayment{Attempt: paid.Attempt, Amount: paid.Amount})
	w.exec(`UPDATE checkout_attempts SET stage = 'closed' WHERE attempt = $1`, paid.Attempt)
	r, err := w.refunds.Request(w.t.Context(), operator, w.org,
		refunds.Order{Intent: paid.Intent, ByAcquirer: true, Note: "asked"})
	if err != nil {
		w.t.Fatal(err)
	}
	w.exec(`UPDATE refunds SET state = 'unknown', trouble = 'no_answer' WHERE uuid = $1`, [16]byte(r.ID))
	return w.find(outcomes.KeyOfRefund(r.ID))
}

func (w *world) find(k outcomes.Key) outcomes.Outcome {
	w.t.Helper()
	o, err := w.Find(w.t.Context(), w.live(), k)
	if err != nil {
		w.t.Fatal(err)
	}
	return o
}

func (w *world) execute(id domain.IntentID, c domain.Command) {
	w.t.Helper()
	if _, err := w.ledger.Execute(w.t.Context(), id, c, ledger.Origin{Actor: "acquirer:plutu"}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) exec(sql string, arguments ...any) {
	w.t.Helper()
	if _, err := w.pool.Exec(w.t.Context(), sql, arguments...); err != nil {
		w.t.Fatal(err)
	}
}

// recordAll does the work of Run.
func (w *world) recordAll() {
	w.t.Helper()
	for worked := true; worked; {
		var err error
		if worked, err = w.Step(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
	}
}

// settle is Settle without an error.
func (w *world) settle(by accounts.Actor, o outcomes.Outcome, v outcomes.Verdict) outcomes.State {
	w.t.Helper()
	s, err := w.Settle(w.t.Context(), by, w.live(), o.Key,
		outcomes.Claim{Verdict: v, Reference: "TX-" + o.Subject[:8], Note: "in the portal"})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// last is the last event of an intent, and where it comes from.
func (w *world) last(id domain.IntentID) (domain.Event, eventstore.Metadata) {
	w.t.Helper()
	all, err := eventstore.NewReader(w.pool).ReadStream(w.t.Context(), uuid.UUID(id))
	if err != nil {
		w.t.Fatal(err)
	}
	e, err := domain.Decode(all[len(all)-1])
	if err != nil {
		w.t.Fatal(err)
	}
	origin, err := all[len(all)-1].Origin()
	if err != nil {
		w.t.Fatal(err)
	}
	return e, origin
}

// trail are the audit records of the payment with an action.
func (w *world) trail(of domain.IntentID, action accounts.Action) (found []accounts.AuditRecord) {
	w.t.Helper()
	all, err := w.accounts.Trail(w.t.Context(), operator, w.org,
		accounts.TrailFilter{Action: action, Limit: 500})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range all {
		if r.SubjectID == uuid.UUID(of) {
			found = append(found, r)
		}
	}
	return found
}

package settlements_test

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
	"daftar/books"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/outcomes"
	"daftar/payments/refunds"
	"daftar/payments/settlements"
	"daftar/projections"
	"daftar/reconcile"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

var operator = accounts.Operator("test")

// world is an organisation with people, on a separate database.
type world struct {
	*settlements.Settlements
	t        *testing.T
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
	people   *people.People
	outcomes *outcomes.Outcomes
	ledger   *ledger.Ledger
	org      accounts.OrganizationID
	app      domain.ApplicationID
	spaces   domain.Namespace
	owner    accounts.Actor
	finance  accounts.Actor
	sold     int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, pool: pgtest.Database(t).Pool(t), spaces: domain.Namespace(uuid.New())}
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
	w.outcomes = outcomes.New(w.pool, w.ledger, w.accounts, payments.NewOperations(w.pool, w.ledger),
		refunds.NewOperations(w.pool, w.ledger, w.accounts, func(string, string) bool { return true }))
	w.Settlements = settlements.New(w.pool, w.ledger, w.accounts)
	org, err := w.accounts.CreateOrganization(t.Context(), operator, "ours")
	if err != nil {
		t.Fatal(err)
	}
	app, err := w.accounts.CreateApplication(t.Context(), operator, org.ID, accounts.Draft{Name: "ours"})
	if err != nil {
		t.Fatal(err)
	}
	w.org, w.app = org.ID, app.ID
	w.owner, w.finance = w.person(accounts.RoleOwner), w.person(accounts.RoleFinance)
	return w
}

func (w *world) person(role accounts.Role) accounts.Actor {
	w.t.Helper()
	u, err := w.people.CreateUser(w.t.Context(), operator, w.org, string(role)+"@ours.example", role,
		"seven grey camels at noon")
	if err != nil {
		w.t.Fatal(err)
	}
	return u.Actor("", "")
}

func (w *world) tenant() domain.Tenant { return w.org.In(domain.ModeLive) }
func (w *world) key() books.Key        { return books.KeyOf(w.tenant(), "plutu") }

// twoPeople makes everything need two people.
func (w *world) twoPeople() {
	w.t.Helper()
	if err := w.outcomes.SetRule(w.t.Context(), w.owner, w.org, new(int64)); err != nil {
		w.t.Fatal(err)
	}
}

// sale is a paid payment as a comparison has it.
func (w *world) sale(minor int64) *reconcile.Entry {
	w.t.Helper()
	w.sold++
	ctx, money := w.t.Context(), domain.Money{Minor: minor, Currency: domain.LYD}
	i, _, err := w.ledger.Create(ctx, domain.Create{Terms: domain.Terms{
		Application: w.app, MerchantReference: domain.MerchantReference(fmt.Sprint("order-", w.sold)),
		Amount: money, Description: "شاي",
	}}, w.spaces, ledger.Origin{Actor: "application:test"})
	if err != nil {
		w.t.Fatal(err)
	}
	attempt := domain.AttemptID(fmt.Sprintf("%026d", w.sold))
	for _, c := range []domain.Command{
		domain.StartAttempt{Attempt: attempt, Acquirer: "plutu", Method: "adfali"},
		domain.RecordPayment{Attempt: attempt, Amount: money},
	} {
		if _, err := w.ledger.Execute(ctx, i.ID, c, ledger.Origin{Actor: "payer"}); err != nil {
			w.t.Fatal(err)
		}
	}
	return &reconcile.Entry{Intent: i.ID, Attempt: attempt, Method: "adfali", Amount: minor, At: w.ledger.Now()}
}

// report is a comparison in which lines agree with these entries.
func report(entries ...*reconcile.Entry) *reconcile.Report {
	r := &reconcile.Report{Acquirer: "plutu"}
	for n, e := range entries {
		r.Pairs = append(r.Pairs, reconcile.Pair{
			Line: &reconcile.Line{Number: n + 2, Amount: e.Amount}, Entry: e,
		})
	}
	return r
}

func hash(file string) string { return fmt.Sprintf("%064x", file) }

func (w *world) lay(file string, entries ...*reconcile.Entry) settlements.Draft {
	w.t.Helper()
	d, err := w.Lay(w.t.Context(), w.key(), report(entries...), file, hash(file))
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

var day = domain.Day{Year: 2026, Month: time.November, Day: 25}

// accept accepts a draft as it is, with fees of 10 dirhams.
func (w *world) accept(by accounts.Actor, d settlements.Draft) (outcomes.State, error) {
	w.t.Helper()
	digest, err := d.Digest()
	if err != nil {
		w.t.Fatal(err)
	}
	fees := int64(10)
	return w.Accept(w.t.Context(), by, d, settlements.Terms{ValueDate: day, Fees: &fees}, digest)
}

// trail are the outcomes and reasons of the audit records with an action.
func (w *world) trail(action accounts.Action) (found []string) {
	w.t.Helper()
	all, err := w.accounts.Trail(w.t.Context(), operator, w.org,
		accounts.TrailFilter{Action: action, Limit: 500})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range all {
		reason, _ := r.Detail["reason"].(string)
		found = append(found, strings.TrimSpace(string(r.Outcome)+" "+reason))
	}
	return found
}

package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
	"daftar/webhooks"
)

// Each step is done as soon as the data show it.
func TestStepsTickThemselves(t *testing.T) {
	t.Parallel()
	w := withAPI(t)
	org, err := w.accounts.CreateOrganization(t.Context(), operator, "new")
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.people.CreateUser(t.Context(), operator, org.ID, "new@new.example", accounts.RoleOwner, password)
	if err != nil {
		t.Fatal(err)
	}
	c := w.as(t, "new@new.example")
	corner := "/dashboard/" + org.ID.String() + "/developers?lang=en"
	c.get(corner).is(t, http.StatusOK).has(t, "0 of 6 done", "/api/v1")
	app, err := w.accounts.CreateApplication(t.Context(), operator, org.ID, accounts.Draft{Name: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	c.get(corner).has(t, "1 of 6 done")
	if _, _, err := w.accounts.CreateToken(t.Context(), operator, org.ID,
		accounts.TokenDraft{Name: "server"}); err != nil {
		t.Fatal(err)
	}
	c.get(corner).has(t, "2 of 6 done")
	id := w.createIntent(t, app)
	seen := w.catchUp(t, 0)
	c.get(corner).has(t, "3 of 6 done")
	w.pay(t, id)
	w.catchUp(t, seen)
	c.get(corner).has(t, "4 of 6 done")
	if err := w.accounts.SetWebhookURL(t.Context(), operator, org.ID, app.ID, newHook(t).URL); err != nil {
		t.Fatal(err)
	}
	c.get(corner).has(t, "5 of 6 done")
	if _, err := w.deliveries.SendTest(t.Context(), operator, webhooks.TenantOf(org.ID), app.ID); err != nil {
		t.Fatal(err)
	}
	w.dispatch(t)
	pgtest.WaitFor(t, "the sixth step", func() bool {
		return strings.Contains(c.get(corner).text(), "6 of 6 done")
	})
}

func (w *world) createIntent(t *testing.T, app accounts.NewApplication) domain.IntentID {
	t.Helper()
	var namespace [16]byte
	err := w.db.OwnerPool(t).QueryRow(t.Context(), `SELECT namespace FROM applications WHERE uuid = $1`,
		[16]byte(app.ID)).Scan(&namespace)
	if err != nil {
		t.Fatal(err)
	}
	i, _, err := w.ledger.Create(t.Context(), domain.Create{Terms: domain.Terms{
		Application: app.ID, MerchantReference: domain.MerchantReference(uuid.NewString()),
		Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, Description: "طلب",
	}}, namespace, ledger.Origin{Actor: "application:test"})
	if err != nil {
		t.Fatal(err)
	}
	return i.ID
}

// pay records a successful attempt of the intent.
func (w *world) pay(t *testing.T, id domain.IntentID) {
	t.Helper()
	amount := domain.Money{Minor: 5000, Currency: domain.LYD}
	attempt := domain.NewAttemptID([16]byte(uuid.New()))
	for _, c := range []domain.Command{
		domain.StartAttempt{Attempt: attempt, Acquirer: "sandbox", Method: "wallet"},
		domain.RecordPayment{Attempt: attempt, Amount: amount, ProviderReference: "1"},
	} {
		if _, err := w.ledger.Execute(t.Context(), id, c, ledger.Origin{Actor: "payer"}); err != nil {
			t.Fatal(err)
		}
	}
}

// catchUp projects the log from a position on, as the feed would, and returns the new position.
func (w *world) catchUp(t *testing.T, after int64) int64 {
	t.Helper()
	all, err := w.store.ReadRange(t.Context(), after, 1<<20, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	err = pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
		return projections.DashboardGroup().Handle(t.Context(), tx, all)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all[len(all)-1].Position
}

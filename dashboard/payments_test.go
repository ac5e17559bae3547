package dashboard_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/ledger"
	"daftar/projections"
)

// sale records a new payment of one of our applications, by commands of the application and the
// payer.
func (w *world) sale(
	t *testing.T, b business, app int, change func(*domain.Create), commands ...domain.Command,
) domain.Intent {
	t.Helper()
	credential, err := w.accounts.Authenticate(t.Context(), b.values[app], b.apps[app].APIKey, true, "")
	if err != nil {
		t.Fatal(err)
	}
	c := domain.Create{Terms: domain.Terms{
		Application: b.apps[app].ID, MerchantReference: domain.MerchantReference("order-" + uuid.NewString()),
		Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, Description: "قهوة",
	}}
	if change != nil {
		change(&c)
	}
	row, _, err := w.ledger.Create(t.Context(), c, credential.Namespace,
		ledger.Origin{Actor: "application:" + c.Application.String()})
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range commands {
		origin := ledger.Origin{Actor: "acquirer:sandbox"}
		if _, begins := command.(domain.StartAttempt); begins {
			origin.Actor = "payer"
		}
		if _, fails := command.(domain.FailAttempt); fails {
			origin = ledger.Origin{Actor: "operator:salem", Note: "asked the <bank>"}
		}
		if _, err := w.ledger.Execute(t.Context(), row.ID, command, origin); err != nil {
			t.Fatal(err)
		}
	}
	i, err := w.ledger.Load(t.Context(), row.ID)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// paid are the commands of a payer who pays with an attempt.
func paid(attempt domain.AttemptID, minor int64) []domain.Command {
	return paidAt("sandbox", attempt, minor)
}

func paidAt(acquirer string, attempt domain.AttemptID, minor int64) []domain.Command {
	return []domain.Command{
		domain.StartAttempt{Attempt: attempt, Acquirer: acquirer, Method: "wallet", Payer: "091•••5678"},
		domain.RecordPayment{Attempt: attempt, Amount: domain.Money{Minor: minor, Currency: domain.LYD},
			ProviderReference: "SBX-" + string(attempt[:4])},
	}
}

// project projects everything that was recorded.
func (w *world) project(t *testing.T) {
	t.Helper()
	w.handle(t, projections.DashboardGroup(), 0)
}

// handle gives a group everything that was recorded after a position, and returns the last position.
func (w *world) handle(t *testing.T, g feed.Group, after int64) int64 {
	t.Helper()
	all, err := eventstore.NewReader(w.pool).ReadRange(t.Context(), after, 10_000, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	last := all[len(all)-1].Position
	all = slices.DeleteFunc(all, func(e eventstore.Recorded) bool { return !g.Only(e.Type) })
	err = pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error { return g.Handle(t.Context(), tx, all) })
	if err != nil {
		t.Fatal(err)
	}
	return last
}

// happen records events directly, without the domain's decision.
func (w *world) happen(t *testing.T, id domain.IntentID, events ...domain.Event) {
	t.Helper()
	i, err := w.ledger.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	a := eventstore.Append{Stream: uuid.UUID(id), Expected: i.Version}
	for _, e := range events {
		i = domain.Evolve(i, e)
		stored, err := domain.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		a.Events = append(a.Events, eventstore.Event(stored))
	}
	a.Row = projections.IntentOf(i)
	if _, err := w.store.Append(t.Context(), a); err != nil {
		t.Fatal(err)
	}
}

const (
	attemptA = domain.AttemptID("AAAA3M9X2Q7T5W8Z1B4C6D0E2F")
	attemptB = domain.AttemptID("BBBB4P1R8V5Y2A9C6E3G0H7J4K")
)

func TestPaymentsAreListedFilteredAndFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	customer := "customer 7"
	coffee := w.sale(t, w.ours, 0, func(c *domain.Create) {
		c.Amount.Minor, c.Description, c.CustomerID = 1_234_500, "<b>coffee</b>", &customer
	}, paid(attemptA, 1_234_500)...)
	tea := w.sale(t, w.ours, 1, func(c *domain.Create) { c.Description = "tea" })
	theirs := w.sale(t, w.other, 0, func(c *domain.Create) { c.Description = "secret of others" })
	w.project(t)
	c := w.viewer(t)
	list := w.ours.path("payments")

	all := c.get(list+"?lang=en").is(t, http.StatusOK)
	all.has(t, "<b>coffee</b>", "tea", "1,234.500", "1 paid", "1 awaiting payment",
		string(coffee.MerchantReference))
	all.lacks(t, "secret of others", "/pay/", "<b>coffee</b>")
	if strings.Index(all.body, ">tea<") > strings.Index(all.body, "coffee") {
		t.Error("the newest payment is not the first")
	}
	for query, want := range map[string]string{
		"status=succeeded":                          "coffee",
		"status=requires_payment_method":            "tea",
		"min=1%2C234.5":                             "coffee",
		"min=١٢٣٤٫٥٠٠&max=1234.5":                   "coffee",
		"max=1234.499":                              "tea",
		"application=" + w.ours.apps[1].ID.String(): "tea",
	} {
		page := c.get(list+"?lang=en&"+query).is(t, http.StatusOK)
		other := map[string]string{"coffee": ">tea<", "tea": "coffee"}[want]
		if strings.Contains(page.body, other) || !strings.Contains(page.body, want) {
			t.Errorf("%s: want %s alone:\n%s", query, want, page.text())
		}
	}
	c.get(list+"?lang=en&status=late").is(t, http.StatusOK).has(t, "No payment fits these conditions.")
	for query, sentence := range map[string]string{
		"min=-5":                        "Enter an amount",
		"min=1.2345":                    "Enter an amount",
		"min=1e3":                       "Enter an amount",
		"min=12,34":                     "Enter an amount",
		"min=5&max=4":                   "The highest amount is below the lowest.",
		"from=2026-13-01":               "Enter a day",
		"from=2026-11-02&to=2026-11-01": "The last day is before the first.",
		"status=lost":                   "Choose a status",
		"application=" + w.other.apps[0].ID.String(): "Choose an application",
	} {
		c.get(list+"?lang=en&"+query).is(t, http.StatusUnprocessableEntity).has(t, sentence)
	}
	c.get(list+"?at=nonsense").is(t, http.StatusNotFound)

	for text, by := range map[string]string{
		coffee.ID.String(): "uuid", strings.ToLower(coffee.Reference.Capitals()): "reference",
		coffee.Reference.Capitals():      "reference",
		string(coffee.MerchantReference): "merchant reference", "customer+7": "customer",
	} {
		c.get(list+"?lang=en&q="+text).is(t, http.StatusOK).has(t, "Matched: "+by, "1,234.500")
	}
	c.get(list+"?lang=en&q="+theirs.ID.String()).is(t, http.StatusOK).has(t, "No payment was found").
		lacks(t, "secret of others")
	c.get(list+"?lang=en&q="+tea.ID.String()).is(t, http.StatusOK).lacks(t, "coffee")
}

func TestPagesOfPaymentsLeadToEachOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for n := range 53 {
		w.sale(t, w.ours, 0, func(c *domain.Create) { c.Description = fmt.Sprintf("payment %02d", n) })
	}
	w.project(t)
	c := w.viewer(t)
	first := c.get(w.ours.path("payments")+"?lang=en&min=1").is(t, http.StatusOK).
		has(t, "payment 52", "payment 03").lacks(t, "payment 02", "Newer")
	second := c.get(first.link(t, "Older")).is(t, http.StatusOK).has(t, "payment 02", "payment 00").
		lacks(t, "payment 03")
	c.get(second.link(t, "Newer")).is(t, http.StatusOK).has(t, "payment 52", "payment 03").lacks(t, "payment 02")
	if !strings.Contains(first.link(t, "Older"), "min=1") {
		t.Error("the next page forgets the filter")
	}
}

func TestOnePaymentTellsItsHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.sale(t, w.ours, 0, func(c *domain.Create) {
		c.Metadata = domain.Metadata{{Key: "cart", Value: "<i>c-1</i>"}}
	}, append([]domain.Command{
		domain.StartAttempt{Attempt: attemptA, Acquirer: "sandbox", Method: "card"},
		domain.FailAttempt{Attempt: attemptA, Reason: "insufficient_funds"},
	}, paid(attemptB, 5000)...)...)
	w.project(t)
	path := w.ours.path("payments/"+i.ID.String()) + "?lang=en"
	page := w.owner(t).get(path).is(t, http.StatusOK)
	page.has(t, "5.000", "<i>c-1</i>", "By Application ours first", "Customer began an attempt Processing",
		"By Customer", "The balance is too low.", "By Operator salem", "asked the <bank>",
		"Acquirer Sandbox", "SBX-BBBB", "091•••5678", "Event 5", "UTC")
	page.lacks(t, "<i>c-1</i>")
	if want := "/pay/" + i.ID.String() + "/"; !strings.Contains(page.body, want) {
		t.Errorf("the owner's page does not lead to %s", want)
	}
	viewers := w.viewer(t).get(path).is(t, http.StatusOK)
	if strings.Contains(viewers.body, string(i.CheckoutToken)) {
		t.Error("the viewer sees the token of the checkout")
	}
	w.owner(t).get(w.other.path("payments/"+i.ID.String())).is(t, http.StatusNotFound)
	stranger := w.as(t, w.other.email(accounts.RoleOwner))
	stranger.get(path).is(t, http.StatusNotFound)
	stranger.get(w.other.path("payments/"+i.ID.String())).is(t, http.StatusNotFound)
	stranger.get(w.other.path("payments/nonsense")).is(t, http.StatusNotFound)
}

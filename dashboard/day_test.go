package dashboard_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/ledger"
	"daftar/payments/settlements"
	"daftar/projections"
)

// Finance closes a day once, with the cash counted: it stays as it was closed, and says who did it. What is
// given back later shows as a change.
func TestADayIsClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	of := func(minor int64) func(*domain.Create) {
		return func(c *domain.Create) { c.Amount.Minor = minor }
	}
	first := w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	w.sale(t, w.ours, 1, of(2000), paid(attemptB, 2000)...)
	w.sale(t, w.ours, 0, nil, domain.StartAttempt{Attempt: "c", Acquirer: "sandbox", Method: "wallet"})
	w.sale(t, w.other, 0, of(9000), paid(attemptA, 9000)...)
	reached := w.handle(t, projections.DashboardGroup(), 0)
	c, today := w.finance(t), domain.DayOf(w.now())
	day := w.ours.path("day?lang=en&day=" + today.String())

	c.get(w.ours.path("books?lang=en")).has(t, "Closing the day")
	c.get(w.ours.path("day?lang=en")).is(t, http.StatusOK).has(t, "Phone wallet27.000", "Payments: 1",
		"The day is not over", "What should be in the till", "Open").lacks(t, "9.000", "Closed", "Changed since")
	w.viewer(t).get(day).is(t, http.StatusOK).has(t, "7.000").lacks(t, "Close the day")
	for says, cash := range map[string][2]string{
		"Enter both amounts":  {"10", ""},
		"Enter an amount":     {"ten", "9.800"},
		"an amount":           {"10", "-9"},
		"or leave both empty": {"", "9.800"},
		"amount in":           {"10", "9999999999999999999"},
	} {
		page := c.post(day, "expected", cash[0], "counted", cash[1]).is(t, http.StatusUnprocessableEntity).
			has(t, says)
		if form := page.form(t, w.ours.path("day")); form.Get("expected") != cash[0] ||
			form.Get("counted") != cash[1] {
			t.Errorf("%q was typed, and %v is kept", cash, form)
		}
	}
	for _, wrong := range []string{today.Add(1).String(), "2026-13-01"} {
		page := w.ours.path("day?lang=en&day=" + wrong)
		c.get(page).is(t, http.StatusUnprocessableEntity).has(t, "The last 14 days").lacks(t, "Close the day")
		c.post(page).is(t, http.StatusUnprocessableEntity)
	}

	c.follow(c.post(day, "expected", "10", "counted", "٩.٨")).is(t, http.StatusOK).has(t,
		"The day is closed.", "Should be in the till10.000", "Counted9.800", "−0.200", "short",
		w.ours.email(accounts.RoleFinance), "7.000").lacks(t, "Close the day", "Changed since")
	c.get(w.ours.path("day?lang=en")).has(t, "Closed")
	c.get(w.ours.path("day?lang=en&day="+today.Add(-1).String())).has(t, "Nothing was taken", "Close the day")
	c.post(day).is(t, http.StatusUnprocessableEntity).has(t, "This day was closed before.", "9.800")
	w.viewer(t).post(day).is(t, http.StatusForbidden)

	_, err := w.ledger.Execute(t.Context(), first.ID, domain.RecordRefund{
		Refund: domain.RefundID(uuid.New()), Attempt: attemptA,
		Amount: domain.Money{Minor: 1500, Currency: domain.LYD},
	}, ledger.Origin{Actor: "operator:test"})
	if err != nil {
		t.Fatal(err)
	}
	w.sale(t, w.ours, 0, of(3000), paidAt("bank", attemptA, 3000)...)
	w.handle(t, projections.DashboardGroup(), reached)
	c.get(day).is(t, http.StatusOK).has(t, "Changed since", "Given back to customers0.000", "1.500", "3.000",
		"Total7.000")

	records := w.trail(t, w.ours, settlements.ActionDay)
	if len(records) != 2 || records[0].Outcome != accounts.Failed || records[1].Outcome != accounts.Done ||
		records[1].Detail["day"] != today.String() || records[1].Detail["difference"] != "-0.200 LYD" {
		t.Errorf("the trail has %+v", records)
	}
	// A day on which no cash was counted is closed without it.
	before := w.ours.path("day?lang=en&day=" + today.Add(-1).String())
	c.follow(c.post(before)).has(t, "The day is closed.", "No cash was counted.", "Closed by", "Next day")
}

package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"daftar/accounts"
	"daftar/domain"
)

// link is the address of the link with a text.
func (a answer) link(t *testing.T, text string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Data != "a" {
			continue
		}
		said := ""
		for child := range n.Descendants() {
			if child.Type == html.TextNode {
				said += child.Data
			}
		}
		if strings.TrimSpace(said) == text {
			return attribute(n, "href")
		}
	}
	t.Fatalf("the page has no link %q:\n%s", text, a.text())
	return ""
}

// late is a payment that was paid after it was canceled, and then paid again.
func (w *world) late(t *testing.T, b business) domain.Intent {
	t.Helper()
	i := w.sale(t, b, 0, func(c *domain.Create) {
		end := w.ledger.Now().Add(domain.MinExpiry + time.Second)
		c.ExpiresAt = &end
	}, domain.StartAttempt{Attempt: attemptA, Acquirer: "sandbox", Method: "wallet", Payer: "091•••5678"},
		domain.FailAttempt{Attempt: attemptA, Reason: "timed_out"})
	w.happen(t, i.ID,
		domain.Expired{At: i.ExpiresAt},
		domain.LateSucceeded{At: i.ExpiresAt.Add(time.Minute), Attempt: attemptA, Amount: i.Amount,
			ProviderReference: "SBX-LATE"},
		domain.DuplicatePayment{At: i.ExpiresAt.Add(2 * time.Minute), Attempt: attemptA, Amount: i.Amount,
			ProviderReference: "SBX-TWICE"},
	)
	return i
}

func TestLateAndDoubleMoneyIsDecidedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.late(t, w.ours)
	theirs := w.late(t, w.other)
	w.project(t)
	owner, list := w.owner(t), w.ours.path("decisions")
	page := owner.get(list+"?lang=en").is(t, http.StatusOK).has(t, "Paid late", "Duplicate payment", "SBX-LATE",
		"SBX-TWICE", "091•••5678", "Needs a decision 2")
	page.lacks(t, theirs.Reference.Capitals())
	owner.get(w.ours.path("payments?lang=en&status=late")).is(t, http.StatusOK).has(t, i.Reference.Capitals(),
		"Paid late", "Paid twice")

	to := w.ours.path("decisions/" + i.ID.String() + "/5")
	whole := func(more ...string) []string {
		return append([]string{"kind", "refunded", "note", "given <back>"}, more...)
	}
	for name, c := range map[string]*client{"viewer": w.viewer(t), "support": w.support(t)} {
		c.post(to, whole()...).is(t, http.StatusForbidden)
		c.get(list+"?lang=en").is(t, http.StatusOK).has(t, "An owner, finance or a developer").
			lacks(t, `name="kind"`)
		records := w.trail(t, w.ours, accounts.ActionAccess)
		if len(records) == 0 || records[0].Actor != w.ours.people[accounts.Role(name)].Email {
			t.Errorf("%s: the refusal is not in the trail: %+v", name, records)
		}
	}
	for says, fields := range map[string][]string{
		"Choose what was decided.": {"note", "x"},
		"Write a note.":            {"kind", "other", "note", "  "},
		"longer than 1000":         {"kind", "other", "note", strings.Repeat("a", 1001)},
		"more than 100":            whole("reference", strings.Repeat("1", 101)),
		"more than one line":       whole("reference", "1\n2"),
		"more than 200":            whole("informed", strings.Repeat("ب", 201)),
	} {
		owner.post(to+"?lang=en", fields...).is(t, http.StatusUnprocessableEntity).has(t, says)
	}
	// All at once, with what was typed.
	kept := owner.post(to+"?lang=en", "kind", "delivered", "note", "", "reference", "R\x01", "informed", "Ali").
		is(t, http.StatusUnprocessableEntity).has(t, "Write a note.", "more than one line").form(t, "/5")
	if kept.Get("kind") != "delivered" || kept.Get("informed") != "Ali" {
		t.Errorf("the form forgot what was typed: %v", kept)
	}
	w.as(t, w.other.email(accounts.RoleOwner)).post(w.other.path("decisions/"+i.ID.String()+"/5"), whole()...).
		is(t, http.StatusNotFound)
	owner.post(w.ours.path("decisions/"+i.ID.String()+"/1"), whole()...).is(t, http.StatusNotFound)
	if records := w.trail(t, w.ours, "payment.decide"); len(records) != 0 {
		t.Fatalf("refused decisions are recorded: %+v", records)
	}

	finance := w.finance(t)
	finance.follow(finance.post(to+"?lang=en",
		whole("reference", "TR-77", "informed", "Ali, on the phone")...)).is(t, http.StatusOK).
		has(t, "Decision saved", "Given back", "TR-77", "given <back>", "Ali, on the phone",
			w.ours.email(accounts.RoleFinance), "Needs a decision 1").lacks(t, "given <back>")
	owner.follow(owner.post(to+"?lang=en", "kind", "other", "note", "too late")).has(t, "Someone had decided").
		lacks(t, "too late")
	records := w.trail(t, w.ours, "payment.decide")
	want := map[string]any{"version": 5.0, "kind": "refunded", "reference": "TR-77", "note": "given <back>",
		"informed": "Ali, on the phone"}
	if len(records) != 1 || records[0].SubjectID != [16]byte(i.ID) || cmp.Diff(want, records[0].Detail) != "" {
		t.Errorf("the trail has %+v", records)
	}
	w.support(t).get(w.ours.path("payments/"+i.ID.String())+"?lang=en").is(t, http.StatusOK).
		has(t, "What was decided", "Given back", "TR-77", "Ali, on the phone")
}

func TestMoneyIsAddedUpByDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	w.sale(t, w.ours, 1, nil, paid(attemptB, 5000)...)
	w.sale(t, w.other, 0, func(c *domain.Create) { c.Amount.Minor = 777_000 }, paid(attemptA, 777_000)...)
	w.sale(t, w.ours, 0, nil, domain.StartAttempt{Attempt: "c1", Acquirer: "sandbox", Method: "wallet"},
		domain.FailAttempt{Attempt: "c1", Reason: "insufficient_funds"})
	w.project(t)
	c := w.viewer(t)
	page := c.get(w.ours.path("money")+"?lang=en").is(t, http.StatusOK).has(t, "Total10.000", "Payments2").
		lacks(t, "777.000")
	if !strings.Contains(page.body, `<svg role="group"`) || strings.Count(page.body, `class="slot"`) != 30 {
		t.Errorf("the chart does not have 30 days:\n%s", page.body)
	}
	one := "application=" + w.ours.apps[1].ID.String()
	c.get(w.ours.path("money")+"?lang=en&span=7&"+one).is(t, http.StatusOK).has(t, "Total5.000")
	today := w.now().In(time.FixedZone("", 2*60*60))
	day := today.Format(time.DateOnly)
	c.get(w.ours.path("money")+"?lang=en&from="+day+"&to="+day).is(t, http.StatusOK).has(t, "Total10.000")
	// Columns without figures are left out, and the figures are compared with those of the days before.
	compared := c.get(w.ours.path("money")+"?lang=en&from="+day+"&to="+day).
		has(t, "Nothing in the period before", "Success by method", "Phone wallet", "66%",
			"The balance is too low. 1")
	compared.lacks(t, "Duplicate payments", "Paid late (included)", "Given back", "Canceled unpaid")
	_, err := w.db.OwnerPool(t).Exec(t.Context(), `
		INSERT INTO turnover (application_uuid, day, currency, succeeded_count, succeeded_sum,
		    late_count, late_sum, canceled_count, canceled_sum, duplicate_count, duplicate_sum)
		VALUES ($1, $2::date - 1, 'LYD', 4, 20000, 0, 0, 1, 1000, 0, 0)`, w.ours.apps[0].ID, day)
	if err != nil {
		t.Fatal(err)
	}
	c.get(w.ours.path("money")+"?lang=en&from="+day+"&to="+day).
		has(t, "Total10.000\u00a0LYD−50%", "Period before: 20.000", "Payments2−50%").lacks(t, "Canceled unpaid")
	c.get(w.ours.path("money")+"?lang=en&from=2020-01-01&to=2020-01-02").is(t, http.StatusOK).
		has(t, "No payments in these days.")
	for query, sentence := range map[string]string{
		"from=2020-01-01&to=2021-01-01":              "Choose 366 days at most.",
		"from=2020-01-02&to=2020-01-01":              "The last day is before the first.",
		"from=x&to=" + day:                           "Enter a day",
		"application=" + w.other.apps[0].ID.String(): "Choose an application",
	} {
		c.get(w.ours.path("money")+"?lang=en&"+query).is(t, http.StatusUnprocessableEntity).has(t, sentence)
	}
	file := c.get(w.ours.path("money.csv?"+one)).is(t, http.StatusOK).lacks(t, "777.000")
	app := w.ours.apps[1]
	want := day + "," + app.ID.String() + "," + app.Name + ",LYD,1,5.000,0,0.000"
	if !strings.Contains(file.body, want) {
		t.Errorf("the file lacks %q:\n%s", want, file.body)
	}
	if records := w.trail(t, w.ours, "turnover.export"); len(records) != 1 {
		t.Errorf("the trail has %+v", records)
	}
}

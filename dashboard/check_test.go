package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/checkout"
	"daftar/domain"
	"daftar/ledger"
)

// checkingReceipt is about a new receipt each time.
func checkingReceipt(r *asking) request {
	return r.below("/check", "reference", r.paidIntent().Reference.Capitals(), "form", uuid.NewString())
}

// check checks a receipt as a member would, and returns the page.
func (c *client) check(t *testing.T, b business, printed string) answer {
	t.Helper()
	form := c.get(b.path("check?lang=en")).is(t, http.StatusOK).form(t, "/check")
	form.Set("reference", printed)
	return c.send(http.MethodPost, b.path("check?lang=en"), form).is(t, http.StatusOK)
}

// verdict checks the verdict of a page, and its colour.
func verdict(t *testing.T, page answer, want, colour string) answer {
	t.Helper()
	section := `<section class="verdict ` + colour + `" tabindex="-1" data-verdict="` + want + `"`
	if !strings.Contains(page.body, section) {
		t.Errorf("the verdict is not %s in %s:\n%s", want, colour, page.text())
	}
	return page
}

func (w *world) paidSale(t *testing.T, b business) domain.Intent {
	t.Helper()
	i := w.sale(t, b, 0, nil, paid(domain.NewAttemptID(uuid.New()), 5000)...)
	w.project(t)
	return i
}

func TestAReceiptIsGoodOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.support(t)
	typed := w.paidSale(t, w.ours)
	// As a person types it: small letters, groups, letters that look like digits, Arabic digits.
	as := strings.NewReplacer("0", "O", "1", "l", "7", "٧").Replace(string(typed.Reference))
	page := c.check(t, w.ours, " "+as[:5]+" - "+as[5:])
	verdict(t, page, "good", "good").has(t, "Paid", "5.000", "1 minute ago")
	if !strings.Contains(page.body, `data-say="Paid: Five dinars"`) {
		t.Error("the amount is not spoken")
	}
	w.wait(3 * time.Minute)
	for _, by := range []*client{c, w.owner(t)} {
		verdict(t, by.check(t, w.ours, typed.Reference.Capitals()), "before", "wait").
			has(t, "Checked 3 minutes ago by", w.ours.email(accounts.RoleSupport))
	}

	// The address in the code of a receipt, on paper or elsewhere.
	for _, before := range []string{"http://pay.example", "https://evil.example/x"} {
		scanned := w.paidSale(t, w.ours)
		verdict(t, c.check(t, w.ours, before+checkout.ReceiptPath(scanned)), "good", "good")
		verdict(t, c.check(t, w.ours, before+checkout.ReceiptPath(scanned)+"?lang=en"), "before", "wait")
	}
}

// A form that is sent again, by a double tap or a lost answer, is the same check; of two tills, one
// gets the receipt.
func TestAReceiptIsCheckedByOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, i := w.viewer(t), w.paidSale(t, w.ours)
	form := c.get(w.ours.path("check")).form(t, "/check")
	form.Set("reference", string(i.Reference))
	for range 3 {
		verdict(t, c.send(http.MethodPost, w.ours.path("check"), form), "good", "good")
	}
	other := w.owner(t)
	verdict(t, other.send(http.MethodPost, w.ours.path("check"), form), "before", "wait")

	i = w.paidSale(t, w.ours)
	tills := make([]answer, 8)
	var all sync.WaitGroup
	for n := range tills {
		all.Go(func() {
			tills[n] = c.post(w.ours.path("check"), "form", uuid.NewString(), "reference", string(i.Reference))
		})
	}
	all.Wait()
	good := 0
	for _, page := range tills {
		if strings.Contains(page.body, `data-verdict="good"`) {
			good++
		} else {
			verdict(t, page, "before", "wait")
		}
	}
	if good != 1 {
		t.Errorf("%d of %d tills got the receipt", good, len(tills))
	}
}

func TestReceiptsThatAreNoGood(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.finance(t)
	capitals := func(i domain.Intent) string { return i.Reference.Capitals() }

	theirs := w.paidSale(t, w.other)
	for _, printed := range []string{
		"7K3QX0M2TD", "7K3Q", "order-1", strings.Repeat("7", 400), "' OR true --", "\x00777777777",
		capitals(theirs), "http://pay.example" + checkout.ReceiptPath(theirs), "/receipt/" + uuid.NewString(),
		"/receipt/{0b7e6c1e-9a52-5d0f-8a3e-1f2e3d4c5}/x",
	} {
		verdict(t, c.check(t, w.ours, printed), "unknown", "bad").
			lacks(t, "5.000")
	}

	open := w.sale(t, w.ours, 0, nil)
	attempt := domain.NewAttemptID(uuid.New())
	processing := w.sale(t, w.ours, 0, nil, paid(attempt, 5000)[:1]...)
	w.project(t)
	verdict(t, c.check(t, w.ours, capitals(open)), "unpaid", "bad").has(t, "No money came in").lacks(t, "5.000")
	verdict(t, c.check(t, w.ours, capitals(processing)), "unpaid", "bad").has(t, "not confirmed")
	for _, command := range paid(attempt, 5000)[1:] {
		_, err := w.ledger.Execute(t.Context(), processing.ID, command, ledger.Origin{Actor: "acquirer:sandbox"})
		if err != nil {
			t.Fatal(err)
		}
	}
	verdict(t, c.check(t, w.ours, capitals(processing)), "good", "good") // nothing of the project is needed

	old := w.paidSale(t, w.ours)
	back := w.sale(t, w.ours, 0, nil, append(paid(attempt+"x", 5000), domain.RecordRefund{
		Refund: domain.RefundID(uuid.New()), Attempt: attempt + "x", Evidence: domain.EvidencePerson,
		Amount: domain.Money{Minor: 1_500, Currency: domain.LYD},
	})...)
	tests := w.paidSale(t, w.inMode(t, w.ours, domain.ModeTest))
	verdict(t, c.check(t, w.ours, capitals(back)), "refunded", "bad").has(t, "Given back:", "1.500")
	for _, path := range []string{"check", "test/check"} {
		page := c.post(w.ours.path(path), "form", uuid.NewString(), "reference", capitals(tests))
		verdict(t, page, "test", "bad")
	}
	w.wait(16 * time.Minute)
	verdict(t, c.check(t, w.ours, capitals(old)), "old", "wait").has(t, "16 minutes ago")
	w.wait(48 * time.Hour)
	verdict(t, c.check(t, w.ours, capitals(old)), "before", "wait").has(t, "2 days ago")
	c.post(w.ours.path("check?lang=en"), "reference", " ").is(t, http.StatusUnprocessableEntity).
		has(t, "Enter the reference of the receipt.")
}

// The camera is allowed on the page that scans, and on no other.
func TestTheCameraIsOfTheTill(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.viewer(t)
	for path, want := range map[string]bool{"check": true, "payments": false, "overview": false} {
		policy := c.get(w.ours.path(path)).is(t, http.StatusOK).header.Get("Permissions-Policy")
		if strings.Contains(policy, "camera=(self)") != want || !strings.Contains(policy, "microphone=()") {
			t.Errorf("%s: %s", path, policy)
		}
	}
	// A link of another site keeps no check.
	i := w.paidSale(t, w.ours)
	c.get(w.ours.path("check?" + url.Values{"reference": {string(i.Reference)}}.Encode()))
	verdict(t, c.check(t, w.ours, string(i.Reference)), "good", "good")
}

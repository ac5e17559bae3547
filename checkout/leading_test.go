package checkout_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"daftar/checkout"
	"daftar/domain"
	"daftar/internal/web"
	"daftar/payments/acquirer/sandbox"
)

// Choosing a card leads to the bank's page at once, and the policy of the pay page allows its form
// to lead only there. A payer who comes back sees the page in between.
func TestOneTapToTheBank(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	bank, own := s.bankURL, s.fakes["plutu"].URL
	for method, leads := range map[string]string{
		"card": bank + "/bank/", "cards": own + "/pay/", "tlync": own + "/pay/",
	} {
		i := s.create()
		page := s.want(s.visit(path(i)+"?lang=en"), 200, "pay")
		s.formsLead(page, own, bank)
		form := url.Values{"method": {method}, "phone": {"0912345678"}}
		answer := s.post(page.action(t), form)
		where := answer.header.Get("Location")
		if answer.status != http.StatusSeeOther || !strings.HasPrefix(where, leads) {
			t.Fatalf("%s: the form is answered with %d %q, want %s", method, answer.status, where, leads)
		}
		s.wantStage(s.lastAttempt(i.ID), "bank")
		between := s.want(s.visit(path(i)), 200, "processing")
		if link := between.document.with(t, "a", "class", "btn").attr("href"); link != where {
			t.Errorf("%s: the page in between links to %q, the form led to %q", method, link, where)
		}
		s.formsLead(between)
		again := s.post(page.action(t), form)
		where = again.header.Get("Location")
		if again.status != http.StatusSeeOther || where != path(i)+"?lang=en" {
			t.Errorf("%s: the form sent again is answered with %d %q", method, again.status, where)
		}
		s.wantHistory(i.ID, "created", "attempt_started")
	}
	wrong := s.want(s.post(path(s.create())+"/attempts", url.Values{"method": {"tlync"}}), 422, "pay")
	s.formsLead(wrong, own, bank)
}

// formsLead wants the policy of a page to allow forms to lead to the service and these origins.
func (w *world) formsLead(page shown, origins ...string) {
	w.t.Helper()
	want := "; " + strings.Join(append([]string{"form-action 'self'"}, origins...), " ") + "; "
	if got := page.header.Get("Content-Security-Policy"); !strings.Contains(got, want) {
		w.t.Errorf("the policy is %q, want %q in it", got, want)
	}
}

// The policy allows forms to lead only to the acquirers of methods that are offered.
func TestFormsStayWithUs(t *testing.T) {
	t.Parallel()
	s := newShop(t, "moamalat", "plutu")
	s.offer("plutu", "adfali", "sadad")
	i := s.create()
	s.formsLead(s.visit(path(i)), s.bankURL) // the sandbox's card
	s.formsLead(s.atCode(i, "0912345678"))
	s.formsLead(s.visit("/pay/x/y"))
}

// An acquirer's page on an unknown server is shown as a link: its address came from the acquirer, and
// browsers would block a redirect there, or it would be an open redirect.
func TestAPageOfAnotherServerIsALink(t *testing.T) {
	t.Parallel()
	var known *httptest.Server // the same bank, under an address that its pages do not have
	w := newWorld(t, func(w *world) {
		known = httptest.NewServer(w.bank.Handler())
		adapter, err := sandbox.New(sandbox.Config{URL: known.URL, Secret: bankSecret, Now: w.bankTime})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(known.Close)
		t.Cleanup(adapter.Close)
		w.acquirer = &faultyAcquirer{Acquirer: adapter}
	})
	i := w.create()
	page := w.want(w.visit(path(i)), 200, "pay")
	w.formsLead(page, known.URL)
	answer := w.post(page.action(t), card())
	if where := answer.header.Get("Location"); answer.status != http.StatusSeeOther || where != path(i) {
		t.Fatalf("the form is answered with %d %q", answer.status, where)
	}
	between := w.want(w.follow(answer), 200, "processing")
	link := between.document.with(t, "a", "class", "btn").attr("href")
	if !strings.HasPrefix(link, w.bankURL+"/bank/") {
		t.Errorf("the page links to %q", link)
	}
	if log := w.log.String(); !strings.Contains(log, `"origin":"`+w.bankURL+`"`) {
		t.Errorf("the log does not name the server:\n%s", log)
	}
}

// There is no redirect to the acquirer before its answer is recorded, nor where the outcome is
// unknown.
func TestAnUnknownBeginningLeadsNowhere(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	s.fault("localbankcards/confirm", "html_after")
	answer := s.post(path(i)+"/attempts", url.Values{"method": {"cards"}})
	if where := answer.header.Get("Location"); answer.status != http.StatusSeeOther || where != path(i) {
		t.Errorf("the form is answered with %d %q", answer.status, where)
	}
	if got := s.load(i.ID); got.Status != domain.StatusProcessing {
		t.Errorf("the intent is %s", got.Status)
	}
}

// Only the page with an acquirer's form may frame other hosts, keep their windows open and let them
// use the payment API; only the pay page has a form that leads to another host.
func TestOnePageIsOpenToBanks(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu", "moamalat", "lypay")
	at := func(method string, fields ...string) domain.Intent {
		i := s.create()
		s.chooses(i, method, fields...)
		return i
	}
	paid := s.create()
	s.submit(s.atCode(paid, "0912345678"), code("111111"))
	late := s.create()
	pages := map[string]shown{
		"pay":        s.visit(path(s.create())),
		"corrected":  s.post(path(s.create())+"/attempts", nil),
		"otp":        s.visit(path(at("adfali", "phone", "0912345678"))),
		"processing": s.visit(path(at("cards"))),
		"qr":         s.visit(path(at("lypay"))),
		"receipt":    s.visit(path(paid)),
		"not found":  s.visit("/pay/x/y"),
		"lightbox":   s.visit(path(at("moamalat"))),
		"state":      s.visit(path(at("moamalat")) + "/state"),
		"proof":      s.visit(checkout.ReceiptPath(s.load(paid.ID))),
	}
	s.later(25 * time.Hour)
	pages["expired"] = s.want(s.visit(path(late)), 200, "expired")
	formTo := regexp.MustCompile(`form-action 'self'[^;]*`)
	for name, page := range pages {
		policy := page.header.Get("Content-Security-Policy")
		leads := formTo.FindString(policy) != "form-action 'self'"
		opened := page.header.Get("Cross-Origin-Opener-Policy") != "same-origin" ||
			!strings.Contains(page.header.Get("Permissions-Policy"), "payment=(),")
		strict := formTo.ReplaceAllString(policy, "form-action 'self'") == web.LeadingPolicy(nil)
		embeds := name == "lightbox"
		mayLead := embeds || name == "pay" || name == "corrected"
		if opened != embeds || strict == embeds || leads != mayLead {
			t.Errorf("%s: %d with %v", name, page.status, page.header)
		}
	}
}

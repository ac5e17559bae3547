package lypay_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	common "daftar/payments/acquirer/fake"
	"daftar/payments/acquirer/lypay"
	"daftar/payments/acquirer/lypay/fake"
)

var someday = acquirertest.NewClock().Now()

// wantNoSecret checks that an error has nothing that no log should have.
func wantNoSecret(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	for _, secret := range []string{
		token, webhookKey, iban, "LYP0", "TEST", "12345", "12.345", "LY1", "LY6", "Bearer",
	} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("error repeats %q: %v", secret, err)
		}
	}
}

// After a request of an inquiry that fails the next one is sent. What no answer has is not known.
func TestFaultsOfLaterRequests(t *testing.T) {
	t.Parallel()
	for _, fault := range common.Faults() {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r, made := w.pay(fake.Scan{})
			w.planFault("transfer", string(fault))
			w.wantPaid(r, made[0]) // by the list
			for _, call := range []string{"transfer", "list", "list", "list"} {
				w.planFault(call, string(fault))
			}
			report, err := w.account.Inquire(t.Context(), r)
			if err == nil {
				t.Errorf("Inquire = %+v, want an error", report)
			}
			wantNoSecret(t, err)
		})
	}
}

func TestAMalformedReferenceIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.account.Inquire(t.Context(), acquirer.Ref{Reference: "not/one"})
	if !errors.Is(err, acquirer.ErrNotSent) {
		t.Errorf("%v, want ErrNotSent", err)
	}
}

func TestTheBudgetOfRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t, fake.Dialect{Budget: 3})
	r, made := w.pay(fake.Scan{})
	w.wantPaid(r, made[0])
	for range 2 { // within an inquiry, and at its beginning
		_, err := w.account.Inquire(t.Context(), r)
		if err == nil || errors.Is(err, acquirer.ErrAccount) || errors.Is(err, acquirer.ErrUndecided) {
			t.Errorf("Inquire = %v", err)
		}
	}
	w.clock.Advance(time.Minute)
	w.wantPaid(r, made[0])
}

const byReference = "GET /api/v1/payments/credited-funds-transfers/by-internal-merchant-reference"

func TestAnswersToAnInquiry(t *testing.T) {
	t.Parallel()
	const (
		paid = `"uuid":"u-1","paymentReference":"P1","status":{"name":"completed","code":"03"}`
		to   = `,"creditorAccount":{"schemeName":"iban","identification":"` + iban + `"}`
	)
	ok := func(body string) reply { return reply{http.StatusOK, "", body} }
	data := func(members string) reply { return ok(`{"data":{` + members + `}}`) }
	notFound := func(kind, body string) reply { return reply{http.StatusNotFound, kind, body} }
	for _, tc := range []struct {
		name   string
		answer reply
		want   acquirer.State // "": an error
	}{
		{"404 of a gateway", notFound("text/html", "<h1>404</h1>"), ""},
		{"404 without words", notFound("", "{}"), ""},
		{"404 of the API", notFound("", `{"message":"Not found."}`), acquirer.StateNotFound},
		{
			"404 with the other error", notFound("", `{"error":{"message":"Not found."}}`),
			acquirer.StateNotFound,
		},
		{"no credits", ok(`{"data":[]}`), acquirer.StateNotFound},
		{"no data", ok(`{}`), ""},
		{"null", ok(`{"data":null}`), ""},
		{"empty data", ok(`{"data":{}}`), ""},
		{"data as text", ok(`{"data":"none"}`), ""},
		{"an empty body", ok(``), ""},
		{"no payment reference", data(`"uuid":"u","status":{"name":"completed"}`), ""},
		{"no state", data(`"uuid":"u","paymentReference":"P1"`), ""},
		{"a new word", data(`"paymentReference":"P1","status":{"name":"settling"}`), acquirer.StatePending},
		{"a code alone", data(`"paymentReference":"P1","status":{"code":"03"}`), ""},
		{"a state as text", data(`"paymentReference":"P1","status":"Processing"`), acquirer.StatePending},
		{"complete", data(paid + to + `,"amount":{"amount":"12345","currency":"lyd"}`), acquirer.StatePaid},
		{
			"names in the other spelling",
			data(`"payment_reference":"P1","status":{"name":"completed"},` +
				`"creditor_account":"` + iban + `","creditor_amount":12345`),
			acquirer.StatePaid,
		},
		{
			"labels, one of them right",
			data(paid + to + `,"amount":"12345","billNumber":"other",` +
				`"additionalData":{"referenceLabel":"ABCDEFGHJK"}`),
			acquirer.StatePaid,
		},
		{"labels, none of them right", data(paid + to + `,"amount":"12345","referenceLabel":"other"`), ""},
		{"two amounts", data(paid + to + `,"amount":"12345","creditorAmount":"12346"`), ""},
		{"only what was debited", data(paid + to + `,"debtorAmount":"12345"`), acquirer.StatePaid},
		{"with the payer's fee", data(paid + to + `,"amount":"12345","debtorAmount":"12445"`), acquirer.StatePaid},
		{"a decimal point", data(paid + to + `,"amount":12.345`), ""},
		{"an exponent", data(paid + to + `,"amount":12345e0`), ""},
		{"a sign", data(paid + to + `,"amount":"-12345"`), ""},
		{"no money", data(paid + to + `,"amount":"0"`), ""},
		{"too many digits", data(paid + to + `,"amount":"12345000000000000000000"`), ""},
		{"another currency", data(paid + to + `,"amount":{"amount":"12345","currency":"USD"}`), ""},
		{
			"another account",
			data(paid + `,"creditorAccount":"LY16099001000000000099999","amount":"12345"`), "",
		},
		{"a masked account", data(paid + `,"creditorAccount":"LY68*****12345","amount":"12345"`), ""},
		{
			"a uuid that is a path",
			data(`"uuid":"../x","paymentReference":"P1","timestamp":1,"status":"completed"`), "",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a, s := scripted(t, map[string]reply{byReference: tc.answer})
			report, err := a.Inquire(t.Context(), acquirer.Ref{
				Reference: "abcdefghjk", Method: lypay.Method, Money: dinars(12_345), BegunAt: someday,
			})
			if (err == nil) != (tc.want != "") || report.State != tc.want {
				t.Errorf("Inquire = %+v, %v, want %q", report, err, tc.want)
			}
			if report.State == acquirer.StatePaid &&
				(report.Money != dinars(12_345) || report.ProviderReference != "P1") {
				t.Errorf("paid %v by %s", report.Money, report.ProviderReference)
			}
			wantNoSecret(t, err)
			if slices.ContainsFunc(s.asked, func(a string) bool { return strings.Contains(a, "..") }) {
				t.Errorf("asked %v", s.asked)
			}
		})
	}
}

func TestWhatIsSent(t *testing.T) {
	t.Parallel()
	const row = `{"data":{"uuid":"u-1","paymentReference":"P1","timestamp":1790000000,"rrn":"620",` +
		`"status":{"name":"completed"}}}`
	a, s := scripted(t, map[string]reply{
		byReference: {http.StatusOK, "", row},
		"POST /api/v1/payments/funds-transfers/u-1/refund": {http.StatusOK, "", `{"data":{}}`},
		"GET /api/v1/payments/credited-funds-transfers":    {http.StatusOK, "", `{"data":[]}`},
	})
	r := acquirer.Ref{
		Reference: "abcdefghjk", Money: dinars(12_345), BegunAt: someday,
		Memo: `{"uuid":"u-1","payment_reference":"P1","timestamp":1790000000}`,
	}
	if report, err := a.Inquire(t.Context(), r); err == nil {
		t.Errorf("Inquire = %+v", report)
	}
	if _, err := a.Refund(t.Context(), r, dinars(40_000)); err != nil {
		t.Error(err)
	}
	const list = "GET /api/v1/payments/credited-funds-transfers?filter%5Bdate%5D="
	want := []string{
		byReference + "?internal_merchant_reference=abcdefghjk",
		"GET /api/v1/payments/funds-transfers/u-1?paymentReference=P1&transactionTimestamp=1790000000",
		list + "2026-09-21", list + "2026-09-20", list + "2026-09-22",
		"POST /api/v1/payments/details",
		"POST /api/v1/payments/funds-transfers/u-1/refund",
	}
	if !slices.Equal(s.asked, want) {
		t.Errorf("asked\n%s, want\n%s", strings.Join(s.asked, "\n"), strings.Join(want, "\n"))
	}
	if got := s.bodies[5]; got != `{"rrn":"620","paymentReference":"P1"}` {
		t.Errorf("details were asked with %s", got)
	}
	const refund = `{"paymentReference":"P1","transactionTimestamp":1790000000,"amount":"40000",` +
		`"description":"Refund abcdefghjk"}`
	if got := s.bodies[6]; got != refund {
		t.Errorf("refund was asked with %s", got)
	}
	if s.header.Get("Authorization") != "Bearer "+token || s.header.Get("Content-Type") != "application/json" {
		t.Errorf("headers are %v", s.header)
	}
}

// A debit that includes a fee does not contradict the credit.
func TestTheFeeIsNotCredited(t *testing.T) {
	t.Parallel()
	const row = `"uuid":"u-1","paymentReference":"P1","timestamp":1790000000,"status":"completed"`
	debited := `{"data":{` + row + `,"debtorAmount":"12445"}}`
	credited := `{"data":{` + row + `,"creditorAmount":"12345","creditorAccount":"` + iban + `"}}`
	a, _ := scripted(t, map[string]reply{
		byReference: {http.StatusOK, "", debited},
		"GET /api/v1/payments/funds-transfers/u-1": {http.StatusOK, "", credited},
	})
	report, err := a.Inquire(t.Context(), acquirer.Ref{Reference: "abcdefghjk", Money: dinars(12_345)})
	if err != nil || report.State != acquirer.StatePaid || report.Money != dinars(12_345) {
		t.Errorf("Inquire = %+v, %v", report, err)
	}
}

// A token that lapses within an inquiry ends it: the next requests would be refused too.
func TestTheTokenLapsesMeanwhile(t *testing.T) {
	t.Parallel()
	const row = `{"data":{"uuid":"u-1","paymentReference":"P1","timestamp":1790000000,"status":"completed"}}`
	const unauthenticated = `{"message":"Unauthenticated."}`
	a, s := scripted(t, map[string]reply{
		byReference: {http.StatusOK, "", row},
		"GET /api/v1/payments/funds-transfers/u-1": {http.StatusUnauthorized, "", unauthenticated},
	})
	report, err := a.Inquire(t.Context(), acquirer.Ref{Reference: "abcdefghjk", Money: dinars(12_345)})
	if !errors.Is(err, acquirer.ErrAccount) || len(s.asked) != 2 {
		t.Errorf("Inquire = %+v, %v after %d requests", report, err, len(s.asked))
	}
}

package plutu_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/plutu"
)

// Each request has exactly these fields and headers.
func TestRequests(t *testing.T) {
	t.Parallel()
	type request struct {
		Line, Key, Token, Accept, Type string
		Form                           map[string][]string
	}
	var got request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		got = request{
			r.Method + " " + r.RequestURI, r.Header.Get("X-Api-Key"), r.Header.Get("Authorization"),
			r.Header.Get("Accept"), r.Header.Get("Content-Type"), r.PostForm,
		}
		w.WriteHeader(http.StatusBadGateway)
	}))
	defer server.Close()
	a := openAccount(t, server.URL+"/api/", allSettings)
	want := func(path string, form map[string][]string) {
		t.Helper()
		all := request{
			"POST /api/v1/transaction/" + path, apiKey, "Bearer " + accessToken,
			"application/json", "application/x-www-form-urlencoded", form,
		}
		if diff := cmp.Diff(all, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	begin := func(m acquirer.Method, language string) {
		p := somePayment(m)
		p.Language, p.Money.Minor = language, 1_012_030
		if _, err := a.Begin(t.Context(), p); err == nil {
			t.Error("the HTML of a gateway began a payment")
		}
	}
	const reference = "0123456789abcdefghjkmnpqrs"

	begin(plutu.Adfali, "ar")
	want("edfali/verify", map[string][]string{"mobile_number": {"0912345678"}, "amount": {"1012.03"}})
	begin(plutu.Sadad, "en")
	want("sadadapi/verify", map[string][]string{
		"mobile_number": {"0912345678"}, "birth_year": {"1990"}, "amount": {"1012.03"},
	})
	begin(plutu.Cards, "en")
	want("localbankcards/confirm", map[string][]string{
		"amount": {"1012.03"}, "invoice_no": {reference}, "return_url": {"https://pay.example/back"},
		"lang": {"en"},
	})
	begin(plutu.TLync, "")
	want("tlync/confirm", map[string][]string{
		"mobile_number": {"0912345678"}, "amount": {"1012.03"}, "invoice_no": {reference}, "lang": {"ar"},
		"return_url": {"https://pay.example/back"}, "callback_url": {"https://pay.example/notify"},
	})
	for gateway, m := range map[string]acquirer.Method{"edfali": plutu.Adfali, "sadadapi": plutu.Sadad} {
		if _, err := a.Confirm(t.Context(), acquirertest.RefOf(somePayment(m), "77"), right[m]); err == nil {
			t.Error("the HTML of a gateway confirmed a payment")
		}
		want(gateway+"/confirm", map[string][]string{
			"process_id": {"77"}, "code": {string(right[m])}, "amount": {"12.50"}, "invoice_no": {reference},
		})
	}
}

func TestInvalidPaymentsAreNotSent(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was sent", r.RequestURI)
	}))
	defer server.Close()
	some := openAccount(t, server.URL, allSettings)
	input := func(field acquirer.Field, value string) func(*acquirer.Payment) {
		return func(p *acquirer.Payment) { p.Inputs[field] = value }
	}
	for name, tc := range map[string]struct {
		method acquirer.Method
		change func(*acquirer.Payment)
	}{
		"a method of another provider": {"moamalat", func(*acquirer.Payment) {}},
		"a third decimal":              {plutu.Adfali, func(p *acquirer.Payment) { p.Money.Minor = 12_501 }},
		"no money":                     {plutu.Cards, func(p *acquirer.Payment) { p.Money.Minor = 0 }},
		"a reference with a space":     {plutu.Cards, func(p *acquirer.Payment) { p.Reference = "a b" }},
		"no reference":                 {plutu.TLync, func(p *acquirer.Payment) { p.Reference = "" }},
		"a number of no operator":      {plutu.Adfali, input(acquirer.Phone, "0902345678")},
		"a number of another operator": {plutu.Sadad, input(acquirer.Phone, "0922345678")},
		"no number":                    {plutu.TLync, func(p *acquirer.Payment) { p.Inputs = nil }},
		"a year of two digits":         {plutu.Sadad, input(acquirer.BirthYear, "90")},
		"no address to come back to":   {plutu.Cards, func(p *acquirer.Payment) { p.ReturnURL = "" }},
		"no address for notifications": {plutu.TLync, func(p *acquirer.Payment) { p.NotifyURL = "/notify" }},
	} {
		p := somePayment(tc.method)
		tc.change(&p)
		if got, err := some.Begin(t.Context(), p); !errors.Is(err, acquirer.ErrNotSent) {
			t.Errorf("%s: Begin = %+v, %v, want it not sent", name, got, err)
		}
	}
	for name, r := range map[string]acquirer.Ref{
		"no process id":       acquirertest.RefOf(somePayment(plutu.Sadad), ""),
		"a strange one":       acquirertest.RefOf(somePayment(plutu.Sadad), "7 7"),
		"a page, not a code":  acquirertest.RefOf(somePayment(plutu.Cards), "77"),
		"no such method here": acquirertest.RefOf(somePayment("lypay"), "77"),
	} {
		if got, err := some.Confirm(t.Context(), r, "111111"); !errors.Is(err, acquirer.ErrNotSent) {
			t.Errorf("%s: Confirm = %+v, %v, want it not sent", name, got, err)
		}
	}
}

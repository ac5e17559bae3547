package lypay_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/lypay/fake"
)

func dinars(dirham int64) domain.Money { return domain.Money{Minor: dirham, Currency: domain.LYD} }

func TestRefund(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		dialect fake.Dialect
		forget  func(*acquirer.Ref)
	}{
		"with its memo":      {},
		"without its memo":   {forget: func(r *acquirer.Ref) { r.Memo = "" }},
		"with a broken memo": {forget: func(r *acquirer.Ref) { r.Memo = "{" }},
		"without a number":   {forget: func(r *acquirer.Ref) { r.ProviderReference = "" }},
		"with the memo of another payment": {forget: func(r *acquirer.Ref) {
			r.Memo = `{"uuid":"u","payment_reference":"p","timestamp":1}`
		}},
		"with the time of a list":        {dialect: fake.Dialect{Timestamps: "absent"}},
		"with an empty answer":           {dialect: fake.Dialect{Refunds: "bare"}},
		"with the payment in the answer": {dialect: fake.Dialect{Refunds: "original"}},
		"with amounts as numbers":        {dialect: fake.Dialect{Amounts: "number"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, tc.dialect)
			r := w.paid()
			if tc.forget != nil {
				tc.forget(&r)
			}
			for _, part := range []int64{2_345, 10_000} {
				refunded, err := w.account.Refund(t.Context(), r, dinars(part))
				if err != nil || refunded.Money != dinars(part) {
					t.Fatalf("Refund(%d) = %+v, %v", part, refunded, err)
				}
				if refunded.ProviderReference == r.ProviderReference && r.ProviderReference != "" {
					t.Error("the refund has the number of the payment")
				}
			}
			if b := w.Books(r.Reference); b.Refunded != 12_345 || b.Taken != 1 {
				t.Errorf("books have %+v", b)
			}
			refunded, err := w.account.Refund(t.Context(), r, dinars(1))
			if err == nil || errors.Is(err, acquirer.ErrNotSent) {
				t.Errorf("more than was paid: Refund = %+v, %v", refunded, err)
			}
		})
	}
}

func TestRefundsThatAreNotDone(t *testing.T) {
	t.Parallel()
	noReference := func(r *acquirer.Ref) { r.Reference = "" }
	unknown := func(r *acquirer.Ref) { r.Memo, r.ProviderReference = "", "x" }
	wrongTime := func(r *acquirer.Ref) { r.Memo = strings.Replace(r.Memo, "17", "18", 1) }
	for name, tc := range map[string]struct {
		dialect fake.Dialect
		change  func(*acquirer.Ref)
		amount  domain.Money
		want    error // nil: any error of an unknown outcome
	}{
		"nothing":             {amount: dinars(0), want: acquirer.ErrNotSent},
		"less than nothing":   {amount: dinars(-1), want: acquirer.ErrNotSent},
		"another currency":    {amount: domain.Money{Minor: 1, Currency: "USD"}, want: acquirer.ErrNotSent},
		"no reference":        {amount: dinars(1), want: acquirer.ErrNotSent, change: noReference},
		"a payment not known": {amount: dinars(1), want: acquirer.ErrNotSent, change: unknown},
		"more than paid":      {amount: dinars(12_346)},
		"under way": {
			amount: dinars(1), want: acquirer.ErrUndecided, dialect: fake.Dialect{Refunds: "processing"},
		},
		"failed":               {amount: dinars(1), dialect: fake.Dialect{Refunds: "failed"}},
		"a wrong time":         {amount: dinars(1), change: wrongTime},
		"an unreadable amount": {amount: dinars(1), dialect: fake.Dialect{Amounts: "decimal"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r := w.paid()
			w.fake.SetDialect(tc.dialect)
			if tc.change != nil {
				tc.change(&r)
			}
			refunded, err := w.account.Refund(t.Context(), r, tc.amount)
			if err == nil {
				t.Fatalf("Refund = %+v, want an error", refunded)
			}
			if tc.want != nil && !errors.Is(err, tc.want) {
				t.Errorf("%v, want %v", err, tc.want)
			}
			if tc.want == nil && (errors.Is(err, acquirer.ErrNotSent) || errors.Is(err, acquirer.ErrAccount)) {
				t.Errorf("%v, want an error of an unknown outcome", err)
			}
			wantNoSecret(t, err)
		})
	}
}

func TestTheBankRefusesTheAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.paid()
	if err := w.account.Check(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"message", "error"} {
		w.fake.SetDialect(fake.Dialect{NoToken: true, Errors: form})
		_, inquire := w.account.Inquire(t.Context(), r)
		_, refund := w.account.Refund(t.Context(), r, dinars(1))
		for _, err := range []error{w.account.Check(t.Context(), nil), inquire, refund} {
			if !errors.Is(err, acquirer.ErrAccount) {
				t.Errorf("%v, want ErrAccount", err)
			}
			wantNoSecret(t, err)
		}
	}
}

func TestCheckThatLearnsNothing(t *testing.T) {
	t.Parallel()
	const path = "GET /api/v1/miscs/institutions"
	for name, answer := range map[string]reply{
		"401 of a gateway":  {http.StatusUnauthorized, "text/html", "<h1>401</h1>"},
		"401 without words": {http.StatusUnauthorized, "", "{}"},
		"403":               {http.StatusForbidden, "", `{"message":"Forbidden."}`},
		"429":               {http.StatusTooManyRequests, "", `{"message":"Too Many Attempts."}`},
		"500":               {http.StatusInternalServerError, "", `{"message":"Server Error"}`},
		"an error in a 200": {http.StatusOK, "", `{"error":{"message":"no"}}`},
		"an empty 200":      {http.StatusOK, "", ``},
		"a page":            {http.StatusOK, "text/html", "<h1>welcome</h1>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, _ := scripted(t, map[string]reply{path: answer})
			err := a.Check(t.Context(), nil)
			if err == nil || errors.Is(err, acquirer.ErrAccount) || errors.Is(err, acquirer.ErrNotSent) {
				t.Errorf("Check = %v, want an error from which nothing is learnt", err)
			}
		})
	}
	for _, body := range []string{`{"data":[]}`, `[]`, `{"institutions":[{"name":"X"}]}`} {
		a, _ := scripted(t, map[string]reply{path: {http.StatusOK, "", body}})
		if err := a.Check(t.Context(), nil); err != nil {
			t.Errorf("Check of %s = %v", body, err)
		}
	}
}

package plutu_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/plutu"
	"daftar/payments/acquirer/plutu/fake"
)

var withCodes = map[acquirer.Method]int{plutu.Adfali: 4, plutu.Sadad: 6}

func TestACodeIsSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for m, digits := range withCodes {
		begun, err := w.account.Begin(t.Context(), w.payment(m, "2345678"))
		if err != nil {
			t.Fatal(err)
		}
		sent, _ := begun.(acquirer.CodeSent)
		want := acquirer.CodeSent{SentTo: "091•••5678", Digits: digits, Memo: sent.Memo}
		if diff := cmp.Diff(acquirer.Begun(want), begun); diff != "" || sent.Memo == "" {
			t.Errorf("Begin, memo %q (-want +got):\n%s", sent.Memo, diff)
		}
	}
}

// A malformed code is not sent, because the fifth wrong code would end the payment.
func TestMalformedCodesAreNotSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for m := range withCodes {
		r := w.sendCode(m, "2345678")
		before := w.Requests()
		for _, malformed := range []acquirer.Code{
			"", "1", "22222222", "22a2", "22a222", "١١١١", "٢٢٢", " 1111",
		} {
			if got, err := w.confirm(r, malformed); err != nil || got != acquirer.Confirmed(acquirer.WrongCode{}) {
				t.Errorf("Confirm with %q = %+v, %v, want a wrong code", malformed, got, err)
			}
		}
		if w.Requests() > before {
			t.Errorf("%s: a request was sent", m)
		}
	}
}

// Each of these is an error of an unknown outcome, whether the money was taken or not.
func TestUnknownOutcomesOfAConfirmation(t *testing.T) {
	t.Parallel()
	for m := range withCodes {
		for tail, taken := range map[string]int{
			"0000001": 1, "0000002": 0, "0000003": 1, "0000004": 1, "0000005": 0,
			"0000007": 1, "0000008": 0, "0000010": 1,
		} {
			t.Run(string(m)+" "+tail, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				r := w.sendCode(m, tail)
				got, err := w.confirm(r, right[m])
				wantUnknown(t, "Confirm", got, err)
				w.wantTaken(r.Reference, taken, 12_500)
			})
		}
	}
}

func wantUnknown(t *testing.T, call string, got any, err error) {
	t.Helper()
	if err == nil || errors.Is(err, acquirer.ErrNotSent) || errors.Is(err, acquirer.ErrAccount) {
		t.Errorf("%s = %+v, %v, want an unknown outcome", call, got, err)
	}
}

func TestALateAnswerIsAnAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *fake.Config) { c.SlowFor = time.Millisecond })
	got, err := w.confirm(w.sendCode(plutu.Sadad, "0000019"), "111111")
	if _, paid := got.(acquirer.Paid); err != nil || !paid {
		t.Errorf("Confirm = %+v, %v, want it paid", got, err)
	}
}

func TestAnotherAmountIsReportedAsItIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.sendCode(plutu.Adfali, "0000009")
	got, err := w.confirm(r, "1111")
	paid, ok := got.(acquirer.Paid)
	if err != nil || !ok || paid.Money != (domain.Money{Minor: 12_510, Currency: domain.LYD}) {
		t.Errorf("Confirm = %+v, %v, want 12.510 paid", got, err)
	}
}

func TestRefusedBeginnings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for tail, want := range map[string]map[acquirer.Method]acquirer.Reason{
		"0000011": {
			plutu.Adfali: acquirer.PhoneRefused,
			plutu.Sadad:  acquirer.DetailsRefused,
			plutu.TLync:  acquirer.PhoneRefused,
		},
		"0000012": {plutu.Adfali: acquirer.GenericDecline, plutu.Sadad: acquirer.GenericDecline},
		"0000013": {plutu.Adfali: acquirer.GenericDecline, plutu.TLync: acquirer.GenericDecline},
		"0000014": {plutu.Sadad: acquirer.GenericDecline, plutu.TLync: acquirer.GenericDecline},
		"0000016": {
			plutu.Adfali: acquirer.PhoneRefused,
			plutu.Sadad:  acquirer.PhoneRefused,
			plutu.TLync:  acquirer.PhoneRefused,
		},
	} {
		for m, reason := range want {
			got, err := w.account.Begin(t.Context(), w.payment(m, tail))
			if err != nil || got != acquirer.Begun(acquirer.BeginDeclined{Reason: reason}) {
				t.Errorf("%s %s: Begin = %+v, %v, want %s", m, tail, got, err, reason)
			}
		}
	}
	for _, m := range []acquirer.Method{plutu.Adfali, plutu.Sadad, plutu.TLync} {
		got, err := w.account.Begin(t.Context(), w.payment(m, "0000015"))
		if !errors.Is(err, acquirer.ErrAccount) {
			t.Errorf("%s: Begin = %+v, %v, want the account refused", m, got, err)
		}
		for _, tail := range []string{"0000017", "0000018"} {
			got, err := w.account.Begin(t.Context(), w.payment(m, tail))
			wantUnknown(t, "Begin "+tail, got, err)
		}
	}
}

func TestTheLimitOfTestPayments(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *fake.Config) { c.Limit = 500_000 })
	for _, m := range []acquirer.Method{plutu.Adfali, plutu.Sadad, plutu.Cards, plutu.TLync} {
		p := w.payment(m, "2345678")
		p.Money.Minor = 500_010
		got, err := w.account.Begin(t.Context(), p)
		if err != nil || got != acquirer.Begun(acquirer.BeginDeclined{Reason: acquirer.AmountRefused}) {
			t.Errorf("%s: Begin = %+v, %v, want the amount refused", m, got, err)
		}
	}
}

func TestTheOtherSpellingIsUnderstood(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Control("/control/spelling", `{"spelling":"other"}`, nil)
	r := w.sendCode(plutu.Sadad, "2345678")
	if got, err := w.confirm(r, "222222"); err != nil || got != acquirer.Confirmed(acquirer.WrongCode{}) {
		t.Errorf("Confirm = %+v, %v, want a wrong code", got, err)
	}
	got, err := w.confirm(r, "111111")
	paid, ok := got.(acquirer.Paid)
	if err != nil || !ok || paid.Money != r.Money || paid.ProviderReference == "" {
		t.Errorf("Confirm = %+v, %v, want it paid", got, err)
	}
	begun, err := w.account.Begin(t.Context(), w.payment(plutu.Adfali, "0000015"))
	if !errors.Is(err, acquirer.ErrAccount) {
		t.Errorf("Begin = %+v, %v, want the account refused", begun, err)
	}
	begun, err = w.account.Begin(t.Context(), w.payment(plutu.Cards, ""))
	if _, ok := begun.(acquirer.Redirected); err != nil || !ok {
		t.Errorf("Begin = %+v, %v, want a page", begun, err)
	}
}

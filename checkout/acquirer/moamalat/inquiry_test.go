package moamalat_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"daftar/checkout/acquirer"
	"daftar/checkout/acquirer/moamalat/fake"
	"daftar/domain"
)

func TestAPaymentFromTheFormToTheRefund(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.payment()
	w.wantState(p, acquirer.StateNotFound)

	said := w.press(w.begin(p), "pay", ordinary, right)
	if said.Callback != "complete" || said.Data["MerchantReference"] != p.Reference || said.Data["Amount"] != "1234501" {
		t.Fatalf("form answered %+v", said)
	}
	report := w.wantState(p, acquirer.StatePaid)
	if report.ProviderReference != said.Data["SystemReference"] || len(report.More) != 0 {
		t.Errorf("report = %+v, want the number %v and no more", report, said.Data["SystemReference"])
	}

	ref := refOf(p)
	ref.ProviderReference, ref.Memo = report.ProviderReference, report.Memo
	refunded, err := w.account.Refund(t.Context(), ref, p.Money)
	if err != nil || refunded.Money != p.Money || refunded.ProviderReference == "" || refunded.ProviderReference == report.ProviderReference {
		t.Errorf("refund = %+v, %v", refunded, err)
	}
	// What was taken was taken: the ledger counts refunds elsewhere.
	if again := w.wantState(p, acquirer.StatePaid); again.ProviderReference != report.ProviderReference || len(again.More) != 0 {
		t.Errorf("after the refund: %+v", again)
	}
}

func TestCards(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, card, code string
		want             acquirer.State
	}{
		{"a wrong code", ordinary, "123456", acquirer.StateNotFound},
		{"no answer, money taken", neverAnswers, right, acquirer.StatePaid},
		{"no answer, no money", takesNothing, right, acquirer.StateNotFound},
		{"a declined card", noFunds, right, acquirer.StatePending},
		{"noise", noisy, right, acquirer.StatePaid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.payment()
			w.press(w.begin(p), "pay", tc.card, tc.code)
			w.wantState(p, tc.want)
		})
	}
}

// A declined card does not close the form.
func TestAnotherCardMayBeTried(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.payment()
	form := w.begin(p)
	for _, card := range []string{noFunds, ordinary} {
		w.press(form, "decline", card, "")
		w.wantState(p, acquirer.StatePending)
	}
	w.press(form, "pay", ordinary, right)
	if report := w.wantState(p, acquirer.StatePaid); len(report.More) != 0 {
		t.Errorf("declined cards count as payments: %+v", report)
	}
}

func TestTheFifthWrongCodeAndALateOneAreDeclined(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	locked := w.payment()
	form := w.begin(locked)
	for range 4 {
		w.press(form, "pay", ordinary, "222222")
		w.wantState(locked, acquirer.StateNotFound)
	}
	w.press(form, "pay", ordinary, "222222")
	w.wantState(locked, acquirer.StatePending)

	late := w.payment()
	form = w.begin(late)
	w.press(form, "open", "", "")
	w.clock.Advance(11 * time.Minute)
	w.press(form, "pay", ordinary, right)
	w.wantState(late, acquirer.StatePending)
}

func TestASecondPaymentIsMoreMoney(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.payment()
	w.press(w.begin(p), "pay", twice, right)
	report := w.wantState(p, acquirer.StatePaid)
	if len(report.More) != 1 || report.More[0].Money != p.Money || report.More[0].ProviderReference == report.ProviderReference ||
		report.More[0].ProviderReference <= report.ProviderReference {
		t.Errorf("report = %+v, want the second sale in More", report)
	}
}

// The notification is there before the list knows of the payment.
func TestAnEarlyNotification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.payment()
	w.press(w.begin(p), "pay", shownLater, right)
	if notice, err := w.account.ParseNotification(w.received()); err != nil || notice.Reference != p.Reference || notice.Proof != nil {
		t.Errorf("notice = %+v, %v", notice, err)
	}
	w.wantState(p, acquirer.StateNotFound)
	w.clock.Advance(4 * time.Second)
	w.wantState(p, acquirer.StatePaid)
}

func TestALatePaymentIsFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.payment()
	w.begin(p)
	w.clock.Advance(40 * 24 * time.Hour)
	w.control("sale", fmt.Sprintf(`{"reference":%q,"amount":1234501,"outcome":"approved"}`, p.Reference))
	w.wantState(p, acquirer.StatePaid)
}

func TestEverySpellingOfTheListIsRead(t *testing.T) {
	t.Parallel()
	for _, style := range []string{`{"numbers":true}`, `{"dinars":true}`, `{"extra":true}`, `{"delay":5}`, `{"numbers":true,"dinars":true,"extra":true}`} {
		w := newWorld(t)
		p := w.paid()
		w.control("style", style)
		w.wantState(p, acquirer.StatePaid)
	}
}

// Whose clock is right does not matter for finding a payment.
func TestClocksMayDiffer(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-5 * time.Hour, -time.Minute, time.Minute, 5 * time.Hour} {
		w := newWorld(t, func(c *fake.Config) { c.Skew = skew })
		w.wantState(w.paid(), acquirer.StatePaid)
	}
}

// The list names what was taken; the caller compares.
func TestAnotherAmountIsReportedAsItIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.payment()
	w.control("sale", fmt.Sprintf(`{"reference":%q,"amount":1000,"outcome":"approved"}`, p.Reference))
	if report := w.inquire(p); report.Money != (domain.Money{Minor: 1_000, Currency: domain.LYD}) {
		t.Errorf("report = %+v", report)
	}
}

func TestMorePagesThanOneAreRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *fake.Config) { c.Merchants[0].NotifyURL = "" })
	p := w.payment()
	sale := func(outcome string) {
		w.control("sale", fmt.Sprintf(`{"reference":%q,"amount":1234501,"outcome":%q}`, p.Reference, outcome))
	}
	for range 100 {
		sale("declined")
	}
	w.wantState(p, acquirer.StatePending)
	sale("approved")
	w.wantState(p, acquirer.StatePaid)
}

func TestCheckProvesTheKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.account.Check(t.Context(), nil); err != nil {
		t.Errorf("right keys: %v", err)
	}
	other := newWorld(t, func(c *fake.Config) { c.Merchants[0].SecureKey = notificationKey })
	if err := other.account.Check(t.Context(), nil); !errors.Is(err, acquirer.ErrAccount) {
		t.Errorf("another key: %v, want ErrAccount", err)
	}
	if _, err := other.account.Inquire(t.Context(), refOf(w.payment())); !errors.Is(err, acquirer.ErrAccount) {
		t.Errorf("inquiry with another key: %v, want ErrAccount", err)
	}
	ref := refOf(w.payment())
	ref.ProviderReference = "1"
	if _, err := other.account.Refund(t.Context(), ref, ref.Money); !errors.Is(err, acquirer.ErrAccount) {
		t.Errorf("refund with another key: %v, want ErrAccount", err)
	}
}

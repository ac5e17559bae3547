package moamalat_test

import (
	"fmt"
	"testing"
	"time"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/moamalat/fake"
)

// The form's answer to the page and the list name the same payment.
func TestTheFormAndTheListNameTheSamePayment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.payment()
	answer := w.press(w.begin(p), "pay", ordinary, right)
	if answer.Callback != "complete" || answer.Data["MerchantReference"] != p.Reference ||
		answer.Data["Amount"] != "1234501" {
		t.Fatalf("form answered %+v", answer)
	}
	report := w.wantState(p, acquirer.StatePaid)
	if report.ProviderReference != answer.Data["SystemReference"] {
		t.Errorf("report = %+v, want the number %v", report, answer.Data["SystemReference"])
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

// A form that was open for too long declines the card, and stays open.
func TestALateCodeIsDeclined(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.payment()
	form := w.begin(p)
	w.press(form, "open", "", "")
	w.clock.Advance(11 * time.Minute)
	w.press(form, "pay", ordinary, right)
	w.wantState(p, acquirer.StatePending)
}

func TestEverySpellingOfTheListIsRead(t *testing.T) {
	t.Parallel()
	for _, style := range []string{
		`{"numbers":true}`, `{"dinars":true}`, `{"extra":true}`, `{"delay":5}`,
		`{"numbers":true,"dinars":true,"extra":true}`,
	} {
		w := newWorld(t)
		p := w.paid()
		w.control("style", style)
		w.wantState(p, acquirer.StatePaid)
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

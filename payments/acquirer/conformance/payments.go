package conformance

import (
	"strings"
	"sync"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
)

var (
	canLapse = func(c acquirer.Capability) reason {
		switch {
		case c.PaidRepeatedly:
			return "A form or a QR code can be paid until the acquirer says otherwise."
		case c.Flow == acquirer.Redirect && !c.Inquiry:
			return "Nothing says that a page lapses."
		}
		return ""
	}
	payerTypes = when("The payer presses buttons on the acquirer's page.",
		func(c acquirer.Capability) bool { return c.Flow != acquirer.Redirect })
	keepsDeadline = when("The acquirer is not told a deadline.", func(c acquirer.Capability) bool {
		return c.KeepsDeadline
	})
	paysWithoutUs = when("No money moves without Confirm.", func(c acquirer.Capability) bool {
		return !c.OnlyConfirmPays
	})
)

var paying = []behaviour{
	{name: "begun", run: begins},
	{name: "paid", run: func(w *World) { w.paid() }},
	{name: "wrong code, then the right one", needs: payerTypes, run: wrongCode},
	{name: "five wrong codes", needs: payerTypes, run: fiveWrongCodes},
	{name: "the code or the page lapses", needs: canLapse, run: lapses},
	{name: "the deadline is over", needs: keepsDeadline, run: deadlineIsOver},
	{name: "declined", run: isDeclined},
	{name: "amounts that cannot be carried", run: strangeAmounts},
	{name: "Begin again", run: beginAgain},
	{name: "Confirm again", needs: typesCode, run: confirmAgain},
	{name: "Confirm eight times at once", needs: typesCode, run: confirmAtOnce},
	{name: "Confirm when the memo of Begin was lost", needs: typesCode, run: confirmWithoutMemo},
	{name: "paid twice under one reference", run: paidTwice},
	{name: "paid late, or after it was given up", needs: paysWithoutUs, run: paidLate},
	{name: "paid past midnight in Tripoli, and in UTC", run: paidPastMidnight},
	{name: "the acquirer's clock is five hours ahead", run: func(w *World) { w.paid() }, skew: 5 * time.Hour},
	{name: "the acquirer's clock is five hours behind", run: func(w *World) { w.paid() }, skew: -5 * time.Hour},
}

func begins(w *World) {
	before := w.Server.Requests()
	s := w.begin(Pays)
	if asked := w.Server.Requests() > before; asked != (asksToBegin(w.Capability) == "") {
		w.T.Errorf("the acquirer was asked: %t", asked)
	}
	var flow acquirer.Flow
	switch b := s.Begun.(type) {
	case acquirer.CodeSent:
		flow = acquirer.OTP
		if b.Digits == 0 || strings.Contains(b.SentTo, OrdinaryPhone) {
			w.T.Errorf("a code of %d digits was sent to %q", b.Digits, b.SentTo)
		}
	case acquirer.Redirected:
		flow = acquirer.Redirect
	case acquirer.Embedded:
		flow = acquirer.Lightbox
	case acquirer.Presented:
		flow = acquirer.QR
	case acquirer.BeginDeclined:
	}
	if flow != w.Capability.Flow {
		w.T.Errorf("Begin = %T, and the capability says %s", s.Begun, w.Capability.Flow)
	}
	w.wantOpen(s)
}

func wrongCode(w *World) {
	s := w.begin(Pays)
	o := w.act(s, Mistypes)
	if o.err != nil || o.state != acquirer.StatePending && o.state != acquirer.StateNotFound {
		w.T.Errorf("outcome %+v, want it open", o)
	}
	w.wantOpen(s)
	w.wantPaid(s, w.act(s, Pays))
}

func fiveWrongCodes(w *World) {
	s := w.begin(Pays)
	var o outcome
	for range 5 {
		o = w.act(s, Mistypes)
	}
	w.wantTaken(s, 0)
	if w.Capability.PaidRepeatedly { // another card, or another person, may try
		w.wantOpen(s)
		return
	}
	wantDeclined(w, o, acquirer.CodeLocked, acquirer.CodeExpired)
	wantDeclined(w, w.act(s, Pays), acquirer.CodeLocked, acquirer.CodeExpired)
	w.wantTaken(s, 0)
}

func wantDeclined(w *World, o outcome, reasons ...acquirer.Reason) {
	w.T.Helper()
	ok := o.err == nil && o.state == acquirer.StateDeclined
	for _, r := range reasons {
		if ok && o.reason == r {
			return
		}
	}
	if !ok || len(reasons) > 0 {
		w.T.Errorf("outcome %+v, want it declined %v", o, reasons)
	}
}

// lapses moves the clock by more than any code or page is valid, and by less than the time in
// which the payment may be made.
func lapses(w *World) {
	s := w.begin(Pays)
	w.Clock.Advance(time.Hour)
	wantDeclined(w, w.act(s, Pays), acquirer.CodeExpired, acquirer.Abandoned)
	w.wantTaken(s, 0)
}

func deadlineIsOver(w *World) {
	p := w.payment(Pays)
	p.TimeLeft = time.Minute
	s := w.beginPayment(p)
	w.Clock.Advance(time.Minute)
	wantDeclined(w, w.act(s, Pays), acquirer.Expired)
	w.wantTaken(s, 0)
}

func isDeclined(w *World) {
	s := w.begin(Declines)
	o := w.act(s, Declines)
	w.wantTaken(s, 0)
	if w.Capability.PaidRepeatedly { // another payer may still pay
		w.wantOpen(s)
		w.wantPaid(s, w.act(s, Pays))
		return
	}
	wantDeclined(w, o)
}

// strangeAmounts checks that amounts that cannot be carried are never sent, or rounded.
func strangeAmounts(w *World) {
	step := int64(1)
	for range domain.LYD.Exponent() - w.Capability.Decimals {
		step *= 10
	}
	amounts := []domain.Money{
		lyd(0), lyd(-amount), lyd(w.Capability.Min - step), lyd(w.Capability.Max + step),
		{Minor: amount, Currency: "USD"}, {Minor: amount},
	}
	if step > 1 {
		amounts = append(amounts, lyd(amount+1))
	}
	for _, money := range amounts {
		p, before := w.payment(Pays), w.Server.Requests()
		p.Money = money
		begun, err := w.Account.Begin(w.T.Context(), p)
		if begun != nil {
			w.T.Errorf("Begin of %v = %+v", money, begun)
		}
		w.wantNotSent(err, before)
	}
}

// beginAgain checks that a second Begin, which may open a second process where there is no
// inquiry, does not take the money twice and is not a refusal.
func beginAgain(w *World) {
	s := w.begin(Pays)
	again, err := w.Account.Begin(w.T.Context(), s.Payment)
	if _, no := again.(acquirer.BeginDeclined); no {
		w.T.Error("Begin again is declined")
	}
	if err != nil {
		w.wantUnknown(err)
	}
	if w.Capability.Inquiry && err != nil {
		w.T.Errorf("Begin again: %v", err)
	}
	w.wantPaid(s, w.act(s, Pays))
	again, err = w.Account.Begin(w.T.Context(), s.Payment)
	if _, no := again.(acquirer.BeginDeclined); no {
		w.T.Errorf("Begin of a paid payment = %+v, %v", again, err)
	}
	w.wantTaken(s, 1)
}

func confirmAgain(w *World) {
	s := w.begin(Pays)
	first := w.act(s, Pays)
	w.wantPaid(s, first)
	again := w.act(s, Pays)
	if !w.Capability.Inquiry { // only the first answer is a proof
		w.wantUnknown(again.err)
	} else if again.err != nil || again.state != acquirer.StatePaid || again.number != first.number {
		w.T.Errorf("Confirm again: %+v, want %+v", again, first)
	}
	w.wantTaken(s, 1)
}

// confirmAtOnce acts as a payer with the page in many tabs.
func confirmAtOnce(w *World) {
	s := w.begin(Pays)
	outcomes := make([]outcome, 8)
	var all sync.WaitGroup
	for i := range outcomes {
		all.Go(func() { outcomes[i] = w.confirm(s, Pays) })
	}
	all.Wait()
	w.wantTaken(s, 1)
	paid := 0
	for _, o := range outcomes {
		w.checked(s, o)
		if o.state == acquirer.StatePaid {
			paid++
		} else {
			w.wantUnknown(o.err)
		}
	}
	if paid == 0 {
		w.T.Error("the money was taken, and no answer says so")
	}
}

// confirmWithoutMemo checks that Confirm is not sent where it needs the memo.
func confirmWithoutMemo(w *World) {
	s := w.begin(Pays)
	s.ref.Memo = ""
	before := w.Server.Requests()
	if o := w.confirm(s, Pays); o.err != nil {
		w.wantNotSent(o.err, before)
		w.wantTaken(s, 0)
	} else {
		w.wantPaid(s, w.checked(s, o))
	}
}

// paidPastMidnight begins a minute before a day ends, and inquires a minute later.
func paidPastMidnight(w *World) {
	for range 2 { // Tripoli's day ends at 22 o'clock UTC, two hours before that of UTC
		w.Clock.Advance(119 * time.Minute)
		s := w.begin(Pays)
		w.Clock.Advance(time.Minute)
		w.wantPaid(s, w.act(s, Pays))
		w.wantState(s, acquirer.StatePaid)
	}
}

func paidTwice(w *World) {
	s := w.begin(Pays)
	if w.Capability.PaidRepeatedly {
		o := w.act(s, PaysTwice)
		if o.err != nil || o.state != acquirer.StatePaid || len(o.more) != 1 ||
			o.more[0].Money != s.Payment.Money || o.more[0].ProviderReference == o.number ||
			o.more[0].ProviderReference == "" {
			w.T.Errorf("outcome %+v, want the second payment in addition", o)
		}
		w.wantTaken(s, 2)
		return
	}
	w.wantPaid(s, w.act(s, Pays))
	if w.Capability.Flow == acquirer.OTP {
		w.confirm(s, Pays)
	} else {
		w.Pay(s, Pays)
	}
	w.wantTaken(s, 1)
}

func paidLate(w *World) {
	s := w.begin(Pays)
	if w.Capability.Flow == acquirer.Redirect {
		wantDeclined(w, w.act(s, Declines))
		s.message = nil
	}
	w.Clock.Advance(40 * 24 * time.Hour)
	if w.Capability.KeepsDeadline {
		w.wantState(s, acquirer.StateDeclined)
	}
	w.wantPaid(s, w.act(s, PaysLate))
}

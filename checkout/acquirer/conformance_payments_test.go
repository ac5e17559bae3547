package acquirer_test

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"daftar/checkout/acquirer"
	"daftar/domain"
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
	keepsDeadline = when("The acquirer is not told a deadline.", func(c acquirer.Capability) bool { return c.KeepsDeadline })
	answersName   = when("No answer names a currency or a reference, because the acquirer cannot be asked.",
		func(c acquirer.Capability) bool { return c.Inquiry })
	paysWithoutUs = when("No money moves without Confirm.", func(c acquirer.Capability) bool { return !c.OnlyConfirmPays })
)

var paying = []behaviour{
	{name: "begun", run: begins},
	{name: "paid", run: func(w *world) { w.paid() }},
	{name: "wrong code, then the right one", needs: payerTypes, run: wrongCode},
	{name: "five wrong codes", needs: payerTypes, run: fiveWrongCodes},
	{name: "the code or the page lapses", needs: canLapse, run: lapses},
	{name: "the deadline is over", needs: keepsDeadline, run: deadlineIsOver},
	{name: "declined", run: isDeclined},
	{name: "amounts that cannot be carried", run: strangeAmounts},
	{name: "Begin again", run: beginAgain},
	{name: "Confirm again", needs: typesCode, run: confirmAgain},
	{name: "paid twice under one reference", run: paidTwice},
	{name: "paid late, or after it was given up", needs: paysWithoutUs, run: paidLate},
	{name: "the acquirer's clock is five hours ahead", run: func(w *world) { w.paid() }, skew: 5 * time.Hour},
	{name: "the acquirer's clock is five hours behind", run: func(w *world) { w.paid() }, skew: -5 * time.Hour},
}

func begins(w *world) {
	before := w.server.Requests()
	s := w.begin(pays)
	if asked := w.server.Requests() > before; asked != (asksToBegin(w.c) == "") {
		w.t.Errorf("the acquirer was asked: %t", asked)
	}
	var flow acquirer.Flow
	switch b := s.begun.(type) {
	case acquirer.CodeSent:
		flow = acquirer.OTP
		if b.Digits == 0 || strings.Contains(b.SentTo, otherPhone) {
			w.t.Errorf("a code of %d digits was sent to %q", b.Digits, b.SentTo)
		}
	case acquirer.Redirected:
		flow = acquirer.Redirect
	case acquirer.Embedded:
		flow = acquirer.Lightbox
	case acquirer.Presented:
		flow = acquirer.QR
	case acquirer.BeginDeclined:
	}
	if flow != w.c.Flow {
		w.t.Errorf("Begin = %T, and the capability says %s", s.begun, w.c.Flow)
	}
	w.wantOpen(s)
}

func wrongCode(w *world) {
	s := w.begin(pays)
	if o := w.act(s, mistypes); o.err != nil || o.state != acquirer.StatePending && o.state != acquirer.StateNotFound {
		w.t.Errorf("outcome %+v, want it open", o)
	}
	w.wantOpen(s)
	w.wantPaid(s, w.act(s, pays))
}

func fiveWrongCodes(w *world) {
	s := w.begin(pays)
	var o outcome
	for range 5 {
		o = w.act(s, mistypes)
	}
	w.wantTaken(s, 0)
	if w.c.PaidRepeatedly { // another card, or another person, may try
		w.wantOpen(s)
		return
	}
	wantDeclined(w, o, acquirer.CodeLocked, acquirer.CodeExpired)
	wantDeclined(w, w.act(s, pays), acquirer.CodeLocked, acquirer.CodeExpired)
	w.wantTaken(s, 0)
}

func wantDeclined(w *world, o outcome, reasons ...acquirer.Reason) {
	w.t.Helper()
	ok := o.err == nil && o.state == acquirer.StateDeclined
	for _, r := range reasons {
		if ok && o.reason == r {
			return
		}
	}
	if !ok || len(reasons) > 0 {
		w.t.Errorf("outcome %+v, want it declined %v", o, reasons)
	}
}

// lapses moves the clock by more than any code or page is good for, and by less than the time
// that the payment may be made.
func lapses(w *world) {
	s := w.begin(pays)
	w.clock.Advance(time.Hour)
	wantDeclined(w, w.act(s, pays), acquirer.CodeExpired, acquirer.Abandoned)
	w.wantTaken(s, 0)
}

func deadlineIsOver(w *world) {
	p := w.payment(pays)
	p.TimeLeft = time.Minute
	s := w.beginPayment(p)
	w.clock.Advance(time.Minute)
	wantDeclined(w, w.act(s, pays), acquirer.Expired)
	w.wantTaken(s, 0)
}

func isDeclined(w *world) {
	s := w.begin(declines)
	o := w.act(s, declines)
	w.wantTaken(s, 0)
	if w.c.PaidRepeatedly { // that person's no ends nothing
		w.wantOpen(s)
		w.wantPaid(s, w.act(s, pays))
		return
	}
	wantDeclined(w, o)
}

// strangeAmounts are never sent: nothing is rounded.
func strangeAmounts(w *world) {
	step := int64(1)
	for range domain.LYD.Exponent() - w.c.Decimals {
		step *= 10
	}
	amounts := []domain.Money{
		lyd(0), lyd(-amount), lyd(w.c.Min - step), lyd(w.c.Max + step), {Minor: amount, Currency: "USD"}, {Minor: amount},
	}
	if step > 1 {
		amounts = append(amounts, lyd(amount+1))
	}
	for _, money := range amounts {
		p, before := w.payment(pays), w.server.Requests()
		p.Money = money
		begun, err := w.account.Begin(w.t.Context(), p)
		if begun != nil {
			w.t.Errorf("Begin of %v = %+v", money, begun)
		}
		w.wantNotSent(err, before)
	}
}

// beginAgain may open a second process where there is no inquiry, but it takes no second money
// and is no refusal.
func beginAgain(w *world) {
	s := w.begin(pays)
	again, err := w.account.Begin(w.t.Context(), s.p)
	if _, no := again.(acquirer.BeginDeclined); no {
		w.t.Error("Begin again is declined")
	}
	if err != nil {
		w.wantUnknown(err)
	}
	if w.c.Inquiry && err != nil {
		w.t.Errorf("Begin again: %v", err)
	}
	w.wantPaid(s, w.act(s, pays))
	again, err = w.account.Begin(w.t.Context(), s.p)
	if _, no := again.(acquirer.BeginDeclined); no {
		w.t.Errorf("Begin of a paid payment = %+v, %v", again, err)
	}
	w.wantTaken(s, 1)
}

func confirmAgain(w *world) {
	s := w.begin(pays)
	first := w.act(s, pays)
	w.wantPaid(s, first)
	again := w.act(s, pays)
	if !w.c.Inquiry { // the first answer was all; a second question proves nothing
		w.wantUnknown(again.err)
	} else if again.err != nil || again.state != acquirer.StatePaid || again.number != first.number {
		w.t.Errorf("Confirm again: %+v, want %+v", again, first)
	}
	w.wantTaken(s, 1)
}

func paidTwice(w *world) {
	s := w.begin(pays)
	if w.c.PaidRepeatedly {
		o := w.act(s, paysTwice)
		if o.err != nil || o.state != acquirer.StatePaid || len(o.more) != 1 || o.more[0].Money != s.p.Money ||
			o.more[0].ProviderReference == o.number || o.more[0].ProviderReference == "" {
			w.t.Errorf("outcome %+v, want the second payment in addition", o)
		}
		w.wantTaken(s, 2)
		return
	}
	w.wantPaid(s, w.act(s, pays))
	if w.c.Flow == acquirer.OTP {
		w.confirm(s, pays)
	} else {
		w.pay(s, pays)
	}
	w.wantTaken(s, 1)
}

func paidLate(w *world) {
	s := w.begin(pays)
	if w.c.Flow == acquirer.Redirect {
		wantDeclined(w, w.act(s, declines))
		s.message = nil
	}
	w.clock.Advance(40 * 24 * time.Hour)
	if w.c.KeepsDeadline {
		w.wantState(s, acquirer.StateDeclined)
	}
	w.wantPaid(s, w.act(s, paysLate))
}

// saying is about what answers say.
var saying = []behaviour{
	{name: "unknown members in answers", run: unknownMembers},
	{name: "another amount", run: otherAmount},
	{name: "another currency", needs: answersName, run: otherCurrency},
	{name: "another reference", needs: answersName, run: otherReference},
}

func unknownMembers(w *world) {
	w.server.Alter(withUnknownMembers)
	s := w.paid()
	if w.c.Refund {
		if back, err := w.account.Refund(w.t.Context(), s.ref, s.p.Money); err != nil || back.Money != s.p.Money {
			w.t.Errorf("Refund = %+v, %v", back, err)
		}
	}
	if err := w.account.Check(w.t.Context()); err != nil {
		w.t.Errorf("Check: %v", err)
	}
	if w.c.Resend {
		if _, err := w.account.Resend(w.t.Context(), s.ref); !errors.Is(err, acquirer.ErrNoCodeWanted) {
			w.t.Errorf("Resend: %v", err)
		}
	}
}

// withUnknownMembers writes a member that nobody knows into every object of a JSON text.
func withUnknownMembers(body []byte) []byte {
	const member = `"brand_new":{"list":[1,null,"x"]}`
	var out bytes.Buffer
	inString := false
	for i := 0; i < len(body); i++ {
		out.WriteByte(body[i])
		switch {
		case inString && body[i] == '\\':
			i++
			out.WriteByte(body[i])
		case body[i] == '"':
			inString = !inString
		case body[i] == '{' && !inString:
			out.WriteString(member)
			if next := bytes.TrimLeft(body[i+1:], " \n"); len(next) > 0 && next[0] != '}' {
				out.WriteByte(',')
			}
		}
	}
	return out.Bytes()
}

// amountTexts are how acquirers write the two amounts, the longest form first.
var amountTexts = [][2]string{{"45.670", "46.670"}, {"45.67", "46.67"}, {"45670", "46670"}}

func withOtherAmount(text []byte) []byte {
	for _, t := range amountTexts {
		text = bytes.ReplaceAll(text, []byte(t[0]), []byte(t[1]))
	}
	return text
}

// otherAmount is reported as it is stated, for the caller to compare, or nothing is concluded.
func otherAmount(w *world) {
	if w.c.Flow != acquirer.OTP && !w.c.Inquiry {
		s := w.begin(paysOther)
		if o := w.act(s, paysOther); o.err != nil || o.state != acquirer.StatePaid || o.money == s.p.Money {
			w.t.Errorf("outcome %+v, want another amount paid", o)
		}
		return
	}
	s := w.begin(pays)
	if w.c.Flow != acquirer.OTP {
		w.act(s, pays)
	}
	w.server.Alter(withOtherAmount)
	if _, err := w.account.Begin(w.t.Context(), w.payment(pays)); err != nil {
		w.wantUnknown(err)
	}
	var said []outcome
	if w.c.Flow == acquirer.OTP {
		said = append(said, w.confirm(s, pays))
	}
	if w.c.Inquiry {
		report, err := w.account.Inquire(w.t.Context(), s.ref)
		said = append(said, outcomeOf(report, err))
	}
	for _, o := range said {
		if o.err == nil && (o.state != acquirer.StatePaid || o.money != lyd(amountElse)) {
			w.t.Errorf("outcome %+v, want the amount that was stated", o)
		}
	}
	w.wantTaken(s, 1)
}

func otherCurrency(w *world) {
	s := w.paid()
	w.server.Alter(func(body []byte) []byte {
		for from, to := range map[string]string{`"LYD"`: `"USD"`, `"lyd"`: `"usd"`, `"434"`: `"840"`} {
			body = bytes.ReplaceAll(body, []byte(from), []byte(to))
		}
		return body
	})
	report, err := w.account.Inquire(w.t.Context(), s.ref)
	if err == nil {
		w.t.Errorf("Inquire = %+v of a payment in another currency", report)
	}
	w.wantUnknown(err)
}

func otherReference(w *world) {
	s, other := w.paid(), w.begin(pays)
	w.answerOther(s, other.p.Reference)
	for _, about := range []*session{s, other} {
		if report, err := w.account.Inquire(w.t.Context(), about.ref); err == nil && report.State != acquirer.StateNotFound &&
			(report.State != acquirer.StatePending || about == s) {
			w.t.Errorf("Inquire = %+v, although the answer is about another payment", report)
		}
	}
}

package conformance

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/fake"
)

var (
	isPushed = when("The acquirer pushes no message.", func(c acquirer.Capability) bool {
		return c.Notifications
	})
	isMessage = when("The acquirer pushes no message and signs no return.",
		func(c acquirer.Capability) bool { return c.Notifications || c.SignedReturn })
)

var messages = []behaviour{
	{name: "message: genuine, and sent again", needs: isMessage, run: genuine},
	{name: "message: of a declined payment", needs: isMessage, run: messageOfDeclined},
	{name: "message: before Begin is answered, or before the books show it", needs: isPushed, run: early},
	{name: "message: replayed a day later", needs: isMessage, run: replayed},
	{name: "message: forged", needs: isMessage, run: forged},
	{name: "message: another amount", needs: isMessage, run: altered},
	{name: "message: another outcome", needs: isMessage, run: otherOutcome},
	{name: "message: pointed at another payment", needs: isMessage, run: repointed},
	{name: "message: cut short", needs: isMessage, run: truncated},
}

func proves(c acquirer.Capability) bool { return c.SignedNotification || c.SignedReturn }

// wantGenuine checks the notice of a genuine message about a paid payment: the right reference or
// none, and a proof only where the signature covers one.
func (w *World) wantGenuine(s *Session, m acquirer.Message) acquirer.Notice {
	w.T.Helper()
	notice, err := w.Account.ParseNotification(m)
	if err != nil {
		w.T.Fatalf("ParseNotification: %v", err)
	}
	if notice.Reference != s.Payment.Reference && notice.Reference != "" {
		w.T.Errorf("the message names %q, want %q or none", notice.Reference, s.Payment.Reference)
	}
	if (notice.Proof != nil) != proves(w.Capability) {
		w.T.Errorf("proof %+v of a method whose messages prove: %t", notice.Proof, proves(w.Capability))
	}
	if notice.Proof != nil {
		if notice.Proof.Reference != s.Payment.Reference {
			w.T.Errorf("the proof is about %q", notice.Proof.Reference)
		}
		w.wantPaid(s, w.checked(s, outcomeOf(*notice.Proof, nil)))
	}
	return notice
}

// paidWithMessage pays a payment and returns it with the message about it.
func (w *World) paidWithMessage() (*Session, acquirer.Message) {
	w.T.Helper()
	s := w.paid()
	return s, w.messageOf(s)
}

func genuine(w *World) {
	s, m := w.paidWithMessage()
	first := w.wantGenuine(s, m)
	if diff := cmp.Diff(first, w.wantGenuine(s, m)); diff != "" {
		w.T.Errorf("the same message again (-first +second):\n%s", diff)
	}
	w.wantTaken(s, 1)
}

// messageOfDeclined checks that a message about a declined payment is genuine and proves no payment.
func messageOfDeclined(w *World) {
	s := w.begin(Declines)
	w.act(s, Declines)
	notice, err := w.Account.ParseNotification(w.messageOf(s))
	if err != nil || notice.Reference != s.Payment.Reference && notice.Reference != "" {
		w.T.Errorf("ParseNotification = %+v, %v, want it genuine, about %q or nothing",
			notice, err, s.Payment.Reference)
	}
	if (notice.Proof != nil) != proves(w.Capability) {
		w.T.Errorf("proof %+v of a method whose messages prove: %t", notice.Proof, proves(w.Capability))
	}
	if notice.Proof != nil {
		wantDeclined(w, w.checked(s, outcomeOf(*notice.Proof, nil)))
	}
	w.wantTaken(s, 0)
}

// early checks messages that come before Begin is answered, or before the acquirer's books have
// the payment.
func early(w *World) {
	if asksToBegin(w.Capability) == "" {
		p := w.payment(PaysEarly)
		w.Fault(fake.DropAfter)
		_, err := w.Account.Begin(w.T.Context(), p)
		w.wantUnknown(err)
		s := &Session{Payment: p, ref: acquirertest.RefOf(p, "")}
		s.message = w.Pay(s, PaysEarly)
		w.wantGenuine(s, w.messageOf(s))
		w.wantPaid(s, w.ask(s))
		return
	}
	s := w.begin(PaysEarly)
	o := w.act(s, PaysEarly)
	if o.err != nil || o.state != acquirer.StateNotFound && o.state != acquirer.StatePending {
		w.T.Errorf("outcome %+v, want nothing known yet", o)
	}
	w.wantGenuine(s, w.messageOf(s))
	w.Clock.Advance(5 * time.Minute)
	w.wantPaid(s, w.ask(s))
}

// replayed checks that a recorded message is refused, or says the same as before.
func replayed(w *World) {
	s, m := w.paidWithMessage()
	first := w.wantGenuine(s, m)
	w.Clock.Advance(24 * time.Hour)
	again, err := w.Account.ParseNotification(m)
	if err != nil {
		w.wantForged(w.Account, m)
	} else if diff := cmp.Diff(first, again); diff != "" {
		w.T.Errorf("a day later (-first +second):\n%s", diff)
	}
	w.wantTaken(s, 1)
}

// forged checks messages with a signature by another key, or without one.
func forged(w *World) {
	s, m := w.paidWithMessage()
	w.wantForged(w.Open(w.Server.URL, true), m)
	bare := m
	bare.Header = nil
	if notice, err := w.Account.ParseNotification(bare); err != nil {
		w.wantForged(w.Account, bare)
	} else if diff := cmp.Diff(w.wantGenuine(s, m), notice); diff != "" {
		w.T.Errorf("a message without headers says something else (-with +without):\n%s", diff)
	}
	for _, other := range []string{
		"", "{}", "[]", "null", "<html>", "approved=1&invoice_no=" + s.Payment.Reference,
	} {
		w.wantForged(w.Account, acquirer.Message{Body: []byte(other)})
		w.wantForged(w.Account, acquirer.Message{Returned: true, Query: other})
	}
	w.wantTaken(s, 1)
}

// edit changes the text of a message and keeps its signature. It reports whether anything changed.
func edit(m acquirer.Message, change func([]byte) []byte) (acquirer.Message, bool) {
	edited := m
	edited.Query, edited.Body = string(change([]byte(m.Query))), change(bytes.Clone(m.Body))
	return edited, edited.Query != m.Query || !bytes.Equal(edited.Body, m.Body)
}

func altered(w *World) {
	_, m := w.paidWithMessage()
	other, changed := edit(m, inOtherAmount)
	if !changed {
		w.T.Fatalf("the message names no amount: %s %s", m.Query, m.Body)
	}
	w.wantForged(w.Account, other)
}

// otherOutcome checks that a message with a changed outcome is forged, or only a hint.
func otherOutcome(w *World) {
	s, m := w.paidWithMessage()
	outcomes := strings.NewReplacer(
		"approved=1", "canceled=1",
		`"approved":1`, `"canceled":1`,
		`"paid"`, `"declined"`,
		`"completed"`, `"declined"`,
		`"Success"`, `"Failed"`,
		`"Approved"`, `"Declined"`,
		"transaction_credit_notice", "transaction_status_update",
	)
	other, changed := edit(m, func(text []byte) []byte { return []byte(outcomes.Replace(string(text))) })
	if !changed {
		w.T.Fatalf("the message names no outcome: %s %s", m.Query, m.Body)
	}
	w.wantForgedOrHint(other, s.Payment.Reference)
	w.wantTaken(s, 1)
	w.wantState(s, acquirer.StatePaid)
}

// wantForgedOrHint checks that a changed message proves nothing.
func (w *World) wantForgedOrHint(m acquirer.Message, reference string) {
	w.T.Helper()
	notice, err := w.Account.ParseNotification(m)
	switch {
	case errors.Is(err, acquirer.ErrForged):
	case err != nil:
		w.T.Errorf("ParseNotification: %v, want ErrForged or a hint", err)
	case notice.Proof != nil || notice.Reference != reference && notice.Reference != "":
		w.T.Errorf("ParseNotification = %+v, want ErrForged or a hint", notice)
	}
}

// repointed checks that a message changed to name another payment does not pay it: it is forged,
// or the inquiry that it causes finds no payment.
func repointed(w *World) {
	s, m := w.paidWithMessage()
	other := w.begin(Pays)
	changed := w.Repoint(m, s, other.Payment.Reference)
	if bytes.Equal(changed.Body, m.Body) && changed.Query == m.Query {
		w.T.Fatal("the message names no payment")
	}
	w.wantForgedOrHint(changed, other.Payment.Reference)
	w.wantOpen(other)
	w.wantTaken(s, 1)
}

func truncated(w *World) {
	_, m := w.paidWithMessage()
	for n := range m.Body {
		short := m
		short.Body = m.Body[:n]
		w.wantForged(w.Account, short)
	}
	for n := range m.Query {
		short := m
		short.Query = m.Query[:n]
		w.wantForged(w.Account, short)
	}
}

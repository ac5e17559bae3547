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

// wantGenuine checks what a genuine message of a paid payment says: the right reference or
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

// paidWithMessage is a paid payment and the message about it.
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

// messageOfDeclined is genuine, and says nothing of money.
func messageOfDeclined(w *World) {
	s := w.begin(Declines)
	w.act(s, Declines)
	notice, err := w.Account.ParseNotification(w.messageOf(s))
	if err != nil || notice.Reference != s.Payment.Reference && notice.Reference != "" {
		w.T.Errorf("ParseNotification = %+v, %v, want it genuine, about %q or nothing", notice, err,
			s.Payment.Reference)
	}
	if (notice.Proof != nil) != proves(w.Capability) {
		w.T.Errorf("proof %+v of a method whose messages prove: %t", notice.Proof, proves(w.Capability))
	}
	if notice.Proof != nil {
		wantDeclined(w, w.checked(s, outcomeOf(*notice.Proof, nil)))
	}
	w.wantTaken(s, 0)
}

// early messages are true before we know the payment, or before the acquirer's books do.
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
	if o := w.act(s, PaysEarly); o.err != nil ||
		o.state != acquirer.StateNotFound && o.state != acquirer.StatePending {
		w.T.Errorf("outcome %+v, want nothing known yet", o)
	}
	w.wantGenuine(s, w.messageOf(s))
	w.Clock.Advance(5 * time.Minute)
	w.wantPaid(s, w.ask(s))
}

// A recording is refused, or says what was true and still is.
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

// forged messages have a signature by another key, or none.
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
	for _, other := range []string{"", "{}", "[]", "null", "<html>",
		"approved=1&invoice_no=" + s.Payment.Reference} {
		w.wantForged(w.Account, acquirer.Message{Body: []byte(other)})
		w.wantForged(w.Account, acquirer.Message{Returned: true, Query: other})
	}
	w.wantTaken(s, 1)
}

// edit changes the text of a message and leaves its signature. false: nothing was changed.
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

// A changed outcome is a forgery, or is not read: a hint has none.
func otherOutcome(w *World) {
	s, m := w.paidWithMessage()
	outcomes := strings.NewReplacer(
		"approved=1", "canceled=1", `"approved":1`, `"canceled":1`, `"paid"`, `"declined"`,
		`"completed"`, `"declined"`,
		`"Success"`, `"Failed"`, `"Approved"`, `"Declined"`, "transaction_credit_notice",
		"transaction_status_update",
	)
	other, changed := edit(m, func(text []byte) []byte { return []byte(outcomes.Replace(string(text))) })
	if !changed {
		w.T.Fatalf("the message names no outcome: %s %s", m.Query, m.Body)
	}
	w.wantForgedOrHint(other, s.Payment.Reference)
	w.wantTaken(s, 1)
	w.wantState(s, acquirer.StatePaid)
}

// wantForgedOrHint checks that a message that was changed proves nothing.
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

// repointed messages pay nothing: they are forged, or the inquiry that they cause finds no
// payment.
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

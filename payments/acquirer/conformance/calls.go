package conformance

import (
	"context"
	"errors"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/fake"
)

// call is a call of the port that sends a request to the acquirer.
type call struct {
	letter, name string
	needs        func(acquirer.Capability) reason
	// start brings a payment to the state in which the call is made.
	start func(w *World) *Session
	do    func(ctx context.Context, a acquirer.Acquirer, s *Session) error
	// after checks the state after a call whose outcome is unknown, which the acquirer has
	// carried out or not.
	after func(w *World, s *Session, carriedOut bool)
}

func asksToBegin(c acquirer.Capability) reason {
	if c.Flow == acquirer.Lightbox || c.Flow == acquirer.QR {
		return "Begin asks nobody."
	}
	return ""
}

// when returns a predicate that gives the reason why where holds is false.
func when(why reason, holds func(acquirer.Capability) bool) func(acquirer.Capability) reason {
	return func(c acquirer.Capability) reason {
		if holds(c) {
			return ""
		}
		return why
	}
}

var (
	typesCode = when("No code is typed on our page.", func(c acquirer.Capability) bool {
		return c.Flow == acquirer.OTP
	})
	canAsk = when("The acquirer cannot be asked (no inquiry).", func(c acquirer.Capability) bool {
		return c.Inquiry
	})
	canRefund = when("The acquirer has no call for refunds.", func(c acquirer.Capability) bool {
		return c.Refund
	})
	canResend = when("No code can be sent again.", func(c acquirer.Capability) bool { return c.Resend })
	canCancel = when("An open payment cannot be given up.", func(c acquirer.Capability) bool { return c.Cancel })
)

func begun(w *World) *Session { return w.begin(Pays) }
func paid(w *World) *Session  { return w.paid() }

var calls = []call{
	{
		"B", "Begin", asksToBegin,
		func(w *World) *Session { return &Session{Payment: w.payment(Pays)} },
		func(ctx context.Context, a acquirer.Acquirer, s *Session) error {
			_, err := a.Begin(ctx, s.Payment)
			return err
		},
		func(w *World, s *Session, _ bool) {
			w.wantTaken(s, 0)
			if w.Capability.Inquiry { // then asking again opens no second payment
				again := w.beginPayment(s.Payment)
				w.wantPaid(again, w.act(again, Pays))
			}
		},
	},
	{
		"C", "Confirm", typesCode, begun,
		func(ctx context.Context, a acquirer.Acquirer, s *Session) error {
			_, err := a.Confirm(ctx, s.ref, codeOf(s, Pays))
			return err
		},
		func(w *World, s *Session, carriedOut bool) {
			times, state := 0, acquirer.StatePending
			if carriedOut {
				times, state = 1, acquirer.StatePaid
			}
			w.wantTaken(s, times)
			w.wantState(s, state)
		},
	},
	{
		"S", "Resend", canResend, begun,
		func(ctx context.Context, a acquirer.Acquirer, s *Session) error {
			_, err := a.Resend(ctx, s.ref)
			return err
		},
		func(w *World, s *Session, _ bool) { w.wantPaid(s, w.act(s, Pays)) },
	},
	{
		"X", "Cancel", canCancel, begun,
		func(ctx context.Context, a acquirer.Acquirer, s *Session) error {
			_, err := a.Cancel(ctx, s.ref)
			return err
		},
		func(w *World, s *Session, carriedOut bool) {
			state := acquirer.StatePending
			if carriedOut {
				state = acquirer.StateDeclined
			}
			w.wantState(s, state)
		},
	},
	{
		"I", "Inquire", canAsk, paid,
		func(ctx context.Context, a acquirer.Acquirer, s *Session) error {
			_, err := a.Inquire(ctx, s.ref)
			return err
		},
		func(w *World, s *Session, _ bool) { w.wantPaid(s, w.ask(s)) },
	},
	{
		"R", "Refund", canRefund, paid,
		func(ctx context.Context, a acquirer.Acquirer, s *Session) error {
			_, err := a.Refund(ctx, s.ref, s.Payment.Money)
			return err
		},
		func(w *World, s *Session, carriedOut bool) {
			var want int64
			if carriedOut {
				want = amount
			}
			w.wantRefunded(s, want)
		},
	},
	{
		"K", "Check", always, begun,
		func(ctx context.Context, a acquirer.Acquirer, _ *Session) error {
			return a.Check(ctx, methodsOf(a))
		},
		func(w *World, s *Session, _ bool) { w.wantOpen(s) },
	},
}

// wantState inquires and checks the state, where the acquirer has inquiries.
func (w *World) wantState(s *Session, want acquirer.State) {
	w.T.Helper()
	if !w.Capability.Inquiry {
		return
	}
	if o := w.ask(s); o.err != nil || o.state != want {
		w.T.Errorf("the inquiry says %+v, want %s", o, want)
	}
}

func (w *World) wantRefunded(s *Session, want int64) {
	w.T.Helper()
	if got := w.Books(s.Payment).Refunded; got != want {
		w.T.Errorf("%d went back, want %d", got, want)
	}
}

// faults are the behaviours about calls without a proper answer. An error is never a refusal.
var faults = []behaviour{
	{name: "time-out, not carried out", call: timeOut(false)},
	{name: "time-out, carried out", call: timeOut(true)},
	{name: "silence until the connection ends, not carried out", call: broken(fake.Hang)},
	{name: "silence until the connection ends, carried out", call: broken(fake.HangAfter)},
	{name: "connection lost, not carried out", call: broken(fake.DropBefore)},
	{name: "answer lost, carried out", call: broken(fake.DropAfter)},
	{name: "500 with a body, not carried out", call: broken(fake.Error)},
	{name: "500 with a body, carried out", call: broken(fake.ErrorAfter)},
	{name: "500 with the right answer, carried out", call: broken(fake.WrongStatus)},
	{name: "500 without a body, not carried out", call: broken(fake.EmptyError)},
	{name: "500 without a body, carried out", call: broken(fake.EmptyErrorAfter)},
	{name: "502 with HTML, not carried out", call: broken(fake.HTML)},
	{name: "502 with HTML, carried out", call: broken(fake.HTMLAfter)},
	{name: "200 with HTML, not carried out", call: broken(fake.Page)},
	{name: "200 with HTML, carried out", call: broken(fake.PageAfter)},
	{name: "200 without a body, carried out", call: broken(fake.Empty)},
	{name: "200 with half of the JSON, carried out", call: broken(fake.Half)},
	{name: "401 with HTML of something on the way", call: broken(fake.Unauthorized)},
	{name: "connection refused: not sent", call: refused},
	{name: "given up before it was sent", call: canceledBefore},
	{name: "wrong credentials", call: wrongCredentials},
}

// broken makes the acquirer's answer fail.
func broken(f fake.Fault) func(*World, call) {
	return func(w *World, c call) {
		s := c.start(w)
		w.Fault(f)
		err := c.do(w.T.Context(), w.Account, s)
		// A refusal can prove the credentials to Check, and an acquirer's refusal may have any status.
		if err != nil || c.name != "Check" || f != fake.WrongStatus {
			w.wantUnknown(err)
		}
		c.after(w, s, f.CarriedOut())
	}
}

// timeOut cancels a request that has reached the acquirer.
func timeOut(carriedOut bool) func(*World, call) {
	return func(w *World, c call) {
		s := c.start(w)
		ctx, giveUp := context.WithCancel(w.T.Context())
		defer giveUp()
		reached := w.Server.Hold(carriedOut)
		go func() {
			select {
			case <-reached:
				giveUp()
			case <-ctx.Done():
			}
		}()
		w.wantUnknown(c.do(ctx, w.Account, s))
		c.after(w, s, carriedOut)
	}
}

func refused(w *World, c call) {
	s := c.start(w)
	nowhere, before := w.Open(acquirertest.Nowhere, false), w.Server.Requests()
	w.wantNotSent(c.do(w.T.Context(), nowhere, s), before)
	c.after(w, s, false)
}

func canceledBefore(w *World, c call) {
	s := c.start(w)
	ended, end := context.WithCancel(w.T.Context())
	end()
	before := w.Server.Requests()
	w.wantNotSent(c.do(ended, w.Account, s), before)
	c.after(w, s, false)
}

// wrongCredentials checks that the error is ErrAccount and that nothing is done.
func wrongCredentials(w *World, c call) {
	s := c.start(w)
	err := c.do(w.T.Context(), w.Open(w.Server.URL, true), s)
	if !errors.Is(err, acquirer.ErrAccount) || errors.Is(err, acquirer.ErrNotSent) {
		w.T.Errorf("%v, want ErrAccount", err)
	}
	w.keepsSecrets(err)
	c.after(w, s, false)
}

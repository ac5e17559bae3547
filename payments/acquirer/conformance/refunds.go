package conformance

import (
	"cmp"
	"errors"
	"sync"

	"daftar/payments/acquirer"
)

// refunds are the behaviours about refunds, new codes and payments that are given up.
var refunds = []behaviour{
	{name: "refund of the whole", needs: canRefund, run: refundWhole},
	{name: "refund in parts", needs: canRefund, run: refundParts},
	{name: "refund of more than was paid", needs: canRefund, run: refundMore},
	{name: "refund again", needs: canRefund, run: refundAgain},
	{name: "two refunds at once", needs: canRefund, run: refundsAtOnce},
	{name: "refund when the memo of the report was lost", needs: canRefund, run: refundWithoutMemo},
	{name: "a code sent again", needs: canResend, run: resend},
	{name: "given up", needs: canCancel, run: cancel},
	{name: "given up after it was paid", needs: canCancel, run: cancelPaid},
}

func (w *World) refund(s *Session, part int64) {
	w.T.Helper()
	back, err := w.Account.Refund(w.T.Context(), s.ref, lyd(part))
	if err != nil || back.Money != lyd(part) || back.ProviderReference == "" ||
		back.ProviderReference == s.ref.ProviderReference {
		w.T.Errorf("Refund of %d = %+v, %v", part, back, err)
	}
}

// refuseRefund checks that a refund is an error, which is ErrNotSent only if nothing was sent.
func (w *World) refuseRefund(s *Session, part int64) {
	w.T.Helper()
	before := w.Server.Requests()
	_, err := w.Account.Refund(w.T.Context(), s.ref, lyd(part))
	if w.Server.Requests() > before {
		w.wantRefused(err)
	} else {
		w.wantNotSent(err, before)
	}
}

// wantRefused checks the error of a refund that the acquirer does not carry out: it is unknown, or
// ErrRefused where the acquirer says so certainly. The caller looks into the books.
func (w *World) wantRefused(err error) {
	w.T.Helper()
	if errors.Is(err, acquirer.ErrRefused) && !errors.Is(err, acquirer.ErrNotSent) {
		w.keepsSecrets(err)
		return
	}
	w.wantUnknown(err)
}

func refundWhole(w *World) {
	s := w.paid()
	w.refund(s, amount)
	w.wantRefunded(s, amount)
	w.wantPaid(s, w.ask(s)) // a refund does not change the report
}

func refundParts(w *World) {
	s := w.paid()
	w.refund(s, 20_000)
	w.refund(s, amount-20_000)
	w.wantRefunded(s, amount)
	w.wantPaid(s, w.ask(s))
}

func refundMore(w *World) {
	s := w.paid()
	for _, part := range []int64{0, -1, amount + 1} {
		w.refuseRefund(s, part)
	}
	w.wantRefunded(s, 0)
	w.refund(s, 40_000)
	w.refuseRefund(s, amount-40_000+1)
	w.wantRefunded(s, 40_000)
}

// refundAgain checks that a repeated refund is an error and gives nothing more back.
func refundAgain(w *World) {
	s := w.paid()
	w.refund(s, amount)
	for range 2 {
		w.refuseRefund(s, amount)
	}
	w.wantRefunded(s, amount)
}

// refundsAtOnce checks that of two refunds, which together exceed the payment, one is carried out.
func refundsAtOnce(w *World) {
	s := w.paid()
	results := make([]error, 2)
	var both sync.WaitGroup
	for i := range results {
		both.Go(func() { _, results[i] = w.Account.Refund(w.T.Context(), s.ref, lyd(30_000)) })
	}
	both.Wait()
	if (results[0] == nil) == (results[1] == nil) {
		w.T.Errorf("%v and %v, want one refund", results[0], results[1])
	}
	w.wantRefused(cmp.Or(results[0], results[1]))
	w.wantRefunded(s, 30_000)
}

func refundWithoutMemo(w *World) {
	s := w.paid()
	s.ref.Memo = ""
	w.refund(s, amount)
	w.wantRefunded(s, amount)
}

func resend(w *World) {
	s := w.begin(Pays)
	for range 2 {
		sent, err := w.Account.Resend(w.T.Context(), s.ref)
		if err != nil || sent.Digits != len(codeOf(s, Pays)) {
			w.T.Errorf("Resend = %+v, %v", sent, err)
		}
	}
	w.wantOpen(s)
	w.wantPaid(s, w.act(s, Pays))
	if sent, err := w.Account.Resend(w.T.Context(), s.ref); !errors.Is(err, acquirer.ErrNoCodeWanted) {
		w.T.Errorf("Resend of a paid payment = %+v, %v", sent, err)
	}
}

func cancel(w *World) {
	s := w.begin(Pays)
	for range 2 {
		report, err := w.Account.Cancel(w.T.Context(), s.ref)
		wantDeclined(w, w.checked(s, outcomeOf(report, err)), acquirer.Abandoned)
	}
	wantDeclined(w, w.act(s, Pays), acquirer.Abandoned)
	w.wantTaken(s, 0)
}

func cancelPaid(w *World) {
	s := w.paid()
	report, err := w.Account.Cancel(w.T.Context(), s.ref)
	w.wantPaid(s, w.checked(s, outcomeOf(report, err)))
}

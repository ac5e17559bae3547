package payments

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"daftar/domain"
	"daftar/internal/failpoint"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// beginLease and codeLease are how long a request may take from its claim until it has
// recorded the outcome. Only after that does Run ask the acquirer.
func (o Option) beginLease() time.Duration { return o.limit() + 3*storeLimit }
func (o Option) codeLease() time.Duration  { return 2*o.limit() + 4*storeLimit }

// Start is how a payer wants to pay.
type Start struct {
	Option   Option
	Inputs   acquirer.Inputs // those of the option, in their normal form
	Networks []string        // web.Networks of the payer's address
	Language locale.Lang
}

// Begin starts an attempt and calls the acquirer. It continues when the payer leaves,
// because to stop half way would make the outcome unknown. The error is a
// LimitReached where no message may be sent; then nothing is recorded.
//
// The row is written first, so that the attempt is asked about whatever happens next; the
// event is second, and only the request that wrote it calls the acquirer.
func (e *Engine) Begin(ctx context.Context, i domain.Intent, s Start) error {
	var random [16]byte
	rand.Read(random[:]) // cannot fail: crypto/rand ends the program where the system has no randomness
	o, now := s.Option, e.ledger.Now()
	payer := locale.MaskMobile(s.Inputs[acquirer.Phone])
	a := attempt.New(domain.NewAttemptID(random), i.ID, o.Acquirer(), o.Method, payer,
		s.Language.String(), now, now.Add(o.beginLease()))
	if o.Flow == acquirer.OTP {
		var err error
		if a.CountedFor, err = e.checkMessages(ctx, s.Inputs[acquirer.Phone], i.ID, s.Networks); err != nil {
			return err
		}
	}
	a, recorded, err := e.record(ctx, a, i.ExpiresAt)
	if err != nil || !recorded {
		return err
	}
	e.logFor(a).Info().Str("method", string(a.Method)).Msg("attempt started")
	a, kept, err := e.apply(ctx, a, attempt.CallBegin{
		Until: e.ledger.Now().Add(o.beginLease()), ExpiresAt: i.ExpiresAt,
	})
	if _, limited := errors.AsType[LimitReached](err); limited {
		// Other requests for the same number were faster since the check.
		return e.recordFinding(ctx, a, i, attempt.Decline(a, i, acquirer.TooManyCodes))
	}
	if err != nil {
		return err
	}
	if !kept {
		// This request took so long that its claim has lapsed, or the intent has expired.
		// Nothing was sent.
		return e.recordFinding(ctx, a, i, attempt.NeverCalled(a, i, e.ledger.Now()))
	}
	failpoint.Here("checkout_before_begin")
	begun, err := e.callBegin(ctx, a, i, o, s.Inputs)
	failpoint.Here("checkout_after_begin")
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		e.logFor(a).Error().Err(err).Msg("acquirer not reached")
		return e.recordFinding(ctx, a, i, attempt.NotBegun(a, i, acquirer.Unreachable))
	case errors.Is(err, acquirer.ErrAccount):
		e.logFor(a).Error().Err(err).Str("application", i.Application.String()).
			Msg("acquirer refuses the merchant's account")
		return e.recordFinding(ctx, a, i, attempt.NotBegun(a, i, acquirer.AccountRefused))
	case err != nil:
		e.logFor(a).Warn().Err(err).Str("outcome", "unknown").Msg("attempt may have begun")
		return e.report(ctx, a, attempt.Unknown{Claim: a.Claim(i.ExpiresAt)})
	}
	return e.showNextStep(ctx, a, i, begun)
}

// record writes the row and the event. It returns false if another attempt was
// first, or the intent has expired: the page shows that.
func (e *Engine) record(
	ctx context.Context, a attempt.Attempt, expiresAt time.Time,
) (attempt.Attempt, bool, error) {
	ctx, cancel := detached(ctx)
	defer cancel()
	a, err := e.attempts.insert(ctx, a)
	if err != nil {
		return a, false, err
	}
	failpoint.Here("checkout_before_event")
	_, err = e.ledger.Execute(ctx, a.Intent, domain.StartAttempt{
		Attempt: a.ID, Acquirer: a.Acquirer, Method: string(a.Method), Payer: a.Payer,
	}, e.originOf(ctx, "payer", a.ID))
	if _, refused := errors.AsType[domain.Refusal](err); refused {
		if err := e.report(ctx, a, attempt.Settled{Claim: a.Claim(expiresAt)}); err != nil {
			e.logFor(a).Warn().Err(err).Msg("attempt that did not begin is not closed yet")
		}
		return a, false, nil
	}
	return a, err == nil, err
}

// callBegin asks the acquirer to open the payment, or to return the one that it opened before.
func (e *Engine) callBegin(
	ctx context.Context, a attempt.Attempt, i domain.Intent, o Option, typed acquirer.Inputs,
) (acquirer.Begun, error) {
	ctx, cancel := o.withTimeout(context.WithoutCancel(ctx))
	defer cancel()
	return o.by.Begin(ctx, acquirer.Payment{
		Attempt:     a.ID,
		Reference:   o.ReferenceOf(a.ID),
		Intent:      i.ID,
		Money:       i.Amount,
		Method:      a.Method,
		Inputs:      typed,
		Description: i.Description,
		TimeLeft:    max(i.ExpiresAt.Sub(e.ledger.Now()), time.Millisecond),
		Language:    a.Language,
		ReturnURL:   e.returnURL(i, o, a.Language),
		NotifyURL:   e.notifyURL(a.Acquirer, i.Application),
		At:          e.ledger.Now(),
	})
}

// showNextStep writes to the row what the payer has to do next.
func (e *Engine) showNextStep(
	ctx context.Context, a attempt.Attempt, i domain.Intent, begun acquirer.Begun,
) error {
	var r attempt.Report
	switch begun := begun.(type) {
	case acquirer.CodeSent:
		r = codeSent(a, i, begun)
	case acquirer.Redirected:
		r = attempt.Redirected{Claim: a.Claim(i.ExpiresAt), URL: begun.URL, Memo: begun.Memo}
	case acquirer.Embedded:
		r = attempt.Redirected{
			Claim: a.Claim(i.ExpiresAt), URL: begun.ScriptURL, Presented: begun.Configuration, Memo: begun.Memo,
		}
	case acquirer.Presented:
		r = attempt.Redirected{Claim: a.Claim(i.ExpiresAt), Presented: begun.Payload, Memo: begun.Memo}
	case acquirer.BeginDeclined:
		return e.recordFinding(ctx, a, i, attempt.Decline(a, i, begun.Reason))
	default:
		return errors.Join(fmt.Errorf("acquirer answers begin with %T", begun),
			e.report(ctx, a, attempt.Undecided{Claim: a.Claim(i.ExpiresAt)}))
	}
	e.logFor(a).Info().Msg("attempt begun")
	return e.report(ctx, a, r)
}

func codeSent(a attempt.Attempt, i domain.Intent, sent acquirer.CodeSent) attempt.CodeSent {
	return attempt.CodeSent{
		Claim: a.Claim(i.ExpiresAt), To: locale.MaskMobile(cmp.Or(sent.SentTo, a.Payer)),
		Digits: sent.Digits, ValidFor: sent.ValidFor, Memo: sent.Memo,
	}
}

// CodeResult is the outcome of a code that was typed, as far as the payer has to know.
type CodeResult string

// The results.
const (
	CodeTaken   CodeResult = ""
	CodeWrong   CodeResult = "wrong"
	CodeTooMany CodeResult = "many" // in a short time: it was not handed over
)

// Confirm hands the code over, once: the claim of the row decides between two
// tabs. The error is a LimitReached where no code is taken, ErrNotReached where the acquirer
// has not seen it.
func (e *Engine) Confirm(
	ctx context.Context, read attempt.Attempt, i domain.Intent, code acquirer.Code,
) (CodeResult, error) {
	o, ours, err := e.OptionOf(ctx, read, i)
	if err != nil {
		return "", err
	}
	if !ours {
		return "", fmt.Errorf("confirm with acquirer %q: it is not configured", read.Acquirer)
	}
	a, claimed, err := e.apply(ctx, read, attempt.EnterCode{
		Until: e.ledger.Now().Add(o.codeLease()), ExpiresAt: i.ExpiresAt,
	})
	if err != nil {
		return "", err
	}
	if !claimed {
		return e.notClaimed(ctx, a.ID)
	}
	calling, cancel := o.withTimeout(context.WithoutCancel(ctx))
	defer cancel()
	failpoint.Here("checkout_before_confirm")
	confirmed, err := o.by.Confirm(calling, a.Ref(o.Capability, i.Amount), code)
	failpoint.Here("checkout_after_confirm")
	unknown := attempt.Unknown{Claim: a.Claim(i.ExpiresAt)}
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		e.logFor(a).Error().Err(err).Msg("acquirer not reached")
		return "", errors.Join(ErrNotReached,
			e.report(ctx, a, attempt.CodeNotTried{Claim: a.Claim(i.ExpiresAt)}))
	case err != nil:
		e.logFor(a).Warn().Err(err).Str("outcome", "unknown").Msg("code handed over")
		return "", e.report(ctx, a, unknown)
	}
	switch confirmed := confirmed.(type) {
	case acquirer.Paid:
		return "", e.verifyPayment(ctx, a, i, o, confirmed)
	case acquirer.WrongCode:
		return CodeWrong, e.report(ctx, a, attempt.WrongCode{
			Claim: a.Claim(i.ExpiresAt), TriesLeft: confirmed.TriesLeft,
		})
	case acquirer.Declined:
		return "", e.recordFinding(ctx, a, i, attempt.Decline(a, i, confirmed.Reason))
	}
	return "", errors.Join(fmt.Errorf("acquirer answers confirm with %T", confirmed),
		e.report(ctx, a, unknown))
}

// notClaimed returns the result of a code that was not taken: another request was faster,
// or there were too many codes.
func (e *Engine) notClaimed(ctx context.Context, id domain.AttemptID) (CodeResult, error) {
	ctx, cancel := detached(ctx)
	defer cancel()
	a, err := e.attempts.find(ctx, id)
	if err != nil || a.Stage != attempt.Code || a.NoCodeFor(e.ledger.Now()) == 0 {
		return "", err
	}
	e.logFor(a).Info().Int("codes", a.Codes).Msg("code refused: too many in a short time")
	return CodeTooMany, nil
}

// verifyPayment checks an answer that says paid. Where the acquirer has inquiries, the
// payment counts only when an inquiry says the same.
func (e *Engine) verifyPayment(
	ctx context.Context, a attempt.Attempt, i domain.Intent, o Option, p acquirer.Paid,
) error {
	report := acquirer.Report{
		State: acquirer.StatePaid, Reference: o.ReferenceOf(a.ID), Money: p.Money,
		ProviderReference: p.ProviderReference,
	}
	if o.Inquiry && p.Money == i.Amount {
		asking, cancel := o.withTimeout(context.WithoutCancel(ctx))
		defer cancel()
		asked, err := o.by.Inquire(asking, a.Ref(o.Capability, i.Amount))
		if err != nil {
			e.logFor(a).Warn().Err(err).Str("outcome", "unknown").Msg("payment not verified yet")
			return e.report(ctx, a, attempt.Unknown{Claim: a.Claim(i.ExpiresAt)})
		}
		report = asked
	}
	return e.recordReport(ctx, a, i, report)
}

// Resend asks the acquirer for a new code, not sooner than attempt.ResendEvery after the
// last. The claim comes before the call: of two presses one sends. The error is a
// LimitReached where no message may be sent.
func (e *Engine) Resend(ctx context.Context, read attempt.Attempt, i domain.Intent) (sent bool, err error) {
	o, ours, err := e.OptionOf(ctx, read, i)
	if err != nil || !ours || !o.Resend {
		return false, err
	}
	a, claimed, err := e.apply(ctx, read, attempt.Resend{ExpiresAt: i.ExpiresAt})
	if err != nil || !claimed {
		return false, err
	}
	calling, cancel := o.withTimeout(context.WithoutCancel(ctx))
	defer cancel()
	code, err := o.by.Resend(calling, a.Ref(o.Capability, i.Amount))
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		e.logFor(a).Error().Err(err).Msg("acquirer not reached")
		return false, errors.Join(ErrNotReached,
			e.report(ctx, a, attempt.CodeNotSent{At: a.CodeSentAt, Before: read.CodeSentAt}))
	case errors.Is(err, acquirer.ErrNoCodeWanted):
		e.logFor(a).Info().Msg("no new code: the payment does not wait for one")
		ctx, cancel := detached(ctx)
		defer cancel()
		return false, e.scheduleInquiry(ctx, a)
	case err != nil:
		// It may have been sent. The payer can type it, or ask again after the wait.
		e.logFor(a).Warn().Err(err).Msg("new code may have been sent")
		return false, nil
	}
	e.logFor(a).Info().Msg("new code sent")
	r := codeSent(a, i, code)
	r.Again = true
	return true, e.report(ctx, a, r)
}

// GiveUp asks the acquirer to cancel the payment and settles by what it reports.
// Meanwhile the row is claimed: no code can be handed over. Where the
// payment stays open, or the answer is lost, the payer continues where they were.
func (e *Engine) GiveUp(ctx context.Context, read attempt.Attempt, i domain.Intent) error {
	o, ours, err := e.OptionOf(ctx, read, i)
	if err != nil || !ours || !o.MayGiveUp(read) {
		return err
	}
	a, claimed, err := e.apply(ctx, read, attempt.GiveUp{
		From: read.Stage, Until: e.ledger.Now().Add(o.codeLease()),
	})
	if err != nil || !claimed {
		return err
	}
	if !o.Cancel && !o.payerAlone() {
		// Only a code takes the money, and after the claim none is handed over.
		e.logFor(a).Info().Msg("payer gave up")
		return e.recordFinding(ctx, a, i, attempt.Decline(a, i, acquirer.Abandoned))
	}
	calling, cancel := o.withTimeout(context.WithoutCancel(ctx))
	defer cancel()
	ask := o.by.Cancel
	if !o.Cancel {
		ask = o.by.Inquire
	}
	report, err := ask(calling, a.Ref(o.Capability, i.Amount))
	stillOpen := attempt.StillOpen{Claim: a.Claim(i.ExpiresAt), From: read.Stage}
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		e.logFor(a).Error().Err(err).Msg("acquirer not reached")
		return errors.Join(ErrNotReached,
			e.report(ctx, a, attempt.NotGivenUp{Claim: a.Claim(i.ExpiresAt), From: read.Stage}))
	case err != nil:
		e.logFor(a).Warn().Err(err).Str("outcome", "unknown").Msg("attempt may have been given up")
		return e.report(ctx, a, stillOpen)
	}
	switch report.State {
	case acquirer.StatePaid, acquirer.StateDeclined:
		e.logFor(a).Info().Str("state", string(report.State)).Msg("payer gave up")
		return e.recordReport(ctx, a, i, report)
	case acquirer.StatePending, acquirer.StateNotFound:
		if !o.Cancel {
			e.logFor(a).Info().Msg("payer gave up; whether they pay after all is asked about on")
			return e.recordFinding(ctx, a, i, attempt.Abandon(a, i))
		}
		e.logFor(a).Info().Str("state", string(report.State)).Msg("payer gave up; the acquirer did not")
		return e.report(ctx, a, stillOpen)
	}
	return errors.Join(fmt.Errorf("the acquirer reports the unknown state %q", report.State),
		e.report(ctx, a, stillOpen))
}

package checkout

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"daftar/checkout/acquirer"
	"daftar/checkout/attempt"
	"daftar/domain"
	"daftar/internal/failpoint"
	"daftar/internal/web"
)

// beginLease and codeLease are how long a request may take from its claim to the
// writing down of the outcome. Only after that is the acquirer asked.
const (
	beginLease = acquirerLimit + 3*storeLimit
	codeLease  = 2*acquirerLimit + 4*storeLimit
)

// begin starts an attempt and calls the acquirer. It goes on when the payer
// leaves: half way, an answer would turn into an unknown outcome.
//
// The row is first, so that whatever happens after it is found out; the event is
// second, and only the request that wrote it calls the acquirer.
func (c *Checkout) begin(ctx context.Context, i domain.Intent, by way, phone string, l web.Lang) error {
	var random [16]byte
	rand.Read(random[:]) // cannot fail: crypto/rand ends the program where the system has no randomness
	now := c.now()
	a := attempt.New(domain.NewAttemptID(random), i.ID, by.by.Name(), by.Method, masked(phone), l.String(), now, now.Add(beginLease))
	a, recorded, err := c.record(ctx, a)
	if err != nil || !recorded {
		return err
	}
	c.about(a).Info().Str("method", string(a.Method)).Msg("attempt started")
	a, kept, err := c.apply(ctx, a, attempt.CallBegin{Until: c.now().Add(beginLease)})
	if err != nil {
		return err
	}
	if !kept {
		// This request slept for so long that its row was given up. Nothing was sent.
		return c.carryOut(ctx, a, i, attempt.Decline(a, acquirer.Unreachable))
	}
	failpoint.Here("checkout_before_begin")
	begun, err := c.callBegin(ctx, a, i, by, phone)
	failpoint.Here("checkout_after_begin")
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		c.about(a).Error().Err(err).Msg("acquirer not reached")
		return c.carryOut(ctx, a, i, attempt.Decline(a, acquirer.Unreachable))
	case err != nil:
		c.about(a).Warn().Err(err).Str("outcome", "unknown").Msg("attempt may have begun")
		return c.report(ctx, a, attempt.Unknown{Claim: a.Claim(), ExpiresAt: i.ExpiresAt})
	}
	return c.leadOn(ctx, a, i, begun)
}

// record writes the row and the event. It returns false if another attempt was
// first, or the time is over: the page shows that.
func (c *Checkout) record(ctx context.Context, a attempt.Attempt) (attempt.Attempt, bool, error) {
	ctx, cancel := detached(ctx)
	defer cancel()
	a, err := c.attempts.insert(ctx, a, c.now())
	if err != nil {
		return a, false, err
	}
	failpoint.Here("checkout_before_event")
	_, err = c.ledger.Execute(ctx, a.Intent, domain.StartAttempt{
		Attempt: a.ID, Acquirer: a.Acquirer, Method: string(a.Method), Payer: a.Payer,
	}, c.causedBy(ctx, "payer", a.ID))
	if _, refused := errors.AsType[domain.Refusal](err); refused {
		if err := c.report(ctx, a, attempt.Settled{Claim: a.Claim()}); err != nil {
			c.about(a).Warn().Err(err).Msg("attempt that did not begin is not closed yet")
		}
		return a, false, nil
	}
	return a, err == nil, err
}

// callBegin asks the acquirer to open the payment, or which one it opened before.
func (c *Checkout) callBegin(ctx context.Context, a attempt.Attempt, i domain.Intent, by way, phone string) (acquirer.Begun, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitOf(by.Capability))
	defer cancel()
	return by.by.Begin(ctx, acquirer.Payment{
		Attempt: a.ID, Intent: i.ID, Money: i.Amount, Method: a.Method, Phone: phone, Description: i.Description,
		Language: a.Language, ReturnURL: c.returnURL(i, a.Language), NotifyURL: c.notifyURL(a.Acquirer),
	})
}

// leadOn remembers what the payer has to do next.
func (c *Checkout) leadOn(ctx context.Context, a attempt.Attempt, i domain.Intent, begun acquirer.Begun) error {
	var r attempt.Report
	switch begun := begun.(type) {
	case acquirer.CodeSent:
		r = codeSent(a, i, begun)
	case acquirer.Redirected:
		r = attempt.Redirected{Claim: a.Claim(), URL: begun.URL, ExpiresAt: i.ExpiresAt}
	case acquirer.BeginDeclined:
		return c.carryOut(ctx, a, i, attempt.Decline(a, begun.Reason))
	default:
		return errors.Join(fmt.Errorf("acquirer answers begin with %T", begun),
			c.report(ctx, a, attempt.Undecided{Claim: a.Claim(), ExpiresAt: i.ExpiresAt}))
	}
	c.about(a).Info().Msg("attempt begun")
	return c.report(ctx, a, r)
}

func codeSent(a attempt.Attempt, i domain.Intent, sent acquirer.CodeSent) attempt.CodeSent {
	return attempt.CodeSent{
		Claim: a.Claim(), To: masked(sent.SentTo), Digits: sent.Digits, ValidFor: sent.ValidFor, ExpiresAt: i.ExpiresAt,
	}
}

// confirm hands the code over, once: the claim of the row decides between two
// tabs. It returns what the page has to say of the code, if anything.
func (c *Checkout) confirm(ctx context.Context, read attempt.Attempt, i domain.Intent, code string) (note string, err error) {
	by, can, ours := c.capability(read)
	if !ours {
		return "", fmt.Errorf("confirm with acquirer %q: it is not configured", read.Acquirer)
	}
	a, claimed, err := c.apply(ctx, read, attempt.EnterCode{Until: c.now().Add(codeLease)})
	if err != nil {
		return "", err
	}
	if !claimed {
		return c.notClaimed(ctx, a.ID)
	}
	calling, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitOf(can))
	defer cancel()
	failpoint.Here("checkout_before_confirm")
	confirmed, err := by.Confirm(calling, a.ID, code)
	failpoint.Here("checkout_after_confirm")
	unknown := attempt.Unknown{Claim: a.Claim(), ExpiresAt: i.ExpiresAt}
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		c.about(a).Error().Err(err).Msg("acquirer not reached")
		return "", errors.Join(errNotReached, c.report(ctx, a, attempt.CodeNotTried{Claim: a.Claim(), ExpiresAt: i.ExpiresAt}))
	case err != nil:
		c.about(a).Warn().Err(err).Str("outcome", "unknown").Msg("code handed over")
		return "", c.report(ctx, a, unknown)
	}
	switch confirmed := confirmed.(type) {
	case acquirer.Paid:
		return "", c.verifyPayment(ctx, a, i, by, can, confirmed)
	case acquirer.WrongCode:
		return codeWrong, c.report(ctx, a, attempt.WrongCode{Claim: a.Claim(), TriesLeft: confirmed.TriesLeft, ExpiresAt: i.ExpiresAt})
	case acquirer.Declined:
		return "", c.carryOut(ctx, a, i, attempt.Decline(a, confirmed.Reason))
	}
	return "", errors.Join(fmt.Errorf("acquirer answers confirm with %T", confirmed), c.report(ctx, a, unknown))
}

// notClaimed says why a code was not taken: another request is faster, or there
// were too many.
func (c *Checkout) notClaimed(ctx context.Context, id domain.AttemptID) (note string, err error) {
	ctx, cancel := detached(ctx)
	defer cancel()
	a, err := c.attempts.find(ctx, id)
	if err != nil || a.Stage != attempt.Code || a.NoCodeFor(c.now()) == 0 {
		return "", err
	}
	c.about(a).Info().Int("codes", a.Codes).Msg("code refused: too many in a short time")
	return codeTooMany, nil
}

// verifyPayment checks an answer that says paid. It counts only when an inquiry
// says the same, where the acquirer can be asked.
func (c *Checkout) verifyPayment(ctx context.Context, a attempt.Attempt, i domain.Intent, by *guarded, can acquirer.Capability, p acquirer.Paid) error {
	report := acquirer.Report{
		State: acquirer.StatePaid, Attempt: a.ID, Money: p.Money, ProviderReference: p.ProviderReference,
	}
	if can.Inquiry && p.Money == i.Amount {
		asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitOf(can))
		defer cancel()
		asked, err := by.Inquire(asking, a.ID)
		if err != nil {
			c.about(a).Warn().Err(err).Str("outcome", "unknown").Msg("payment not verified yet")
			return c.report(ctx, a, attempt.Unknown{Claim: a.Claim(), ExpiresAt: i.ExpiresAt})
		}
		report = asked
	}
	return c.settle(ctx, a, i, report)
}

// resend has a new code sent, not sooner than attempt.ResendEvery after the last.
// The claim comes before the call: of two presses one sends.
func (c *Checkout) resend(ctx context.Context, read attempt.Attempt, i domain.Intent) (sent bool, err error) {
	by, can, ours := c.capability(read)
	if !ours || !can.Resend {
		return false, nil
	}
	a, claimed, err := c.apply(ctx, read, attempt.Resend{})
	if err != nil || !claimed {
		return false, err
	}
	calling, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitOf(can))
	defer cancel()
	code, err := by.Resend(calling, a.ID)
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		c.about(a).Error().Err(err).Msg("acquirer not reached")
		return false, errors.Join(errNotReached, c.report(ctx, a, attempt.CodeNotSent{At: a.CodeSentAt, Before: read.CodeSentAt}))
	case errors.Is(err, acquirer.ErrNoCodeWanted):
		c.about(a).Info().Msg("no new code: the payment does not wait for one")
		err := c.report(ctx, a, attempt.Hint{})
		c.wake(a.Acquirer)
		return false, err
	case err != nil:
		// It may have been sent. The payer can type it, or ask again after the wait.
		c.about(a).Warn().Err(err).Msg("new code may have been sent")
		return false, nil
	}
	c.about(a).Info().Msg("new code sent")
	r := codeSent(a, i, code)
	r.Again = true
	return true, c.report(ctx, a, r)
}

// cancel asks the acquirer to give the payment up and settles by what it reports.
// While it does, the row is claimed: no code can be handed over. Where the
// payment stays open, or nothing is learnt, the payer goes on where they were.
func (c *Checkout) cancel(ctx context.Context, read attempt.Attempt, i domain.Intent) error {
	by, can, ours := c.capability(read)
	if !ours || !can.Cancel {
		return nil
	}
	a, claimed, err := c.apply(ctx, read, attempt.GiveUp{From: read.Stage, Until: c.now().Add(codeLease)})
	if err != nil || !claimed {
		return err
	}
	calling, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitOf(can))
	defer cancel()
	report, err := by.Cancel(calling, a.ID)
	stillOpen := attempt.StillOpen{Claim: a.Claim(), From: read.Stage}
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		c.about(a).Error().Err(err).Msg("acquirer not reached")
		return errors.Join(errNotReached,
			c.report(ctx, a, attempt.NotGivenUp{Claim: a.Claim(), From: read.Stage, ExpiresAt: i.ExpiresAt}))
	case err != nil:
		c.about(a).Warn().Err(err).Str("outcome", "unknown").Msg("attempt may have been given up")
		return c.report(ctx, a, stillOpen)
	}
	switch report.State {
	case acquirer.StatePaid, acquirer.StateDeclined:
		c.about(a).Info().Str("state", string(report.State)).Msg("payer gave up")
		return c.settle(ctx, a, i, report)
	case acquirer.StatePending, acquirer.StateNotFound:
		c.about(a).Info().Str("state", string(report.State)).Msg("payer gave up; the acquirer did not")
		return c.report(ctx, a, stillOpen)
	}
	return errors.Join(fmt.Errorf("the acquirer reports the unknown state %q", report.State), c.report(ctx, a, stillOpen))
}

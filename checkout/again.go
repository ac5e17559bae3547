package checkout

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"daftar/checkout/acquirer"
	"daftar/domain"
)

// soon is when the acquirer is asked after an answer that said nothing.
const soon = 2 * time.Second

// resendCode answers POST of the form that asks for a new code. Whatever comes of
// it, the page shows it.
func (c *Checkout) resendCode(w http.ResponseWriter, r *http.Request) error {
	i, a, found, err := c.findOpen(r)
	if err != nil {
		return err
	}
	query := ""
	if found && a.Stage == stageCode {
		sent, err := c.resend(r.Context(), a, i)
		if err != nil {
			return err
		}
		if sent {
			query = "?" + resentParameter + "=1"
		}
	}
	seePage(w, r, query)
	return nil
}

// findOpen is the intent whose page a request asks for, and its open attempt.
func (c *Checkout) findOpen(r *http.Request) (domain.Intent, attempt, bool, error) {
	i, err := c.find(r)
	if err != nil {
		return domain.Intent{}, attempt{}, false, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), storeLimit)
	defer cancel()
	a, found, err := c.openAttempt(ctx, i)
	return i, a, found, err
}

// resend has a new code sent, not sooner than resendEvery after the last. The
// claim comes before the call: of two presses one sends.
func (c *Checkout) resend(ctx context.Context, a attempt, i domain.Intent) (sent bool, err error) {
	by, can, ours := c.capability(a)
	if !ours || !can.Resend {
		return false, nil
	}
	claiming, cancel := brief(ctx)
	defer cancel()
	before := a.CodeSentAt
	a, claimed, err := c.attempts.claimResend(claiming, a.ID, c.now())
	if err != nil || !claimed {
		return false, err
	}
	calling, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitOf(can))
	defer cancel()
	code, err := by.Resend(calling, a.ID)
	writing, cancel := brief(ctx)
	defer cancel()
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		c.about(a).Error().Err(err).Msg("acquirer not reached")
		return false, errors.Join(errNotReached, c.attempts.returnResend(writing, a, before))
	case errors.Is(err, acquirer.ErrNoCodeWanted):
		c.about(a).Info().Msg("no new code: the payment does not wait for one")
		_, err := c.attempts.hint(writing, a.ID, a.Acquirer, c.now())
		c.wake(a.Acquirer)
		return false, err
	case err != nil:
		// It may have been sent. The payer can type it, or ask again after the wait.
		c.about(a).Warn().Err(err).Msg("new code may have been sent")
		return false, nil
	}
	now := c.now()
	b := a.withCode(code, now)
	b.ResentAt = &now
	at := nextInquiry(b, i.ExpiresAt, now)
	b.AskAt = &at
	c.about(a).Info().Msg("new code sent")
	return true, c.attempts.noteResent(writing, a, b)
}

// giveUp answers POST of the form that ends the attempt, so that the payer can
// pay another way.
func (c *Checkout) giveUp(w http.ResponseWriter, r *http.Request) error {
	i, a, found, err := c.findOpen(r)
	if err != nil {
		return err
	}
	if found && (a.Stage == stageCode || a.Stage == stageBank) {
		if err := c.cancel(r.Context(), a, i); err != nil {
			return err
		}
	}
	seePage(w, r, "")
	return nil
}

// cancel asks the acquirer to give the payment up and settles by what it reports.
// While it does, the row is claimed: no code can be handed over. Where the
// payment stays open, or nothing is learnt, the payer goes on where they were.
func (c *Checkout) cancel(ctx context.Context, read attempt, i domain.Intent) error {
	by, can, ours := c.capability(read)
	if !ours || !can.Cancel {
		return nil
	}
	claiming, cancel := brief(ctx)
	defer cancel()
	now := c.now()
	a, claimed, err := c.attempts.claimGiveUp(claiming, read, now, now.Add(codeLease))
	if err != nil || !claimed {
		return err
	}
	calling, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitOf(can))
	defer cancel()
	report, err := by.Cancel(calling, a.ID)
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		c.about(a).Error().Err(err).Msg("acquirer not reached")
		return errors.Join(errNotReached, c.release(ctx, a, a, i, read.Stage))
	case err != nil:
		c.about(a).Warn().Err(err).Str("outcome", "unknown").Msg("attempt may have been given up")
		return c.releaseAndAsk(ctx, a, read.Stage)
	}
	switch report.State {
	case acquirer.StatePaid, acquirer.StateDeclined:
		c.about(a).Info().Str("state", string(report.State)).Msg("payer gave up")
		return c.settle(ctx, a, i, report)
	case acquirer.StatePending, acquirer.StateNotFound:
		c.about(a).Info().Str("state", string(report.State)).Msg("payer gave up; the acquirer did not")
		return c.releaseAndAsk(ctx, a, read.Stage)
	}
	return errors.Join(fmt.Errorf("the acquirer reports the unknown state %q", report.State), c.releaseAndAsk(ctx, a, read.Stage))
}

// releaseAndAsk ends a claim and has the acquirer asked soon.
func (c *Checkout) releaseAndAsk(ctx context.Context, claimed attempt, s stage) error {
	b := claimed
	b.Stage, b.Since = s, c.now()
	b.AskAt = after(b.Since, soon)
	ctx, cancel := brief(ctx)
	defer cancel()
	return c.attempts.release(ctx, claimed, b)
}

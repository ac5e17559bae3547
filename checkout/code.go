package checkout

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"daftar/checkout/acquirer"
	"daftar/domain"
	"daftar/internal/failpoint"
	"daftar/internal/web"
)

// enterCode answers POST of the code page.
func (c *Checkout) enterCode(w http.ResponseWriter, r *http.Request) error {
	i, err := c.find(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), storeLimit)
	defer cancel()
	a, found, err := c.openAttempt(ctx, i)
	if err != nil {
		return err
	}
	if !found || a.Stage != stageCode {
		seePage(w, r, "")
		return nil
	}
	readForm(w, r)
	code := web.FoldDigits(r.PostForm.Get("otp"))
	if problem := checkCode(code); problem != CodeFine {
		order, err := c.order(ctx, i)
		if err != nil {
			return err
		}
		s := c.otp(i, order, a, nil)
		s.Problem = problem
		c.renderIntent(w, r, http.StatusUnprocessableEntity, i, s)
		return nil
	}
	note, err := c.confirm(r.Context(), a, i, code)
	if err != nil {
		return err
	}
	query := ""
	if note != "" {
		query = "?" + codeParameter + "=" + note
	}
	seePage(w, r, query)
	return nil
}

// maxCode bounds a code in digits. Whether the length is right is for the
// acquirer to say.
const maxCode = 12

func checkCode(code string) CodeProblem {
	if code == "" {
		return CodeMissing
	}
	if len(code) > maxCode || strings.Trim(code, "0123456789") != "" {
		return CodeMalformed
	}
	return CodeFine
}

// confirm hands the code over, once: the claim of the row decides between two
// tabs. It returns what the page has to say of the code, if anything.
func (c *Checkout) confirm(ctx context.Context, a attempt, i domain.Intent, code string) (note string, err error) {
	now := c.now()
	claiming, cancel := brief(ctx)
	defer cancel()
	by, can, ours := c.capability(a)
	if !ours {
		return "", fmt.Errorf("confirm with acquirer %q: it is not configured", a.Acquirer)
	}
	id := a.ID
	a, claimed, err := c.attempts.claimCode(claiming, id, now, now.Add(codeLease))
	if err != nil {
		return "", err
	}
	if !claimed {
		return c.notClaimed(claiming, id)
	}
	calling, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitOf(can))
	defer cancel()
	failpoint.Here("checkout_before_confirm")
	confirmed, err := by.Confirm(calling, a.ID, code)
	failpoint.Here("checkout_after_confirm")
	if errors.Is(err, acquirer.ErrNotSent) {
		c.about(a).Error().Err(err).Msg("acquirer not reached")
		b := a
		b.Codes-- // it was not tried
		return "", errors.Join(errNotReached, c.release(ctx, a, b, i, stageCode))
	}
	if err != nil {
		c.about(a).Warn().Err(err).Str("outcome", "unknown").Msg("code handed over")
		return "", c.ask(ctx, a, i)
	}
	switch confirmed := confirmed.(type) {
	case acquirer.Paid:
		return "", c.believe(ctx, a, i, by, can, confirmed)
	case acquirer.WrongCode:
		b := a
		b.TriesLeft = confirmed.TriesLeft
		return codeWrong, c.release(ctx, a, b, i, stageCode)
	case acquirer.Declined:
		return "", c.fail(ctx, a, confirmed.Reason)
	}
	return "", errors.Join(fmt.Errorf("acquirer answers confirm with %T", confirmed), c.ask(ctx, a, i))
}

// notClaimed says why a code was not taken: another request is faster, or there
// were too many.
func (c *Checkout) notClaimed(ctx context.Context, id domain.AttemptID) (note string, err error) {
	a, found, err := c.attempts.find(ctx, id)
	if err != nil || !found || a.Stage != stageCode || a.noCodeFor(c.now()) == 0 {
		return "", err
	}
	c.about(a).Info().Int("codes", a.Codes).Msg("code refused: too many in a short time")
	return codeTooMany, nil
}

// ask leaves an outcome that is unknown from now on to the inquiries.
func (c *Checkout) ask(ctx context.Context, a attempt, i domain.Intent) error {
	b := a
	b.Since = c.now()
	return c.wait(ctx, a, b, i)
}

// release ends a claim: the payer goes on in the stage.
func (c *Checkout) release(ctx context.Context, claimed, a attempt, i domain.Intent, s stage) error {
	a.Stage, a.Since = s, c.now()
	at := nextInquiry(a, i.ExpiresAt, a.Since)
	a.AskAt = &at
	ctx, cancel := brief(ctx)
	defer cancel()
	return c.attempts.release(ctx, claimed, a)
}

// believe checks an answer that says paid. It counts only when an inquiry says
// the same, where the acquirer can be asked.
func (c *Checkout) believe(ctx context.Context, a attempt, i domain.Intent, by *guarded, can acquirer.Capability, p acquirer.Paid) error {
	report := acquirer.Report{
		State: acquirer.StatePaid, Attempt: a.ID, Money: p.Money, ProviderReference: p.ProviderReference,
	}
	if can.Inquiry && p.Money == i.Amount {
		asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitOf(can))
		defer cancel()
		asked, err := by.Inquire(asking, a.ID)
		if err != nil {
			c.about(a).Warn().Err(err).Str("outcome", "unknown").Msg("payment not verified yet")
			return c.ask(ctx, a, i)
		}
		report = asked
	}
	return c.settle(ctx, a, i, report)
}

package checkout

import (
	"context"
	"errors"

	"github.com/rs/zerolog"

	"daftar/checkout/acquirer"
	"daftar/checkout/attempt"
	"daftar/domain"
	"daftar/internal/failpoint"
	"daftar/internal/web"
	"daftar/ledger"
)

// recordReport brings the ledger and the row in line with what the acquirer reports.
// It may be done again, and by two at once: the ledger takes each fact once.
func (c *Checkout) recordReport(ctx context.Context, a attempt.Attempt, i domain.Intent, r acquirer.Report) error {
	return c.recordFinding(ctx, a, i, attempt.Find(a, i, r, c.now()))
}

// recordFinding does what follows from an acquirer's word: the ledger first, then the row.
// Whether a payment is a success, a late one or a second is for the domain to say.
func (c *Checkout) recordFinding(ctx context.Context, a attempt.Attempt, i domain.Intent, f attempt.Finding) error {
	if f.Begin {
		return c.resume(ctx, a, i, f.Then)
	}
	if f.Tell != nil {
		failpoint.Here("checkout_before_settle")
		storing, cancel := detached(ctx)
		defer cancel()
		before, after, err := c.ledger.Change(storing, a.Intent, f.Tell, c.causedBy(ctx, "acquirer:"+a.Acquirer, a.ID))
		if refusal, refused := errors.AsType[domain.Refusal](err); refused {
			f.Then = f.Refuse(a.Claim(i.ExpiresAt), refusal)
		} else if err != nil {
			return err
		} else if after.Version > before.Version { // otherwise another was first: the payer, a message, an inquiry
			c.noteOutcome(a, f.Tell, before, after)
		}
		failpoint.Here("checkout_before_close")
	}
	return errors.Join(f.Err, c.report(ctx, a, f.Then))
}

func (c *Checkout) causedBy(ctx context.Context, actor string, id domain.AttemptID) ledger.Origin {
	return ledger.Origin{Actor: actor, RequestID: web.RequestID(ctx), Correlation: string(id)}
}

// noteOutcome logs and counts what the ledger took, once.
func (c *Checkout) noteOutcome(a attempt.Attempt, command domain.Command, before, after domain.Intent) {
	log := c.logFor(a)
	failed, ok := command.(domain.FailAttempt)
	if was, _ := before.Attempt(a.ID); was.State == domain.AttemptStateOpen { // otherwise its end is counted
		c.metrics.wasSettled(a, !ok, c.now())
	}
	if ok {
		log.Info().Str("outcome", "failed").Str("reason", failed.Reason).Msg("attempt settled")
		return
	}
	level := zerolog.InfoLevel
	if after.PaidBy != a.ID {
		level = zerolog.ErrorLevel // paid twice: somebody must give money back
	}
	log.WithLevel(level).Bool("late", after.Late).Str("paid_by", string(after.PaidBy)).Str("outcome", "paid").Msg("attempt settled")
}

// resume leads the payer on in an attempt that the acquirer has, although its answer
// was lost. A code that was sent can be typed. A bank page is asked for again:
// beginning twice opens no second payment.
func (c *Checkout) resume(ctx context.Context, a attempt.Attempt, i domain.Intent, otherwise attempt.Report) error {
	o, _, err := c.optionOf(ctx, a, i)
	if err != nil {
		return err
	}
	switch o.Flow {
	case acquirer.OTP:
		return c.showNextStep(ctx, a, i, acquirer.CodeSent{SentTo: a.Payer})
	case acquirer.Redirect, acquirer.Lightbox, acquirer.QR:
		begun, err := c.callBegin(ctx, a, i, o, nil)
		if err != nil {
			return errors.Join(err, c.report(ctx, a, otherwise))
		}
		return c.showNextStep(ctx, a, i, begun)
	}
	return c.report(ctx, a, otherwise)
}

// report changes the row by what happened. Where that has no place any more, the
// row stays as others have made it.
func (c *Checkout) report(ctx context.Context, a attempt.Attempt, r attempt.Report) error {
	if d, disputed := r.(attempt.Disputed); disputed {
		c.logFor(a).Error().Stringer("trouble", attempt.ReadTrouble(d.Trouble)).Str("outcome", "quarantined").Msg("attempt needs an operator")
	}
	_, _, err := c.apply(ctx, a, r)
	return err
}

func (c *Checkout) apply(ctx context.Context, a attempt.Attempt, r attempt.Report) (attempt.Attempt, bool, error) {
	ctx, cancel := detached(ctx)
	defer cancel()
	return c.attempts.apply(ctx, a, r, c.now())
}

// logFor is a logger that names the attempt.
func (c *Checkout) logFor(a attempt.Attempt) *zerolog.Logger {
	log := c.log.With().Str("intent", a.Intent.String()).Str("attempt", string(a.ID)).
		Str("acquirer", a.Acquirer).Str("stage", string(a.Stage)).Logger()
	return &log
}

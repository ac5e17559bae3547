package payments

import (
	"context"
	"errors"

	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/internal/failpoint"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// recordReport updates the ledger and the row to what the acquirer reports. It may be
// repeated, and called by two at once: the ledger takes each fact once.
func (e *Engine) recordReport(
	ctx context.Context, a attempt.Attempt, i domain.Intent, r acquirer.Report,
) error {
	return e.recordFinding(ctx, a, i, attempt.Find(a, i, r, e.ledger.Now()))
}

// recordFinding writes what follows from an acquirer's report: to the ledger first, then to
// the row. The domain decides whether a payment is a success, late, or a duplicate.
func (e *Engine) recordFinding(
	ctx context.Context, a attempt.Attempt, i domain.Intent, f attempt.Finding,
) error {
	if f.Begin {
		return e.resume(ctx, a, i, f.Next)
	}
	if f.Command != nil {
		failpoint.Here("checkout_before_settle")
		storing, cancel := detached(ctx)
		defer cancel()
		before, after, err := e.ledger.Change(storing, a.Intent, f.Command,
			e.originOf(ctx, "acquirer:"+a.Acquirer, a.ID))
		if refusal, refused := errors.AsType[domain.Refusal](err); refused {
			f.Next = f.Refuse(a.Claim(i.ExpiresAt), refusal)
		} else if err != nil {
			return err
		} else if after.Version > before.Version {
			// Otherwise another was first: the payer's return, a message, an inquiry.
			e.noteOutcome(a, f.Command, before, after)
		}
		failpoint.Here("checkout_before_close")
	}
	return errors.Join(f.Err, e.report(ctx, a, f.Next))
}

func (e *Engine) originOf(ctx context.Context, actor string, id domain.AttemptID) ledger.Origin {
	return ledger.Origin{Actor: actor, RequestID: web.RequestID(ctx), Correlation: string(id)}
}

// noteOutcome logs and counts an outcome that the ledger took, once.
func (e *Engine) noteOutcome(a attempt.Attempt, command domain.Command, before, after domain.Intent) {
	log := e.logFor(a)
	failed, ok := command.(domain.FailAttempt)
	if was, _ := before.Attempt(a.ID); was.State == domain.AttemptStateOpen { // otherwise its end is counted
		e.metrics.countSettled(a, !ok, e.ledger.Now())
	}
	if ok {
		log.Info().Str("outcome", "failed").Str("reason", failed.Reason).Msg("attempt settled")
		return
	}
	level := zerolog.InfoLevel
	if after.PaidBy != a.ID {
		level = zerolog.ErrorLevel // paid twice: somebody must give money back
	}
	log.WithLevel(level).Bool("late", after.Late).Str("paid_by", string(after.PaidBy)).Str("outcome", "paid").
		Msg("attempt settled")
}

// resume continues an attempt that the acquirer has, although its answer was lost. The
// payer can type the code that was sent. A bank page is asked for again: a second Begin
// opens no second payment.
func (e *Engine) resume(
	ctx context.Context, a attempt.Attempt, i domain.Intent, otherwise attempt.Report,
) error {
	o, _, err := e.OptionOf(ctx, a, i)
	if err != nil {
		return err
	}
	switch o.Flow {
	case acquirer.OTP:
		return e.showNextStep(ctx, a, i, acquirer.CodeSent{SentTo: a.Payer})
	case acquirer.Redirect, acquirer.Lightbox, acquirer.QR:
		begun, err := e.callBegin(ctx, a, i, o, nil)
		if err != nil {
			return errors.Join(err, e.report(ctx, a, otherwise))
		}
		return e.showNextStep(ctx, a, i, begun)
	}
	return e.report(ctx, a, otherwise)
}

// report changes the row by what happened. Where that no longer fits, the row stays as
// others have changed it.
func (e *Engine) report(ctx context.Context, a attempt.Attempt, r attempt.Report) error {
	if d, disputed := r.(attempt.Disputed); disputed {
		e.logFor(a).Error().Stringer("trouble", attempt.ReadTrouble(d.Trouble)).Str("outcome", "quarantined").
			Msg("attempt needs an operator")
	}
	_, _, err := e.apply(ctx, a, r)
	return err
}

func (e *Engine) apply(
	ctx context.Context, a attempt.Attempt, r attempt.Report,
) (attempt.Attempt, bool, error) {
	ctx, cancel := detached(ctx)
	defer cancel()
	return e.attempts.apply(ctx, a, r, e.ledger.Now())
}

func (e *Engine) logFor(a attempt.Attempt) *zerolog.Logger {
	log := e.log.With().Str("intent", a.Intent.String()).Str("attempt", string(a.ID)).
		Str("acquirer", a.Acquirer).Str("stage", string(a.Stage)).Logger()
	return &log
}

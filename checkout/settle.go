package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"daftar/checkout/acquirer"
	"daftar/domain"
	"daftar/internal/failpoint"
	"daftar/internal/web"
	"daftar/ledger"
)

// settle brings the ledger and the row in line with what the acquirer reports.
// It may be done again, and by two at once: the ledger takes each fact once.
func (c *Checkout) settle(ctx context.Context, a attempt, i domain.Intent, r acquirer.Report) error {
	if r.State != acquirer.StateNotFound && (r.Attempt != a.ID || r.Money != i.Amount) {
		return c.quarantine(ctx, a, fmt.Sprintf("the acquirer reports %s for %d %s under %q; the attempt is for %d %s",
			r.State, r.Money.Minor, r.Money.Currency, r.Attempt, i.Amount.Minor, i.Amount.Currency))
	}
	switch r.State {
	case acquirer.StatePaid:
		return c.recordPayment(ctx, a, r)
	case acquirer.StateDeclined:
		return c.fail(ctx, a, r.Reason)
	case acquirer.StatePending:
		return c.stillPending(ctx, a, i)
	case acquirer.StateNotFound:
		return c.notFound(ctx, a, i)
	}
	return errors.Join(fmt.Errorf("the acquirer reports the unknown state %q", r.State), c.askAgain(ctx, a, i))
}

// recordPayment writes down that the money was taken. Whether that is a success,
// a late one or a second payment is for the domain to say.
func (c *Checkout) recordPayment(ctx context.Context, a attempt, r acquirer.Report) error {
	failpoint.Here("checkout_before_settle")
	after, err := c.tell(ctx, a, domain.RecordPayment{
		Attempt: a.ID, Amount: r.Money, ProviderReference: r.ProviderReference,
	})
	if refusal, refused := errors.AsType[domain.Refusal](err); refused {
		return c.quarantine(ctx, a, "the acquirer reports paid; the ledger says "+string(refusal))
	}
	if err != nil {
		return err
	}
	level := zerolog.InfoLevel
	if after.PaidBy != a.ID {
		level = zerolog.ErrorLevel // paid twice: somebody must give money back
	}
	c.about(a).WithLevel(level).Bool("late", after.Late).Str("paid_by", string(after.PaidBy)).Str("outcome", "paid").
		Msg("attempt settled")
	failpoint.Here("checkout_before_close")
	return c.close(ctx, a)
}

// fail writes down that no money was taken, for good.
func (c *Checkout) fail(ctx context.Context, a attempt, reason acquirer.Reason) error {
	_, err := c.tell(ctx, a, domain.FailAttempt{Attempt: a.ID, Reason: string(reason)})
	if refusal, refused := errors.AsType[domain.Refusal](err); refused {
		return c.quarantine(ctx, a, "the acquirer reports declined; the ledger says "+string(refusal))
	}
	if err != nil {
		return err
	}
	c.about(a).Info().Str("outcome", "failed").Str("reason", string(reason)).Msg("attempt settled")
	return c.close(ctx, a)
}

// tell carries out a command in the acquirer's name.
func (c *Checkout) tell(ctx context.Context, a attempt, command domain.Command) (domain.Intent, error) {
	ctx, cancel := brief(ctx)
	defer cancel()
	return c.ledger.Execute(ctx, a.Intent, command, c.causedBy(ctx, "acquirer:"+a.Acquirer, a.ID))
}

func (c *Checkout) causedBy(ctx context.Context, actor string, id domain.AttemptID) ledger.Origin {
	return ledger.Origin{Actor: actor, RequestID: web.RequestID(ctx), Correlation: string(id)}
}

// stillPending lets the payer go on where that is not known yet, and waits.
func (c *Checkout) stillPending(ctx context.Context, a attempt, i domain.Intent) error {
	switch a.Stage {
	case stageBeginning:
		return c.goOn(ctx, a, i)
	case stageQuarantined:
		b := a
		b.Stage, b.Trouble = stageAsking, ""
		return c.wait(ctx, a, b, i)
	case stageCode, stageBank, stageAsking, stageClosed:
	}
	return c.askAgain(ctx, a, i)
}

// goOn takes up an attempt that the acquirer has, although its answer was lost.
// A code that was sent can be typed. A bank page is asked for again: beginning
// twice opens no second payment.
func (c *Checkout) goOn(ctx context.Context, a attempt, i domain.Intent) error {
	by, can, _ := c.capability(a)
	switch can.Flow {
	case acquirer.OTP:
		return c.noteBegun(ctx, a, i, acquirer.CodeSent{SentTo: a.Payer})
	case acquirer.Redirect:
		begun, err := c.callBegin(ctx, a, i, way{Capability: can, by: by}, "")
		if err != nil {
			return errors.Join(err, c.askAgain(ctx, a, i))
		}
		return c.noteBegun(ctx, a, i, begun)
	}
	return c.askAgain(ctx, a, i)
}

// unseenFor is how old an attempt must be before an acquirer that does not know
// it is believed: no request of ours can be on its way any more.
const unseenFor = time.Minute

// notFound ends an attempt that the acquirer has certainly not seen. That is
// safe only in the first stage: no code was typed and no bank page was shown, so
// even a request that comes to light later takes no money.
func (c *Checkout) notFound(ctx context.Context, a attempt, i domain.Intent) error {
	if known, _ := i.Attempt(a.ID); known.State != domain.AttemptStateOpen {
		return c.close(ctx, a)
	}
	if a.Stage == stageBeginning && c.now().Sub(a.CreatedAt) >= unseenFor {
		return c.fail(ctx, a, acquirer.Unreachable)
	}
	return c.askAgain(ctx, a, i)
}

// quarantine sets an attempt aside for an operator. The ledger is not changed:
// the intent stays as it is until somebody has looked.
func (c *Checkout) quarantine(ctx context.Context, a attempt, trouble string) error {
	c.about(a).Error().Str("trouble", trouble).Str("outcome", "quarantined").Msg("attempt needs an operator")
	b := a
	b.Stage, b.Since, b.AskAt, b.Trouble = stageQuarantined, c.now(), nil, trouble
	return c.conclude(ctx, a, b)
}

// close ends the inquiries into an attempt.
func (c *Checkout) close(ctx context.Context, a attempt) error {
	b := a
	b.Stage, b.Since, b.AskAt, b.Trouble = stageClosed, c.now(), nil, ""
	return c.conclude(ctx, a, b)
}

// askAgain leaves an attempt as it is until the next inquiry is due.
func (c *Checkout) askAgain(ctx context.Context, a attempt, i domain.Intent) error {
	return c.wait(ctx, a, a, i)
}

// askSoon has an attempt asked about again that could not be asked about now. That
// its payer still has time to enter a code is no reason to wait: the acquirer may
// have said that it knows the outcome.
func (c *Checkout) askSoon(ctx context.Context, a attempt, i domain.Intent) error {
	now := c.now()
	at := nextInquiry(a, i.ExpiresAt, now)
	if soon := scheduled(a.Since, now); soon.Before(at) {
		at = soon
	}
	read := a
	a.AskAt = &at
	return c.conclude(ctx, read, a)
}

// wait turns the row as it was read into another and has it asked about later.
func (c *Checkout) wait(ctx context.Context, read, a attempt, i domain.Intent) error {
	at := nextInquiry(a, i.ExpiresAt, c.now())
	a.AskAt = &at
	return c.conclude(ctx, read, a)
}

func (c *Checkout) conclude(ctx context.Context, read, a attempt) error {
	ctx, cancel := brief(ctx)
	defer cancel()
	return c.attempts.conclude(ctx, read, a, c.now())
}

// about is a logger that names the attempt.
func (c *Checkout) about(a attempt) *zerolog.Logger {
	log := c.log.With().Str("intent", a.Intent.String()).Str("attempt", string(a.ID)).
		Str("acquirer", a.Acquirer).Str("stage", string(a.Stage)).Logger()
	return &log
}

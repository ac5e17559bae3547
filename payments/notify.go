package payments

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// ErrUnreadable says that a message of an acquirer cannot be parsed.
var ErrUnreadable = errors.New("the message cannot be read")

// Notify takes a message that an acquirer pushed to the address with its name and the application,
// which is empty for an acquirer of all applications. The message is a hint to ask, or the proof
// where the acquirer's signature covers reference and amount. A closed attempt is asked about too:
// an acquirer may report a payment that it declined as paid, much later. Notify returns the answer
// that the acquirer wants, if any. Errors: ledger.ErrNotFound where the address belongs to no
// account, acquirer.ErrForged, ErrUnreadable; after any other the message is to be sent again.
func (e *Engine) Notify(
	ctx context.Context, name, application string, m acquirer.Message,
) (reply string, err error) {
	from, of, err := e.notifier(ctx, name, application)
	if err != nil {
		return "", err
	}
	n, err := from.ParseNotification(m)
	switch {
	case errors.Is(err, acquirer.ErrForged):
		return "", err
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if err := e.applyNotice(ctx, from, of, n); err != nil {
		return "", fmt.Errorf("message about %q: %w", n.Reference, err)
	}
	e.wake(name)
	return n.Reply, nil
}

// notifier returns the account that an address of notifications belongs to, and its
// application, nil for an account of all. The error is ledger.ErrNotFound where there is none.
func (e *Engine) notifier(
	ctx context.Context, name, application string,
) (*breakerAcquirer, *domain.ApplicationID, error) {
	var of *domain.ApplicationID
	var id domain.ApplicationID
	if _, own := e.providers[name]; own {
		parsed, err := accounts.ParseApplicationID(application)
		if err != nil {
			return nil, nil, ledger.ErrNotFound
		}
		id, of = parsed, &parsed
	} else if application != "" {
		return nil, nil, ledger.ErrNotFound
	}
	from, known, err := e.account(ctx, id, name)
	if err == nil && !known {
		err = ledger.ErrNotFound
	}
	return from, of, err
}

// applyNotice does what follows from a genuine message of the acquirer, about an attempt
// of the application; nil: of any.
func (e *Engine) applyNotice(
	ctx context.Context, from *breakerAcquirer, of *domain.ApplicationID, n acquirer.Notice,
) error {
	if n.Reference == "" {
		return e.scheduleInquiries(ctx, from.Name(), of)
	}
	a, i, err := e.findByReference(ctx, from.Name(), n.Reference)
	if errors.Is(err, ErrNoAttempt) || err == nil && of != nil && i.Application != *of {
		e.log.Warn().Str("acquirer", from.Name()).Str("request_id", web.RequestID(ctx)).
			Str("reference", n.Reference).
			Msg("notification of an unknown attempt")
		return nil
	}
	if err != nil {
		return err
	}
	if n.Proof != nil {
		return e.recordFinding(ctx, a, i, attempt.Proof(a, i, *n.Proof, e.ledger.Now()))
	}
	return e.scheduleInquiry(ctx, a)
}

// scheduleInquiry makes an attempt due as soon as it may be asked about.
func (e *Engine) scheduleInquiry(ctx context.Context, a attempt.Attempt) error {
	now := e.ledger.Now()
	after, _, err := e.attempts.apply(ctx, a, attempt.Hint{}, now)
	if err == nil && after.AskAt != nil {
		time.AfterFunc(after.AskAt.Sub(now), func() { e.wake(after.Acquirer) })
	}
	return err
}

// referenceForm matches the beginning of an attempt's id that is long enough to be unique.
var referenceForm = regexp.MustCompile(`^[0-9a-z]{20,26}$`)

// findByReference returns the attempt that the acquirer knows under the reference, with its
// intent; ErrNoAttempt where there is none.
func (e *Engine) findByReference(
	ctx context.Context, name, reference string,
) (attempt.Attempt, domain.Intent, error) {
	if !referenceForm.MatchString(reference) {
		return attempt.Attempt{}, domain.Intent{}, ErrNoAttempt
	}
	a, err := e.attempts.findByReference(ctx, name, reference)
	if err != nil {
		return a, domain.Intent{}, err
	}
	i, err := e.ledger.Load(ctx, a.Intent)
	return a, i, err
}

// scheduleInquiries makes every attempt of an account due that a message without a reference
// may be about.
func (e *Engine) scheduleInquiries(ctx context.Context, name string, of *domain.ApplicationID) error {
	if of == nil {
		return errors.New("a notification about the payments of all applications names none")
	}
	now := e.ledger.Now()
	waiting, err := e.attempts.recent(ctx, name, *of, now.Add(-hintWindow))
	if err != nil {
		return err
	}
	for _, a := range waiting {
		if a.DueSoon(now) {
			continue // otherwise each message would write them all
		}
		if err := e.scheduleInquiry(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// hintWindow is the age up to which a message without a reference may be about an attempt;
// maxScheduled is how many attempts are asked about then, the latest first.
const (
	hintWindow   = 48 * time.Hour
	maxScheduled = 50
)

// Return takes the message with which a payer came back from the acquirer's page. A message
// without a valid proof changes nothing. Return gives the intent's attempt that is open or
// began last, if there is one.
func (e *Engine) Return(
	ctx context.Context, i domain.Intent, m acquirer.Message,
) (last attempt.Attempt, found bool, err error) {
	ctx, cancel := detached(ctx)
	defer cancel()
	last, found, err = e.lastAttempt(ctx, i)
	if err != nil || !found {
		return last, false, err
	}
	from, known, err := e.account(ctx, i.Application, last.Acquirer)
	if err != nil || !known {
		return last, true, err
	}
	n, err := from.ParseNotification(m)
	if err != nil {
		e.logFor(last).Warn().Err(err).Str("request_id", web.RequestID(ctx)).
			Msg("payer came back with a query that proves nothing")
		return last, true, nil
	}
	a, of, err := e.findByReference(ctx, from.Name(), n.Reference)
	if errors.Is(err, ErrNoAttempt) || err == nil && of.ID != i.ID {
		e.logFor(last).Warn().Str("reference", n.Reference).
			Msg("payer came back with the proof of another payment")
		return last, true, nil
	}
	if err != nil || n.Proof == nil {
		return last, true, err
	}
	return last, true, e.recordFinding(ctx, a, i, attempt.Proof(a, i, *n.Proof, e.ledger.Now()))
}

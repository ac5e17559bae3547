package refunds

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments"
)

// Status is how merchants see the state of a refund.
type Status string

// The statuses.
const (
	StatusPending   Status = "pending"
	StatusSucceeded Status = "succeeded"
	StatusFailed    Status = "failed"
	StatusUnknown   Status = "unknown"
)

// Status is how merchants see the state.
func (r Refund) Status() Status {
	switch r.State {
	case Requested, Asking, Recording:
		return StatusPending
	case Recorded:
		return StatusSucceeded
	case Failed:
		return StatusFailed
	case Unknown:
		return StatusUnknown
	}
	panic("refunds: unknown state " + string(r.State))
}

// failureReasons are why nothing went back, as merchants and the ledger have it.
var failureReasons = map[Trouble]string{
	NotSent: "not_sent", Refused: "refused", AccountRefused: "account_refused", NoAccount: "no_account",
	PersonDenied: "not_refunded", LedgerRefused: "not_recorded",
}

// FailureReason is a stable word; empty unless the refund has failed.
func (r Refund) FailureReason() string {
	if r.State != Failed {
		return ""
	}
	return failureReasons[r.Trouble]
}

// TroubleOf is the trouble with that failure reason; empty where there is none.
func TroubleOf(reason string) Trouble {
	for trouble, is := range failureReasons {
		if is == reason {
			return trouble
		}
	}
	return ""
}

// Wanted is what an application asks for.
type Wanted struct {
	Reference domain.RefundReference
	Intent    domain.IntentID  // one of the application's
	Attempt   domain.AttemptID // empty: a second payment first
	Amount    *domain.Money    // nil: all that is left
	Reason    *string
}

// RequestFor orders a refund by the acquirer for an application. Where the application has used the
// reference before, it returns that refund as it is now, and false. Errors: ErrNoAttempt,
// ErrNothingPaid, ErrNothingLeft, *TooLargeError, *NoCallError, ErrGivenBack, ledger.ErrNotFound and
// accounts.ErrStaleCredential.
func (op *Operations) RequestFor(
	ctx context.Context, c accounts.Credential, w Wanted,
) (r Refund, created bool, err error) {
	o := Order{
		ID: c.Namespace.RefundID(w.Reference), Intent: w.Intent, Attempt: w.Attempt, Amount: w.Amount,
		ByAcquirer: true, Note: noteOf(w.Reason),
	}
	err = pgx.BeginFunc(ctx, op.pool, func(tx pgx.Tx) (err error) {
		if err := accounts.ConfirmIn(ctx, tx, c); err != nil {
			return err
		}
		name, err := postgres.Find(ctx, tx, "find application", ledger.ErrNotFound, pgx.RowTo[string],
			`SELECT name FROM applications WHERE uuid = $1`, c.Application)
		if err != nil {
			return err
		}
		wanted := Refund{
			Application: c.Application, Reference: &w.Reference, Reason: w.Reason,
			Actor: ledger.ActorApplication(c.Application), RequestedBy: "application:" + name,
		}
		r, err = op.request(ctx, tx, wanted, o)
		return err
	})
	switch {
	case err == nil:
		op.requested.Set()
		return r, true, nil
	case errors.Is(err, errRequested):
		r, err = op.Find(ctx, o.ID)
	}
	return r, false, err
}

// noteOf is a merchant's reason as the ledger keeps it: in one line, without phone numbers; empty if
// that leaves nothing.
func noteOf(reason *string) string {
	if reason == nil {
		return ""
	}
	note, err := payments.CheckNote(strings.Join(strings.Fields(*reason), " "))
	if err != nil {
		return ""
	}
	return note
}

const ofApplicationSQL = `
WHERE intent_uuid = $1
  AND application_uuid = $2
ORDER BY requested_at, uuid`

// OfApplication returns the refunds of an intent of the application, in the order in which they were
// requested.
func (op *Operations) OfApplication(
	ctx context.Context, app domain.ApplicationID, intent domain.IntentID,
) ([]Refund, error) {
	return postgres.List(ctx, op.pool, "list refunds of an intent", columns.Scan,
		`SELECT `+columns.List("")+` FROM refunds`+ofApplicationSQL, intent, app)
}

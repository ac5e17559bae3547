package payments

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// The states of attempts as operators see them.
const (
	AttemptsOpen        = "open"        // the payer has something to do
	AttemptsUnknown     = "unknown"     // the outcome is not known yet
	AttemptsQuarantined = "quarantined" // the acquirer's words do not match
	AttemptsClosed      = "closed"
)

// Errors of Operations. In each case nothing has changed.
var (
	// ErrNoAttempt says that there is no such attempt, or that it never began.
	ErrNoAttempt = errors.New("no such attempt")
	// ErrAttemptPaid says that an attempt that is paid cannot be settled as failed.
	ErrAttemptPaid = errors.New("the attempt is paid; it cannot be settled as failed")
)

// Operations lists attempts for operators and records their verdicts on attempts whose outcome
// the server cannot find out. It calls no acquirer: operators ask the acquirer in another
// way before they settle an attempt, and write that in the note. It is safe for concurrent use.
type Operations struct {
	attempts attempts
	ledger   *ledger.Ledger
}

// NewOperations makes Operations. The pool and the ledger stay the caller's.
func NewOperations(pool *pgxpool.Pool, l *ledger.Ledger) *Operations {
	return &Operations{attempts{pool}, l}
}

// Listed is an attempt as operators see it.
type Listed struct {
	ID        domain.AttemptID
	Intent    domain.IntentID
	Reference domain.Reference // of the intent
	Acquirer  string
	Method    string
	State     string // one of the states above
	Stage     string // see the package's documentation
	Since     time.Time
	Amount    domain.Money
	Payer     string // masked; empty where the method has none
	Trouble   string // why an operator must look, as it is stored (Why); empty otherwise
	Asked     int    // how often the acquirer was asked
	AskAt     *time.Time
	StartedAt time.Time
}

const statesOfStages = `(VALUES
    ('code', 'open'), ('bank', 'open'),
    ('beginning', 'unknown'), ('asking', 'unknown'), ('ending', 'unknown'),
    ('quarantined', 'quarantined'),
    ('closed', 'closed')
) AS s (stage, state)`

const maxListed = 1000

const listAttemptsSQL = `
SELECT a.attempt, a.intent_uuid, i.reference, a.acquirer, a.method, s.state, a.stage, a.stage_since,
       i.amount, i.currency, a.payer, a.trouble, a.asked, a.ask_at, a.created_at
FROM checkout_attempts a
JOIN ` + statesOfStages + ` ON s.stage = a.stage
JOIN intents i ON i.uuid = a.intent_uuid
WHERE s.state = ANY($1)
ORDER BY a.stage_since, a.attempt
LIMIT $2`

// List returns the attempts in the given states, a thousand at most, the longest waiting
// first. Without a state it returns those that a person may have to decide: unknown and
// quarantined.
func (op *Operations) List(ctx context.Context, states ...string) ([]Listed, error) {
	if len(states) == 0 {
		states = []string{AttemptsUnknown, AttemptsQuarantined}
	}
	return postgres.List(ctx, op.attempts.pool, "list attempts", scanListed,
		listAttemptsSQL, states, maxListed)
}

func scanListed(row pgx.CollectableRow) (Listed, error) {
	var l Listed
	err := row.Scan(
		&l.ID, (*[16]byte)(&l.Intent), &l.Reference, &l.Acquirer, &l.Method, &l.State, &l.Stage, &l.Since,
		&l.Amount.Minor, &l.Amount.Currency, &l.Payer, &l.Trouble, &l.Asked, &l.AskAt, &l.StartedAt,
	)
	return l, err
}

// Verdict is what an operator found out about an attempt.
type Verdict string

// The verdicts.
const (
	VerdictPaid   Verdict = "paid"
	VerdictFailed Verdict = "failed"
)

// Settled is what an attempt became.
type Settled struct {
	Attempt domain.AttemptID
	Intent  domain.IntentID
	Verdict Verdict
	Status  domain.Status // of the intent
	// Late says that the intent was canceled before this attempt paid it.
	Late bool
	// Duplicate says that another attempt had paid the intent: money must go back.
	Duplicate bool
	// Already says that the verdict was known before. Nothing was written, so the
	// note is not kept either.
	Already bool
}

// Settle records a person's verdict with the evidence, and ends the inquiries. An attempt that
// already has this verdict stays as it is. Errors: ErrNoAttempt, ErrAttemptPaid, a NoteError and
// those of ledger.Execute.
func (op *Operations) Settle(
	ctx context.Context, id domain.AttemptID, v Verdict, e Evidence,
) (Settled, error) {
	var err error
	if e.Note, err = CheckNote(e.Note); err != nil {
		return Settled{}, err
	}
	a, err := op.attempts.find(ctx, id)
	if err != nil {
		return Settled{}, err
	}
	i, err := op.ledger.Load(ctx, a.Intent)
	if err != nil {
		return Settled{}, err
	}
	before := i.Version
	var command domain.Command
	switch v {
	case VerdictPaid:
		command = domain.RecordPayment{Attempt: id, Amount: i.Amount, ProviderReference: e.Reference}
	case VerdictFailed:
		command = domain.FailAttempt{Attempt: id, Reason: string(acquirer.SettledByOperator)}
	default:
		panic("payments: settle with the verdict " + string(v))
	}
	i, err = op.ledger.Execute(ctx, a.Intent, command, e.Origin(id))
	switch {
	case errors.Is(err, domain.RefusedUnknownAttempt):
		return Settled{}, ErrNoAttempt
	case errors.Is(err, domain.RefusedAttemptPaid):
		return Settled{}, ErrAttemptPaid
	case err != nil:
		return Settled{}, err
	}
	if _, _, err := op.attempts.apply(ctx, a, attempt.Dismiss{}, op.ledger.Now()); err != nil {
		return Settled{}, fmt.Errorf("settled, but its inquiries go on; settle it again: %w", err)
	}
	paid := v == VerdictPaid
	return Settled{
		Attempt: id, Intent: i.ID, Verdict: v, Status: i.Status, Already: i.Version == before,
		Late: paid && i.Late && i.PaidBy == id, Duplicate: paid && i.PaidBy != id,
	}, nil
}

// Ask makes the attempt due, so that a server that has the acquirer asks it now. The
// error is ErrNoAttempt where there is none.
func (op *Operations) Ask(ctx context.Context, id domain.AttemptID) error {
	a, err := op.attempts.find(ctx, id)
	if err != nil {
		return err
	}
	_, _, err = op.attempts.apply(ctx, a, attempt.Hint{}, op.ledger.Now())
	return err
}

// Why is the reason for which an operator must look, read from Trouble.
func (l Listed) Why() attempt.Trouble { return attempt.ReadTrouble(l.Trouble) }

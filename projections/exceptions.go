package projections

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/internal/postgres"
)

// Errors of Decide. Nothing has changed.
var (
	// ErrNothingToDecide says that the organisation has no such exception.
	ErrNothingToDecide = errors.New("there is nothing to decide")
	// ErrDecided says that somebody has decided already.
	ErrDecided = errors.New("it has been decided already")
	// ErrNote says that a note is empty, longer than MaxNote or no text.
	ErrNote = errors.New("a note is needed that can be kept")
)

// MaxNote is how many characters a note has at most.
const MaxNote = 1000

// Exception is money that somebody must decide about: to give it back, or to hand
// over what was ordered after all.
type Exception struct {
	Intent            domain.IntentID
	Version           int // of the event that tells of the money; names the exception within the intent
	Application       domain.ApplicationID
	Kind              Kind
	Attempt           domain.AttemptID
	Amount            domain.Money
	Since             time.Time
	Reference         domain.Reference
	MerchantReference domain.MerchantReference
	Decision          *Decision // nil: not yet
}

// Decision is what became of an exception, in a person's words.
type Decision struct {
	At   time.Time
	By   string
	Note string
}

const (
	exceptionsSQL = `
SELECT x.intent_uuid, x.version, x.application_uuid, x.kind, x.attempt, x.amount, x.currency, x.since,
       i.reference, i.merchant_reference, d.decided_at, d.decided_by, d.note, count(*) OVER () AS total
FROM applications a JOIN payment_exceptions x ON x.application_uuid = a.uuid
     JOIN intents i ON i.uuid = x.intent_uuid
     LEFT JOIN payment_decisions d ON d.intent_uuid = x.intent_uuid AND d.version = x.version
WHERE a.organization_uuid = $1`
	toDecideSQL     = exceptionsSQL + ` AND d.intent_uuid IS NULL ORDER BY x.since, x.intent_uuid, x.version LIMIT $2`
	exceptionsOfSQL = exceptionsSQL + ` AND x.intent_uuid = $2 ORDER BY x.version`
)

// ToDecide is what waits for a decision, the longest waiting first, up to limit of
// them, and how many there are.
func (p *Payments) ToDecide(ctx context.Context, organization uuid.UUID, limit int) (open []Exception, total int, err error) {
	return p.exceptions(ctx, "list what is to be decided", toDecideSQL, organization, limit)
}

// Exceptions are those of one intent, decided or not, in their order.
func (p *Payments) Exceptions(ctx context.Context, organization uuid.UUID, intent domain.IntentID) ([]Exception, error) {
	all, _, err := p.exceptions(ctx, "list exceptions of an intent", exceptionsOfSQL, organization, intent)
	return all, err
}

func (p *Payments) exceptions(ctx context.Context, doing, sql string, arguments ...any) (all []Exception, total int, err error) {
	all, err = postgres.List(ctx, p.q, doing, func(row pgx.CollectableRow) (Exception, error) {
		var x Exception
		var at *time.Time
		var by, note *string
		err := row.Scan(&x.Intent, &x.Version, &x.Application, &x.Kind, &x.Attempt, &x.Amount.Minor, &x.Amount.Currency, &x.Since,
			&x.Reference, &x.MerchantReference, &at, &by, &note, &total)
		x.Since = x.Since.UTC()
		if at != nil {
			x.Decision = &Decision{At: at.UTC(), By: *by, Note: *note}
		}
		return x, err
	}, sql, arguments...)
	return all, total, err
}

const decideAttemptSQL = `
INSERT INTO payment_decisions (intent_uuid, version, decided_at, decided_by, note)
SELECT intent_uuid, version, $3, $4, $5 FROM payment_exceptions WHERE intent_uuid = $1 AND attempt = $2
ON CONFLICT (intent_uuid, version) DO NOTHING`

// DecideAttempt records, within the caller's transaction, what was decided about the money of
// an attempt. What was decided before stays.
func DecideAttempt(ctx context.Context, tx pgx.Tx, intent domain.IntentID, attempt domain.AttemptID, d Decision) error {
	if _, err := tx.Exec(ctx, decideAttemptSQL, intent, attempt, d.At, d.By, d.Note); err != nil {
		return fmt.Errorf("decide about the money of an attempt: %w", err)
	}
	return nil
}

const decideSQL = `
WITH fact AS (
    SELECT x.intent_uuid, x.version
    FROM applications a JOIN payment_exceptions x ON x.application_uuid = a.uuid
    WHERE a.organization_uuid = $1 AND x.intent_uuid = $2 AND x.version = $3
), made AS (
    INSERT INTO payment_decisions (intent_uuid, version, decided_at, decided_by, note)
    SELECT intent_uuid, version, $4::timestamptz, $5::text, $6::text FROM fact
    ON CONFLICT (intent_uuid, version) DO NOTHING RETURNING 1
)
SELECT (SELECT count(*) FROM fact), (SELECT count(*) FROM made)`

// Decide records what somebody decided about an exception, for good, within the
// caller's transaction, which also records who was allowed to. Its errors are
// ErrNothingToDecide, ErrDecided and ErrNote.
func Decide(ctx context.Context, tx pgx.Tx, organization uuid.UUID, intent domain.IntentID, version int, d Decision) error {
	if strings.TrimSpace(d.Note) == "" || utf8.RuneCountInString(d.Note) > MaxNote || !plaintext.Storable(d.Note) {
		return fmt.Errorf("decide about a payment: %w", ErrNote)
	}
	var facts, made int
	err := tx.QueryRow(ctx, decideSQL, organization, intent, version, d.At, d.By, d.Note).Scan(&facts, &made)
	switch {
	case err != nil:
	case facts == 0:
		err = ErrNothingToDecide
	case made == 0:
		err = ErrDecided
	}
	if err != nil {
		return fmt.Errorf("decide about a payment: %w", err)
	}
	return nil
}

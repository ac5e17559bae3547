package decisions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// Errors of AddNote, in addition to ErrNote. Nothing has changed.
var (
	// ErrNoPayment says that the organisation has no such payment.
	ErrNoPayment = errors.New("there is no such payment")
	// ErrNoted says that the note was written before: the form was sent twice.
	ErrNoted = errors.New("it was written down already")
	// ErrManyNotes says that the payment has MaxNotes.
	ErrManyNotes = errors.New("the payment has as many notes as are kept")
)

// MaxNotes is how many notes a payment has at most.
const MaxNotes = 200

// Note is what a member wrote down about a payment. It stays as it is.
type Note struct {
	ID   uuid.UUID
	At   time.Time
	By   string
	Text string
}

// The intent is found by its key, so that every plan looks up one row.
const notesSQL = `
SELECT n.uuid, n.written_at, n.written_by, n.note
FROM intents i
JOIN applications a ON a.uuid = i.application_uuid AND a.organization_uuid = $1
CROSS JOIN LATERAL (
    SELECT uuid, written_at, written_by, note
    FROM payment_notes
    WHERE intent_uuid = i.uuid
    ORDER BY written_at, uuid
    LIMIT $3
) n
WHERE i.uuid = $2
ORDER BY n.written_at, n.uuid`

// Notes returns those on a payment of the organisation, the oldest first.
func (d *Decisions) Notes(
	ctx context.Context, organization uuid.UUID, intent domain.IntentID,
) ([]Note, error) {
	return postgres.List(ctx, d.q, "list notes on a payment",
		func(row pgx.CollectableRow) (n Note, err error) {
			err = row.Scan(&n.ID, &n.At, &n.By, &n.Text)
			n.At = n.At.UTC()
			return n, err
		}, notesSQL, organization, intent, MaxNotes)
}

const addNoteSQL = `
WITH payment AS (
    SELECT i.uuid
    FROM intents i
    JOIN applications a ON a.uuid = i.application_uuid AND a.organization_uuid = $1
    WHERE i.uuid = $2
), written AS (
    SELECT count(*) AS notes
    FROM (SELECT FROM payment_notes WHERE intent_uuid = $2 LIMIT $3) counted
), made AS (
    INSERT INTO payment_notes (uuid, intent_uuid, written_at, written_by, note)
    SELECT $4::uuid, uuid, $5::timestamptz, $6::text, $7::text
    FROM payment
    WHERE (SELECT notes FROM written) < $3
    ON CONFLICT (uuid) DO NOTHING
    RETURNING 1
)
SELECT (SELECT count(*) FROM payment), (SELECT notes FROM written), (SELECT count(*) FROM made),
       EXISTS (SELECT FROM payment_notes WHERE uuid = $4)`

// AddNote stores a note for good, within the caller's transaction, which also writes the audit
// record. Its errors are ErrNote, ErrNoPayment, ErrNoted and ErrManyNotes.
func AddNote(ctx context.Context, tx pgx.Tx, organization uuid.UUID, intent domain.IntentID, n Note) error {
	if !isNote(n.Text) {
		return fmt.Errorf("write note on a payment: %w", ErrNote)
	}
	var payments, notes, made int
	var known bool
	err := tx.QueryRow(ctx, addNoteSQL, organization, intent, MaxNotes, n.ID, n.At, n.By, n.Text).
		Scan(&payments, &notes, &made, &known)
	switch {
	case err != nil:
	case payments == 0:
		err = ErrNoPayment
	case known:
		err = ErrNoted
	case notes >= MaxNotes:
		err = ErrManyNotes
	case made == 0: // by another transaction, meanwhile
		err = ErrNoted
	}
	if err != nil {
		return fmt.Errorf("write note on a payment: %w", err)
	}
	return nil
}

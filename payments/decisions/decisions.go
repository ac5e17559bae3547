package decisions

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/projections"
)

// Errors of Decide. Nothing has changed.
var (
	// ErrNothingToDecide says that the organisation has no such exception.
	ErrNothingToDecide = errors.New("there is nothing to decide")
	// ErrDecided says that a decision has been made already, or that all of the money went back.
	ErrDecided = errors.New("it has been decided already")
	// ErrRefunding says that a refund of the money is under way: it must end before the money may
	// go back in another way.
	ErrRefunding = errors.New("a refund of this money is under way")
	// ErrKind says that the kind is none of Kinds.
	ErrKind = errors.New("a decision is one of refunded, delivered, other")
	// ErrReference says that a reference is not one line of up to MaxReference characters.
	ErrReference = errors.New("the reference must be one line that is not too long")
	// ErrNote says that a note is empty, longer than MaxNote or not storable as text.
	ErrNote = errors.New("a note is needed that can be kept")
	// ErrInformed says that Informed is not one line of up to MaxInformed characters.
	ErrInformed = errors.New("who was told must be one line that is not too long")
)

// Limits, in characters.
const (
	MaxNote      = 1000
	MaxReference = 100
	MaxInformed  = 200
)

// Kind is what was decided, in a word. The words are stored.
type Kind string

// The kinds.
const (
	Refunded  Kind = "refunded"  // the money went back
	Delivered Kind = "delivered" // what was ordered was handed over after all
	// Other is also the kind of decisions from before there were kinds, and of those by
	// servers of a release that does not know kinds.
	Other Kind = "other"
)

// Kinds has every valid Kind, in the order of the form.
var Kinds = []Kind{Refunded, Delivered, Other}

// Valid reports whether k is one of Kinds.
func (k Kind) Valid() bool {
	return k == Refunded || k == Delivered || k == Other
}

// Decision is what a person decided about an exception.
type Decision struct {
	At        time.Time
	By        string
	Kind      Kind
	Reference string // the number of a bank transfer, for example; may be empty
	Note      string // in a person's words
	Informed  string // the person who was informed, and how; may be empty
}

// check returns all errors of a decision's fields.
func (d Decision) check() error {
	var wrong []error
	if !d.Kind.Valid() {
		wrong = append(wrong, ErrKind)
	}
	if !fits(d.Reference, MaxReference) {
		wrong = append(wrong, ErrReference)
	}
	if !isNote(d.Note) {
		wrong = append(wrong, ErrNote)
	}
	if !fits(d.Informed, MaxInformed) {
		wrong = append(wrong, ErrInformed)
	}
	return errors.Join(wrong...)
}

func fits(line string, most int) bool {
	return plaintext.OneLine(line) && utf8.RuneCountInString(line) <= most
}

// isNote reports whether a text can be stored as a note.
func isNote(text string) bool {
	return strings.TrimSpace(text) != "" && utf8.RuneCountInString(text) <= MaxNote && plaintext.Storable(text)
}

const decideSQL = `
WITH fact AS (
    SELECT x.intent_uuid, x.version, x.attempt, x.closed_at,
           EXISTS (SELECT FROM refunds r WHERE r.attempt = x.attempt AND r.ended_at IS NULL) AS refunding
    FROM applications a
    JOIN payment_exceptions x ON x.application_uuid = a.uuid
    WHERE a.organization_uuid = $1
      AND x.intent_uuid = $2
      AND x.version = $3
), made AS (
    INSERT INTO payment_decisions
        (intent_uuid, version, decided_at, decided_by, kind, reference, note, informed)
    SELECT intent_uuid, version, $4::timestamptz, $5::text, $6::text, $7::text, $8::text, $9::text
    FROM fact
    WHERE closed_at IS NULL
    ON CONFLICT (intent_uuid, version) DO NOTHING
    RETURNING 1
)
SELECT attempt, refunding, EXISTS (SELECT FROM made)
FROM fact`

// The lock serializes a decision and a refund of the same money: the second sees the first.
const (
	lockExceptionsSQL = `
SELECT
FROM payment_exceptions
WHERE intent_uuid = $1
  AND (version = $2 OR attempt = $3)
FOR UPDATE`
	givenBackSQL = `
SELECT EXISTS (
    SELECT
    FROM payment_exceptions x
    JOIN payment_decisions d ON d.intent_uuid = x.intent_uuid AND d.version = x.version
    WHERE x.intent_uuid = $1
      AND x.attempt = $2
      AND d.kind = 'refunded'
)`
)

// GivenBack reports whether a person has decided that the money of an attempt went back in another
// way. The caller's transaction must have written the row of the refund before.
func GivenBack(
	ctx context.Context, tx pgx.Tx, intent domain.IntentID, attempt domain.AttemptID,
) (bool, error) {
	if _, err := tx.Exec(ctx, lockExceptionsSQL, intent, 0, attempt); err != nil {
		return false, fmt.Errorf("lock exceptions: %w", err)
	}
	return postgres.Find(ctx, tx, "find decisions", nil, pgx.RowTo[bool], givenBackSQL, intent, attempt)
}

// Decide records a decision about an exception, which is final, within the caller's
// transaction, which also writes the audit record. Its errors are ErrNothingToDecide,
// ErrDecided, ErrRefunding and, joined, those that apply of ErrKind, ErrReference, ErrNote
// and ErrInformed. How much of the money is left is read from the ledger, because the
// dashboard's group may not have processed a refund yet.
func Decide(
	ctx context.Context, tx pgx.Tx, organization uuid.UUID, intent domain.IntentID, version int, d Decision,
) error {
	if err := d.check(); err != nil {
		return fmt.Errorf("decide about a payment: %w", err)
	}
	if _, err := tx.Exec(ctx, lockExceptionsSQL, intent, version, ""); err != nil {
		return fmt.Errorf("lock exceptions: %w", err)
	}
	var of domain.AttemptID
	var refunding, made bool
	err := tx.QueryRow(ctx, decideSQL, organization, intent, version,
		d.At, d.By, d.Kind, d.Reference, d.Note, d.Informed,
	).Scan(&of, &refunding, &made)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		err = ErrNothingToDecide
	case err == nil && !made:
		err = ErrDecided
	case err == nil && refunding && d.Kind == Refunded:
		err = ErrRefunding
	}
	if err != nil {
		return fmt.Errorf("decide about a payment: %w", err)
	}
	i, err := ledger.Read(ctx, tx, intent)
	if err == nil && i.Refundable(of).Minor == 0 {
		err = ErrDecided
	}
	if err != nil {
		return fmt.Errorf("decide about a payment: %w", err)
	}
	return nil
}

// Filter selects the decisions of a list. The zero Filter selects all of the
// tenant's.
type Filter struct {
	Kind     Kind       // empty: any
	From, To domain.Day // of the decision, both included; zero: without limit
}

// decidedPlace is the place of a decision in the list, newest first.
type decidedPlace struct {
	at      time.Time
	intent  domain.IntentID
	version int
}

func (p decidedPlace) String() string {
	return fmt.Sprintf("%d_%s_%d", p.at.UnixMicro(), p.intent, p.version)
}

// parsePlace reads what String wrote; an empty text is the zero place, the beginning of the list.
func parsePlace(text string) (p decidedPlace, err error) {
	if text == "" {
		return p, nil
	}
	parts := strings.Split(text, "_")
	if len(parts) != 3 {
		return p, fmt.Errorf("read cursor: %w", projections.ErrCursor)
	}
	micros, wrongTime := strconv.ParseInt(parts[0], 10, 64)
	intent, wrongIntent := domain.ParseIntentID(parts[1])
	version, wrongVersion := strconv.ParseInt(parts[2], 10, 32)
	p = decidedPlace{time.UnixMicro(micros).UTC(), intent, int(version)}
	if errors.Join(wrongTime, wrongIntent, wrongVersion) != nil || p.at.Year() < 1 || p.at.Year() > 9999 {
		return decidedPlace{}, fmt.Errorf("read cursor: %w", projections.ErrCursor)
	}
	return p, nil
}

// Null means no limit; the casts give it a type.
const decidedSQL = exceptionsSQL + `
  AND d.at IS NOT NULL
  AND ($3::text = '' OR d.kind = $3)
  AND ($4::timestamptz IS NULL OR d.at >= $4)
  AND ($5::timestamptz IS NULL OR d.at < $5)
  AND ($6::timestamptz IS NULL OR (d.at, x.intent_uuid, x.version) < ($6, $7::uuid, $8::integer))
ORDER BY d.at DESC, x.intent_uuid DESC, x.version DESC
LIMIT $9`

// Decided returns the decided exceptions, the latest decision first, from the place at on, up to
// limit of them; older is the place where the list continues, empty at its end. The error is
// ErrCursor where at is not a place.
func (d *Decisions) Decided(
	ctx context.Context, tenant domain.Tenant, f Filter, at string, limit int,
) (all []Exception, older string, err error) {
	from, err := parsePlace(at)
	if err != nil {
		return nil, "", err
	}
	var since, until time.Time
	if !f.From.IsZero() {
		since = f.From.Start()
	}
	if !f.To.IsZero() {
		until = f.To.Add(1).Start()
	}
	all, _, err = d.exceptions(ctx, "list what was decided", decidedSQL, tenant, f.Kind,
		zeronull.Timestamptz(since), zeronull.Timestamptz(until),
		zeronull.Timestamptz(from.at), from.intent, from.version, limit+1)
	if err != nil || len(all) <= limit {
		return all, "", err
	}
	all = all[:limit]
	last := all[limit-1]
	return all, decidedPlace{last.Decision.At, last.Intent, last.Version}.String(), nil
}

// exportedAtOnce is how many decisions an export reads at a time.
const exportedAtOnce = 1_000

// ExportDecided yields all decided exceptions that the filter selects, the latest decision first.
// It reads exportedAtOnce at a time.
func (d *Decisions) ExportDecided(
	ctx context.Context, tenant domain.Tenant, f Filter,
) iter.Seq2[Exception, error] {
	return func(yield func(Exception, error) bool) {
		for at, more := "", true; more; more = at != "" {
			part, older, err := d.Decided(ctx, tenant, f, at, exportedAtOnce)
			if err != nil {
				yield(Exception{}, err)
				return
			}
			for _, x := range part {
				if !yield(x, nil) {
					return
				}
			}
			at = older
		}
	}
}

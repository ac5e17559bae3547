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
	// ErrDecided says that somebody has decided already, or that all of the money went back.
	ErrDecided = errors.New("it has been decided already")
	// ErrRefunding says that a refund of the money is under way: what becomes of it comes before
	// anybody gives it back in another way.
	ErrRefunding = errors.New("a refund of this money is under way")
	// ErrKind says that the kind is none of Kinds.
	ErrKind = errors.New("a decision is one of refunded, delivered, other")
	// ErrReference says that a reference is no line of up to MaxReference characters.
	ErrReference = errors.New("the reference must be one line that is not too long")
	// ErrNote says that a note is empty, longer than MaxNote or no text.
	ErrNote = errors.New("a note is needed that can be kept")
	// ErrInformed says that the name of who was told is no line of up to MaxInformed characters.
	ErrInformed = errors.New("who was told must be one line that is not too long")
)

// How many characters fit.
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
	// Other is also what was decided before there were kinds, and by servers of a
	// release that knows none.
	Other Kind = "other"
)

// Kinds are all kinds.
var Kinds = []Kind{Refunded, Delivered, Other}

// Valid reports whether k is one of Kinds.
func (k Kind) Valid() bool {
	return k == Refunded || k == Delivered || k == Other
}

// Decision is what became of an exception.
type Decision struct {
	At        time.Time
	By        string
	Kind      Kind
	Reference string // the number of a bank transfer, for example; may be empty
	Note      string // in a person's words
	Informed  string // who was told, and how; may be empty
}

// check finds everything that is wrong with a decision.
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

// isNote says whether a text can be kept as what somebody wrote down.
func isNote(text string) bool {
	return strings.TrimSpace(text) != "" && utf8.RuneCountInString(text) <= MaxNote && plaintext.Storable(text)
}

const decideSQL = `
WITH fact AS (
    SELECT x.intent_uuid, x.version, x.attempt, x.closed_at,
           EXISTS (SELECT FROM refunds r WHERE r.attempt = x.attempt AND r.ended_at IS NULL) AS refunding
    FROM applications a JOIN payment_exceptions x ON x.application_uuid = a.uuid
    WHERE a.organization_uuid = $1 AND x.intent_uuid = $2 AND x.version = $3
), made AS (
    INSERT INTO payment_decisions (intent_uuid, version, decided_at, decided_by, kind, reference, note, informed)
    SELECT intent_uuid, version, $4::timestamptz, $5::text, $6::text, $7::text, $8::text, $9::text FROM fact
    WHERE closed_at IS NULL
    ON CONFLICT (intent_uuid, version) DO NOTHING RETURNING 1
)
SELECT attempt, refunding, EXISTS (SELECT FROM made) FROM fact`

// The lock keeps a decision and a refund of the same money apart: of the two, the second sees the
// first.
const (
	lockExceptionsSQL = `SELECT FROM payment_exceptions WHERE intent_uuid = $1 AND (version = $2 OR attempt = $3) FOR UPDATE`
	givenBackSQL      = `
SELECT EXISTS (
    SELECT FROM payment_exceptions x JOIN payment_decisions d ON d.intent_uuid = x.intent_uuid AND d.version = x.version
    WHERE x.intent_uuid = $1 AND x.attempt = $2 AND d.kind = 'refunded'
)`
)

// GivenBack reports whether a person has decided that the money of an attempt went back in another
// way. The caller's transaction has recorded already that it is to go back.
func GivenBack(ctx context.Context, tx pgx.Tx, intent domain.IntentID,
	attempt domain.AttemptID,
) (bool, error) {
	if _, err := tx.Exec(ctx, lockExceptionsSQL, intent, 0, attempt); err != nil {
		return false, fmt.Errorf("lock exceptions: %w", err)
	}
	return postgres.Find(ctx, tx, "find decisions", nil, pgx.RowTo[bool], givenBackSQL, intent, attempt)
}

// Decide records what somebody decided about an exception, for good, within the
// caller's transaction, which also records who was allowed to. Its errors are
// ErrNothingToDecide, ErrDecided, ErrRefunding and, all that apply of them, ErrKind,
// ErrReference, ErrNote and ErrInformed. The ledger says what is left of the money: the
// dashboard's group may not have come to the refund yet.
func Decide(ctx context.Context, tx pgx.Tx, organization uuid.UUID, intent domain.IntentID, version int,
	d Decision,
) error {
	if err := d.check(); err != nil {
		return fmt.Errorf("decide about a payment: %w", err)
	}
	if _, err := tx.Exec(ctx, lockExceptionsSQL, intent, version, ""); err != nil {
		return fmt.Errorf("lock exceptions: %w", err)
	}
	var of domain.AttemptID
	var refunding, made bool
	err := tx.QueryRow(ctx, decideSQL, organization, intent, version, d.At, d.By, d.Kind, d.Reference, d.Note,
		d.Informed).Scan(&of, &refunding, &made)
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

// Filter says which decisions a list has. The zero Filter takes all of the
// organisation's.
type Filter struct {
	Kind     Kind            // empty: any
	From, To projections.Day // of the decision, both included; zero: without limit
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

// parsePlace reads what String wrote; an empty text is the zero place, where the list begins.
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

// The casts let null stand for no limit.
const decidedSQL = exceptionsSQL + ` AND d.at IS NOT NULL AND ($2::text = '' OR d.kind = $2)
  AND ($3::timestamptz IS NULL OR d.at >= $3) AND ($4::timestamptz IS NULL OR d.at < $4)
  AND ($5::timestamptz IS NULL OR (d.at, x.intent_uuid, x.version) < ($5, $6::uuid, $7::integer))
ORDER BY d.at DESC, x.intent_uuid DESC, x.version DESC LIMIT $8`

// Decided is what was decided, the latest first, from a place on, up to limit of them; older is
// the place where the list goes on, and empty where it ends. The error is ErrCursor where the
// place is none.
func (d *Decisions) Decided(ctx context.Context, organization uuid.UUID, f Filter,
	at string, limit int,
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
	all, _, err = d.exceptions(ctx, "list what was decided", decidedSQL, organization, f.Kind,
		zeronull.Timestamptz(since), zeronull.Timestamptz(until), zeronull.Timestamptz(from.at), from.intent, from.version, limit+1)
	if err != nil || len(all) <= limit {
		return all, "", err
	}
	all = all[:limit]
	last := all[limit-1]
	return all, decidedPlace{last.Decision.At, last.Intent, last.Version}.String(), nil
}

// exportedAtOnce is how many decisions an export reads at a time.
const exportedAtOnce = 1_000

// ExportDecided are all decisions under the filter, the latest first, read some at a time.
func (d *Decisions) ExportDecided(ctx context.Context,
	organization uuid.UUID, f Filter,
) iter.Seq2[Exception, error] {
	return func(yield func(Exception, error) bool) {
		for at, more := "", true; more; more = at != "" {
			part, older, err := d.Decided(ctx, organization, f, at, exportedAtOnce)
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

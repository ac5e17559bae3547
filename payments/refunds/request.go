package refunds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/decisions"
)

// Order is what a person asks for.
type Order struct {
	// ID comes from the form, so that a form that is sent twice makes one refund; zero: a new one.
	ID      domain.RefundID
	Intent  domain.IntentID
	Attempt domain.AttemptID // empty: the only one with money that can go back
	Amount  *domain.Money    // nil: all that is left
	// ByAcquirer: the acquirer is to be asked. Otherwise the money went back already, under
	// ProviderReference, which may be empty.
	ByAcquirer        bool
	ProviderReference string
	Note              string
}

// maxReference bounds an acquirer's reference that a person types, in characters.
const maxReference = 100

// IsReference reports whether a text can be an acquirer's reference: one line of up to 100 characters.
func IsReference(text string) bool {
	return utf8.RuneCountInString(text) <= maxReference && plaintext.OneLine(text)
}

func (o *Order) check() (err error) {
	switch {
	case !IsReference(o.ProviderReference):
		return ErrReference
	case o.Amount != nil && o.Amount.Minor <= 0:
		return ErrAmount
	case o.ID == (domain.RefundID{}):
		o.ID = domain.RefundID(uuid.New())
	}
	o.Note, err = payments.CheckNote(o.Note)
	return err
}

// Request orders a refund, or records that money went back. It needs RefundPayments. A refund
// that the same form requested before is returned as it is. Errors: ErrNothingPaid,
// ErrWhichAttempt, ErrTooLarge, ErrAmount, ErrUnderWay, ErrKnown, ErrNoCall, ErrGivenBack,
// ErrReference, a payments.NoteError, ledger.ErrNotFound and those of accounts.Do. Where money
// went back and the ledger cannot be written, the refund stays Recording: a server writes it later.
func (op *Operations) Request(
	ctx context.Context, by accounts.Actor, org accounts.OrganizationID, o Order,
) (Refund, error) {
	if err := o.check(); err != nil {
		return Refund{}, err
	}
	var r Refund
	err := op.accounts.Do(ctx, by, org, accounts.RefundPayments, func(tx pgx.Tx) (accounts.Entry, error) {
		app, err := postgres.Find(ctx, tx, "find intent", ledger.ErrNotFound, pgx.RowTo[domain.ApplicationID],
			applicationSQL, o.Intent, org)
		if err != nil {
			return accounts.Entry{}, err
		}
		wanted := Refund{Application: app, Actor: ActorOf(by), RequestedBy: by.Name}
		if r, err = op.request(ctx, tx, wanted, o); err != nil {
			return accounts.Entry{}, err
		}
		return auditEntry(ActionRefund, r, map[string]any{"by_acquirer": r.ByAcquirer}), nil
	})
	if errors.Is(err, errRequested) {
		return op.Find(ctx, o.ID)
	}
	if err != nil {
		return Refund{}, err
	}
	if r.State != Recording {
		op.requested.Set()
		return r, nil
	}
	return op.record(ctx, r)
}

// errRequested: the same form, or the same reference of an application, has been sent before.
var errRequested = errors.New("the refund has been asked for already")

// refundsLock is the first half of the advisory lock of an intent's refunds; a trigger of the table
// has it, too.
const refundsLock = 0x72666e64 // "rfnd"

const (
	lockSQL = `SELECT pg_advisory_xact_lock($1, hashtext($2::uuid::text))`
	// Whatever recorded money leaves this list later than the ledger has it.
	notEndedSQL = `
SELECT uuid, attempt, amount
FROM refunds
WHERE intent_uuid = $1
  AND ended_at IS NULL`
)

// It inserts nothing where the refund exists already: RETURNING has no row then.
var insertSQL = columns.Insert("refunds") + ` ON CONFLICT DO NOTHING RETURNING true`

// request writes the row of a refund, which has what is known of who wants it. Under the lock no other
// refund of the intent is requested. Those under way are read before the ledger: one that is
// recorded in between is in both, and counts once.
func (op *Operations) request(ctx context.Context, tx pgx.Tx, r Refund, o Order) (Refund, error) {
	if _, err := tx.Exec(ctx, lockSQL, refundsLock, o.Intent); err != nil {
		return Refund{}, fmt.Errorf("lock refunds: %w", err)
	}
	known, err := postgres.Find(ctx, tx, "find refund", pgx.ErrNoRows, columns.Scan, findSQL, o.ID)
	switch {
	case err == nil && known.Application == r.Application:
		return Refund{}, errRequested
	case err == nil:
		return Refund{}, ErrNoRefund // that this application, or the person, may see
	case !errors.Is(err, pgx.ErrNoRows):
		return Refund{}, err
	}
	underWay, err := postgres.List(ctx, tx, "list refunds under way", pgx.RowToStructByPos[reservation],
		notEndedSQL, o.Intent)
	if err != nil {
		return Refund{}, err
	}
	i, err := ledger.Read(ctx, tx, o.Intent)
	if err != nil {
		return Refund{}, err
	}
	f, err := choose(op.offers(i, underWay), i, o, r.Reference != nil)
	if err != nil {
		return Refund{}, err
	}
	if r, err = op.complete(r, o, f); err != nil {
		return Refund{}, err
	}
	if _, err := domain.Decide(i, r.command(), op.ledger.Now()); err != nil {
		return Refund{}, translateRefusal(err)
	}
	return r, write(ctx, tx, r)
}

// write inserts the row, and refuses money that went back in another way.
func write(ctx context.Context, tx pgx.Tx, r Refund) error {
	_, err := postgres.Find(ctx, tx, "insert refund", errRequested, pgx.RowTo[bool],
		insertSQL, columns.Fields(&r)...)
	if err != nil {
		return err
	}
	given, err := decisions.GivenBack(ctx, tx, r.Intent, r.Attempt)
	if err != nil || given && r.ByAcquirer {
		return cmp.Or(err, ErrGivenBack)
	}
	return nil
}

// complete is the refund of an order, and its first state. The error is ErrNoCall.
func (op *Operations) complete(r Refund, o Order, f Offer) (Refund, error) {
	r.ID, r.Intent, r.Attempt, r.Acquirer = o.ID, o.Intent, f.Attempt.ID, f.Attempt.Acquirer
	r.Amount, r.ByAcquirer, r.Note = f.free, o.ByAcquirer, o.Note
	if o.Amount != nil {
		r.Amount = *o.Amount
	}
	r.RequestedAt = op.ledger.Now()
	r.UpdatedAt = r.RequestedAt
	r.State = Requested
	if !o.ByAcquirer {
		r.State, r.ProviderReference, r.Evidence = Recording, o.ProviderReference, domain.EvidencePerson
	} else if !f.ByAcquirer {
		return Refund{}, &NoCallError{r.Acquirer}
	}
	return r, nil
}

// Offer is an attempt with money that can go back.
type Offer struct {
	Attempt domain.Attempt
	Left    domain.Money
	// ByAcquirer: the acquirer has a refund call.
	ByAcquirer bool

	free domain.Money // what of Left no refund under way reserves
}

// reservation is a refund that has not ended: its amount may have gone back.
type reservation struct {
	ID      [16]byte
	Attempt domain.AttemptID
	Minor   int64
}

// Offers returns the attempts of the intent with money that can go back, as the ledger has
// them. Refunds that are under way are not subtracted.
func (op *Operations) Offers(i domain.Intent) []Offer { return op.offers(i, nil) }

func (op *Operations) offers(i domain.Intent, underWay []reservation) []Offer {
	var all []Offer
	for _, a := range i.Attempts {
		left := i.Refundable(a.ID)
		if left.Minor <= 0 {
			continue
		}
		free := left
		for _, r := range underWay {
			recorded := slices.ContainsFunc(i.Refunds, func(b domain.Refund) bool { return b.ID == r.ID })
			if r.Attempt == a.ID && !recorded {
				free.Minor -= r.Minor
			}
		}
		all = append(all, Offer{a, left, op.canRefund(a.Acquirer, a.Method), free})
	}
	return all
}

// choose returns the offer that an order is about, which has its amount free. For an application
// it is that of a second payment first.
func choose(offers []Offer, i domain.Intent, o Order, application bool) (Offer, error) {
	if o.Attempt != "" {
		offers = slices.DeleteFunc(offers, func(f Offer) bool { return f.Attempt.ID != o.Attempt })
	}
	if len(offers) == 0 {
		return Offer{}, nothing(i, o.Attempt)
	}
	chosen := offers[0]
	if len(offers) > 1 {
		if !application {
			return Offer{}, ErrWhichAttempt
		}
		chosen = slices.MinFunc(offers, func(a, b Offer) int {
			return cmp.Or(rank(a.free.Minor <= 0, b.free.Minor <= 0), rank(a.paid(i), b.paid(i)))
		})
	}
	wanted := domain.Money{Minor: 1, Currency: chosen.Left.Currency} // what there is of it
	if o.Amount != nil {
		wanted = *o.Amount
	}
	if wanted.Minor > chosen.free.Minor {
		return Offer{}, &TooLargeError{Free: chosen.free, underWay: wanted.Minor <= chosen.Left.Minor}
	}
	return chosen, nil
}

// paid reports whether the offer is of the payment that made the intent succeed.
func (f Offer) paid(i domain.Intent) bool { return f.Attempt.ID == i.PaidBy }

// rank compares two conditions: the one that holds is later.
func rank(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// nothing is the error for money that cannot go back: of an attempt, or of the intent if it is empty.
func nothing(i domain.Intent, of domain.AttemptID) error {
	paid := slices.ContainsFunc(i.Attempts, func(a domain.Attempt) bool {
		return a.State == domain.AttemptStatePaid && (of == "" || a.ID == of)
	})
	switch {
	case paid:
		return ErrNothingLeft
	case of != "" && i.PaidBy != "":
		return ErrNoAttempt
	}
	return ErrNothingPaid
}

// TooLargeError says that less than the amount can be requested. It is ErrUnderWay where that is because
// of refunds that have not ended, and ErrTooLarge otherwise.
type TooLargeError struct {
	Free     domain.Money
	underWay bool
}

func (e *TooLargeError) Error() string { return e.Unwrap().Error() }

// Unwrap makes errors.Is match.
func (e *TooLargeError) Unwrap() error {
	if e.underWay {
		return ErrUnderWay
	}
	return ErrTooLarge
}

// NoCallError is ErrNoCall of an acquirer.
type NoCallError struct{ Acquirer string }

func (e *NoCallError) Error() string { return ErrNoCall.Error() }

// Unwrap makes errors.Is match.
func (e *NoCallError) Unwrap() error { return ErrNoCall }

// translateRefusal turns a refusal of the domain into an error of this package.
func translateRefusal(err error) error {
	switch {
	case errors.Is(err, domain.RefusedRefundTooLarge):
		return ErrTooLarge
	case errors.Is(err, domain.RefusedRefundKnown):
		return ErrKnown
	case errors.Is(err, domain.RefusedMalformed):
		return ErrAmount
	case errors.Is(err, domain.RefusedNotPaid), errors.Is(err, domain.RefusedUnknownAttempt):
		return ErrNothingPaid
	}
	return err
}

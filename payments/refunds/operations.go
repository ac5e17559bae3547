package refunds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/decisions"
)

// Operations takes people's requests for refunds, and their verdicts on refunds whose outcome is
// unknown. It is safe for concurrent use.
type Operations struct {
	pool      *pgxpool.Pool
	ledger    *ledger.Ledger
	accounts  *accounts.Accounts
	canRefund func(acquirer, method string) bool
}

// NewOperations makes Operations. Changes are authorised and recorded by accounts; canRefund reports
// whether an acquirer has a refund call. Everything stays the caller's.
func NewOperations(
	pool *pgxpool.Pool, l *ledger.Ledger, a *accounts.Accounts, canRefund func(acquirer, method string) bool,
) *Operations {
	return &Operations{pool, l, a, canRefund}
}

const (
	organizationSQL = `
SELECT a.organization_uuid
FROM intents i
JOIN applications a ON a.uuid = i.application_uuid
WHERE i.uuid = $1`
	applicationSQL = `
SELECT i.application_uuid
FROM intents i
JOIN applications a ON a.uuid = i.application_uuid
WHERE i.uuid = $1
  AND a.organization_uuid = $2`
)

// Organization returns the owner of an intent, for operators; ledger.ErrNotFound where there is
// no such intent.
func (op *Operations) Organization(ctx context.Context, id domain.IntentID) (accounts.OrganizationID, error) {
	return postgres.Find(ctx, op.pool, "find organisation of an intent", ledger.ErrNotFound,
		pgx.RowTo[accounts.OrganizationID], organizationSQL, id)
}

var (
	listSQL = `
SELECT ` + columns.List("") + `
FROM refunds
WHERE state = ANY($1)
ORDER BY requested_at DESC, uuid
LIMIT $2`
	ofIntentSQL = `
SELECT ` + columns.List("r.") + `
FROM refunds r
JOIN applications a ON a.uuid = r.application_uuid
WHERE a.organization_uuid = $1
  AND r.intent_uuid = $2
ORDER BY r.requested_at, r.uuid`
	findSQL = `
SELECT ` + columns.List("") + `
FROM refunds
WHERE uuid = $1`
)

const maxListed = 1000

// List returns the refunds of all organisations in the given states, the latest first, a
// thousand at most. Without a state it returns those that have not ended.
func (op *Operations) List(ctx context.Context, states ...State) ([]Refund, error) {
	if len(states) == 0 {
		states = []State{Requested, Asking, Unknown, Recording}
	}
	return postgres.List(ctx, op.pool, "list refunds", columns.Scan, listSQL, states, maxListed)
}

// Of returns the refunds of an intent, in the order in which they were requested; none
// where the organisation has no such intent.
func (op *Operations) Of(
	ctx context.Context, org accounts.OrganizationID, intent domain.IntentID,
) ([]Refund, error) {
	return postgres.List(ctx, op.pool, "list refunds of an intent", columns.Scan, ofIntentSQL, org, intent)
}

// Offer is an attempt with money that can go back.
type Offer struct {
	Attempt domain.Attempt
	Left    domain.Money
	// ByAcquirer: the acquirer has a refund call.
	ByAcquirer bool
}

// Offers returns the attempts of the intent with money that can go back, as the ledger has
// them. Refunds that are under way are not subtracted.
func (op *Operations) Offers(i domain.Intent) []Offer {
	var all []Offer
	for _, a := range i.Attempts {
		if left := i.Refundable(a.ID); left.Minor > 0 {
			all = append(all, Offer{a, left, op.canRefund(a.Acquirer, a.Method)})
		}
	}
	return all
}

// choose returns the offer that an order is about.
func (op *Operations) choose(i domain.Intent, o Order) (Offer, error) {
	offers := op.Offers(i)
	for _, f := range offers {
		if f.Attempt.ID == o.Attempt {
			return f, nil
		}
	}
	switch {
	case o.Attempt != "" || len(offers) == 0:
		return Offer{}, ErrNothingPaid
	case len(offers) > 1:
		return Offer{}, ErrWhichAttempt
	}
	return offers[0], nil
}

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

func (o *Order) check() (err error) {
	switch {
	case utf8.RuneCountInString(o.ProviderReference) > maxReference, !plaintext.OneLine(o.ProviderReference):
		return ErrReference
	case o.Amount != nil && o.Amount.Minor <= 0:
		return ErrAmount
	case o.ID == (domain.RefundID{}):
		o.ID = domain.RefundID(uuid.New())
	}
	o.Note, err = payments.CheckNote(o.Note)
	return err
}

// It inserts nothing where the refund exists already, or another of the attempt has not
// ended: RETURNING has no row then.
var insertSQL = columns.Insert("refunds") + ` ON CONFLICT DO NOTHING RETURNING true`

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
		var err error
		if r, err = op.request(ctx, tx, by, org, o); err != nil {
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
		return r, nil
	}
	return op.record(ctx, r)
}

// errRequested: the same form has been sent before.
var errRequested = errors.New("the refund has been asked for already")

// request writes the row and then checks the ledger: once there is a row, no other refund of
// the attempt can begin, so the amount that is left does not change.
func (op *Operations) request(
	ctx context.Context, tx pgx.Tx, by accounts.Actor, org accounts.OrganizationID, o Order,
) (Refund, error) {
	app, err := postgres.Find(ctx, tx, "find intent", ledger.ErrNotFound, pgx.RowTo[domain.ApplicationID],
		applicationSQL, o.Intent, org)
	if err != nil {
		return Refund{}, err
	}
	before, err := ledger.Read(ctx, tx, o.Intent)
	if err != nil {
		return Refund{}, err
	}
	offer, err := op.choose(before, o)
	if err != nil {
		return Refund{}, op.known(ctx, tx, o.ID, err)
	}
	r := Refund{
		ID:          o.ID,
		Intent:      o.Intent,
		Application: app,
		Attempt:     offer.Attempt.ID,
		Acquirer:    offer.Attempt.Acquirer,
		Amount:      offer.Left,
		ByAcquirer:  o.ByAcquirer,
		State:       Requested,
		Note:        o.Note,
		Actor:       actorOf(by),
		RequestedBy: by.Name,
		RequestedAt: op.ledger.Now(),
	}
	if o.Amount != nil {
		r.Amount = *o.Amount
	}
	if !o.ByAcquirer {
		r.State, r.ProviderReference, r.Evidence = Recording, o.ProviderReference, domain.EvidencePerson
	} else if !offer.ByAcquirer {
		return Refund{}, ErrNoCall
	}
	var written bool
	err = tx.QueryRow(ctx, insertSQL, columns.Fields(&r)...).Scan(&written)
	if errors.Is(err, pgx.ErrNoRows) {
		return Refund{}, op.known(ctx, tx, o.ID, ErrUnderWay)
	}
	if err != nil {
		return Refund{}, fmt.Errorf("insert refund: %w", err)
	}
	if given, err := decisions.GivenBack(ctx, tx, o.Intent, r.Attempt); err != nil || given && o.ByAcquirer {
		return Refund{}, cmp.Or(err, ErrGivenBack)
	}
	after, err := ledger.Read(ctx, tx, o.Intent)
	if err != nil {
		return Refund{}, err
	}
	_, err = domain.Decide(after, r.command(), op.ledger.Now())
	return r, translateRefusal(err)
}

// known returns errRequested where the refund exists, and the given error otherwise.
func (op *Operations) known(ctx context.Context, tx pgx.Tx, id domain.RefundID, otherwise error) error {
	_, err := postgres.Find(ctx, tx, "find refund", otherwise, columns.Scan, findSQL, id)
	if err == nil {
		return errRequested
	}
	return err
}

// Find returns one refund, for operators; ErrNoRefund where there is none.
func (op *Operations) Find(ctx context.Context, id domain.RefundID) (Refund, error) {
	return postgres.Find(ctx, op.pool, "find refund", ErrNoRefund, columns.Scan, findSQL, id)
}

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

// actorOf is the actor's name in the ledger, which keeps no addresses of people.
func actorOf(by accounts.Actor) string {
	if by.User == (accounts.UserID{}) {
		return by.Name
	}
	return ledger.ActorUser(uuid.UUID(by.User))
}

func auditEntry(what accounts.Action, r Refund, detail map[string]any) accounts.Entry {
	detail["refund"], detail["attempt"], detail["amount"] = r.ID.String(), string(r.Attempt), r.Amount.String()
	return accounts.Entry{Action: what, Subject: "payment", SubjectID: uuid.UUID(r.Intent), Detail: detail}
}

package till

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/projections"
)

// Fresh is how old a payment may be that was made at the till just now.
const Fresh = 15 * time.Minute

// Verdict is what a receipt is worth.
type Verdict string

// The verdicts.
const (
	Good     Verdict = "good"
	Before   Verdict = "before"   // paid, but checked before
	Old      Verdict = "old"      // paid, but not just now
	Refunded Verdict = "refunded" // at least a part went back
	Unpaid   Verdict = "unpaid"
	Test     Verdict = "test"    // of a test application: no money moved
	Unknown  Verdict = "unknown" // there is no such payment of the organisation
)

// Answer is what is known of a receipt.
type Answer struct {
	Verdict
	At       time.Time     // of this check
	Intent   domain.Intent // blank if unknown
	PaidAt   time.Time     // zero: not paid
	Refunded domain.Money
	First    First // the first check, with Before
}

// First is the first check of a receipt.
type First struct {
	At time.Time
	By string // a member's address
}

// Age is how long ago it was paid.
func (a Answer) Age() time.Duration { return a.At.Sub(a.PaidAt) }

// Till checks receipts. It is safe for concurrent use.
type Till struct {
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
	payments *projections.Payments
	ledger   *ledger.Ledger
	now      func() time.Time
}

// New makes a Till that keeps checks in the pool's database; a nil now is the ledger's clock.
func New(pool *pgxpool.Pool, a *accounts.Accounts, l *ledger.Ledger, now func() time.Time) *Till {
	if now == nil {
		now = l.Now
	}
	return &Till{pool, a, projections.NewPayments(pool), l, now}
}

// Check checks a receipt of the organisation by its printed reference, or the address in its QR
// code. form is the number of the form. It needs SeePayments.
func (t *Till) Check(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	printed, form string,
) (Answer, error) {
	if err := t.accounts.Authorize(ctx, by, of, accounts.SeePayments); err != nil {
		return Answer{}, err
	}
	for _, mode := range []domain.Mode{domain.ModeLive, domain.ModeTest} {
		found, err := t.find(ctx, of.In(mode), printed)
		if err != nil {
			return Answer{}, err
		}
		if found != nil {
			return t.judge(ctx, by, *found, mode, form)
		}
	}
	return Answer{Verdict: Unknown, At: t.now()}, nil
}

// address matches the address in the QR code of a receipt.
var address = regexp.MustCompile(
	`/receipt/([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})(?:/|$)`)

// find is the payment of the tenant that is printed; nil if there is none.
func (t *Till) find(ctx context.Context, tenant domain.Tenant, printed string) (*domain.IntentID, error) {
	var found projections.Payment
	var ok bool
	var err error
	if parts := address.FindStringSubmatch(printed); parts != nil {
		var id domain.IntentID
		if id, err = domain.ParseIntentID(parts[1]); err != nil {
			return nil, err
		}
		found, ok, err = t.payments.Find(ctx, tenant, id)
	} else {
		found, ok, err = t.payments.FindReference(ctx, tenant, printed)
	}
	if err != nil || !ok {
		return nil, err
	}
	return &found.ID, nil
}

// judge is the answer about a payment of the organisation.
func (t *Till) judge(ctx context.Context, by accounts.Actor, id domain.IntentID,
	mode domain.Mode, form string,
) (a Answer, err error) {
	if a.Intent, err = t.ledger.Load(ctx, id); err != nil {
		return a, err
	}
	i := a.Intent
	a.At = t.now()
	paid, isPaid := i.Attempt(i.PaidBy)
	if isPaid {
		a.PaidAt = paid.EndedAt
		a.Refunded = domain.Money{
			Minor: i.Amount.Minor - i.Refundable(i.PaidBy).Minor, Currency: i.Amount.Currency,
		}
	}
	switch {
	case mode == domain.ModeTest:
		a.Verdict = Test
	case !isPaid:
		a.Verdict = Unpaid
	case a.Refunded.Minor > 0:
		a.Verdict = Refunded
	default:
		return t.judgePaid(ctx, by, a, form)
	}
	return a, nil
}

// judgePaid is the answer about a payment whose money is there, after it has kept the check.
func (t *Till) judgePaid(ctx context.Context, by accounts.Actor, a Answer, form string) (Answer, error) {
	first, same, err := t.keep(ctx, by, a, form)
	switch {
	case err != nil:
		return a, err
	case !same:
		a.Verdict, a.First = Before, first
	case a.Age() > Fresh:
		a.Verdict = Old
	default:
		a.Verdict = Good
	}
	return a, nil
}

const (
	keepCheckSQL = `
INSERT INTO receipt_checks (intent_uuid, user_uuid, form, checked_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (intent_uuid) DO NOTHING`
	firstCheckSQL = `
SELECT c.checked_at, coalesce(u.email, ''), c.user_uuid = $2 AND c.form = $3
FROM receipt_checks c
     LEFT JOIN users u ON u.uuid = c.user_uuid
WHERE c.intent_uuid = $1`
)

// keep keeps a check if it is the first. It returns the first, and whether this is it.
func (t *Till) keep(ctx context.Context, by accounts.Actor, a Answer, form string) (First, bool, error) {
	if form == "" {
		return First{}, false, errors.New("check a receipt: the form has no number")
	}
	_, err := t.pool.Exec(ctx, keepCheckSQL, a.Intent.ID, by.User, form, a.At)
	if err != nil {
		return First{}, false, fmt.Errorf("keep check of a receipt: %w", err)
	}
	// Separate, because a statement does not see the row of another that it has waited for.
	var same bool
	first, err := postgres.Find(ctx, t.pool, "find first check of a receipt", nil,
		func(row pgx.CollectableRow) (f First, err error) { return f, row.Scan(&f.At, &f.By, &same) },
		firstCheckSQL, a.Intent.ID, by.User, form)
	return first, same, err
}

package projections

import (
	"context"
	"time"

	"github.com/google/uuid"

	"daftar/books"
	"daftar/domain"
	"daftar/internal/postgres"
)

// Books reads the books of tenants.
type Books struct{ q postgres.Querier }

// NewBooks reads through q, which the caller still owns.
func NewBooks(q postgres.Querier) *Books { return &Books{q} }

// BookBalance is what an account of the books has, in dirhams; a debit is positive.
type BookBalance struct {
	Acquirer string
	Account  books.Account
	Amount   int64
}

// BookEntry is an entry of the journal with the place of its event in the log.
type BookEntry struct {
	books.Entry
	Position int64
	At       time.Time // when the event was recorded
	Stream   uuid.UUID // the payment intent, or the provider account
}

// Balance is what the tenant's accounts have after the event at a position, without those that have 0.
func (b *Books) Balance(ctx context.Context, tenant domain.Tenant, at int64) ([]BookBalance, error) {
	panic("not yet")
}

// Journal calls do with each of the tenant's entries after one position up to another, in their order.
func (b *Books) Journal(
	ctx context.Context, tenant domain.Tenant, after, upTo int64, do func(BookEntry) error,
) error {
	panic("not yet")
}

// PositionAt is the position of the last event that was recorded by a time; 0: there is none.
func (b *Books) PositionAt(ctx context.Context, t time.Time) (int64, error) { panic("not yet") }

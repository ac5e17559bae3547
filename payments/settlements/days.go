package settlements

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/ledger"
)

// ClosedDay is a day as it was closed, and by whom.
type ClosedDay struct {
	books.DayClosed

	By Change
}

// Days are the closed days of a tenant.
func (s *Settlements) Days(ctx context.Context, of domain.Tenant) (map[domain.Day]ClosedDay, error) {
	recorded, err := eventstore.NewReader(s.pool).ReadStream(ctx, books.KeyOf(of, "").StreamID())
	if err != nil {
		return nil, err
	}
	all, changes := make([]books.DayClosed, len(recorded)), make([]Change, len(recorded))
	for n, r := range recorded {
		origin, err := r.Origin()
		if err != nil {
			return nil, err
		}
		e, err := books.Decode(r)
		if err != nil {
			return nil, err
		}
		all[n], _ = e.(books.DayClosed) // no other event is in the stream
		changes[n] = Change{r.RecordedAt, origin.Actor, origin.ProposedBy, origin.Note}
	}
	days := map[domain.Day]ClosedDay{}
	err = s.name(ctx, changes)
	for n, day := range all {
		days[day.Day] = ClosedDay{day, changes[n]}
	}
	return days, err
}

// CloseDay records what a day took. It moves no money, so it needs no second person. It needs KeepBooks.
// Errors: those that wrap a books.Refusal, which are in the audit trail, and those of accounts.Do.
func (s *Settlements) CloseDay(
	ctx context.Context, by accounts.Actor, of domain.Tenant, c books.CloseDay,
) error {
	if by.User == (accounts.UserID{}) {
		return accounts.ErrForbidden
	}
	k := books.KeyOf(of, "")
	record := func(refusal error) error {
		err := s.accounts.Do(ctx, by, accounts.OrganizationID(of.Organization), accounts.KeepBooks,
			func(pgx.Tx) (accounts.Entry, error) { return dayEntry(k, c, refusal), nil })
		if err != nil {
			return err
		}
		return refusal
	}
	account, err := s.ledger.ProviderAccount(ctx, k)
	if err != nil {
		return err
	}
	_, refusal := books.Decide(&account, c, s.ledger.Now())
	if err := record(refusal); err != nil {
		return err
	}
	_, err = s.ledger.Book(ctx, k, c, ledger.Origin{
		Actor: ledger.ActorUser(uuid.UUID(by.User)), RequestID: by.RequestID,
	})
	if _, refused := errors.AsType[books.Refusal](err); refused {
		return record(err) // somebody else has closed it in between
	}
	return err
}

// dayEntry is the audit record of closing a day; refusal is why it failed.
func dayEntry(k books.Key, c books.CloseDay, refusal error) accounts.Entry {
	money := func(minor int64) string { return domain.Money{Minor: minor, Currency: domain.LYD}.String() }
	sum := int64(0)
	for _, m := range c.Methods {
		sum += m.Amount
	}
	detail := map[string]any{"day": c.Day.String(), "amount": money(sum)}
	if c.CashCounted != nil && c.CashExpected != nil {
		detail["difference"] = money(*c.CashCounted - *c.CashExpected)
	}
	e := accounts.Entry{
		Action: ActionDay, Subject: "organization", SubjectID: k.Organization, Detail: detail,
	}
	failed(&e, refusal)
	return e
}

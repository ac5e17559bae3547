package settlements

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/outcomes"
)

// Errors. Nothing has changed.
var (
	// ErrChanged says that the books have changed since what was accepted was shown.
	ErrChanged = errors.New("the books have changed since this was shown")
	// ErrNothing says that a statement has nothing that could be accepted.
	ErrNothing = errors.New("the statement has nothing to accept")
)

// Settlements keeps the books of provider accounts. It is safe for concurrent use.
type Settlements struct {
	pool     *pgxpool.Pool
	ledger   *ledger.Ledger
	accounts *accounts.Accounts
}

// New makes Settlements. Everything stays the caller's.
func New(pool *pgxpool.Pool, l *ledger.Ledger, a *accounts.Accounts) *Settlements {
	return &Settlements{pool, l, a}
}

// Accept records a draft on a person's terms, or proposes that, if its digest is the one that was shown. It
// needs KeepBooks. Errors: ErrChanged, ErrNothing, ErrFees, and those of Record.
func (s *Settlements) Accept(
	ctx context.Context, by accounts.Actor, d Draft, t Terms, shown string,
) (outcomes.State, error) {
	c, err := d.command(t)
	if err != nil {
		return "", err
	}
	digest, err := d.Digest()
	switch {
	case err != nil:
		return "", err
	case len(d.Accepted) > 0:
		err = books.RefusedStatementKnown
	case digest != shown:
		err = ErrChanged
	case len(d.Settlements) == 0:
		err = ErrNothing
	}
	if p := propose(d.Key, c, by); err != nil {
		return "", s.refuse(ctx, by, &p, err)
	}
	return s.Record(ctx, by, d.Key, c, "")
}

// Record carries out a command on an account, or proposes it where the rule asks for a second person, which
// the state says. A statement needs no note. It needs KeepBooks. Errors: those that wrap a books.Refusal,
// outcomes.ErrProposed, a payments.NoteError and those of accounts.Do. A refusal is in the audit trail.
func (s *Settlements) Record(
	ctx context.Context, by accounts.Actor, k books.Key, c books.Command, note string,
) (outcomes.State, error) {
	if by.User == (accounts.UserID{}) {
		return "", accounts.ErrForbidden // operators are not counted as people
	}
	p := propose(k, c, by)
	p.ProposedAt = s.ledger.Now()
	var err error
	if p.Statement == nil {
		if p.Note, err = payments.CheckNote(note); err != nil {
			return "", err
		}
	}
	account, err := s.ledger.ProviderAccount(ctx, k)
	if err != nil {
		return "", err
	}
	events, err := books.Decide(&account, c, p.ProposedAt)
	if err != nil {
		return "", s.refuse(ctx, by, &p, err)
	}
	if len(events) == 0 {
		return outcomes.Recorded, nil // it is so already
	}
	p.Version = account.Version
	org := accounts.OrganizationID(k.Organization)
	err = s.accounts.Do(ctx, by, org, accounts.KeepBooks, func(tx pgx.Tx) (accounts.Entry, error) {
		rule, err := outcomes.RuleIn(ctx, tx, org)
		if err != nil {
			return accounts.Entry{}, err
		}
		action := ActionPropose
		p.Two = rule.NeedsTwo(by.User, domain.Money{Minor: moved(events), Currency: domain.LYD})
		if !p.Two {
			action, p.State, p.DecidedBy = p.Action(), outcomes.Recording, uuid.UUID(by.User)
		}
		return p.entry(action, nil), p.insert(ctx, tx)
	})
	if err == nil && !p.Two {
		err = s.carryOut(ctx, by, &p)
	}
	return p.State, err
}

// moved is the amount by which a rule decides whether events need a second person: never 0, so that a
// rule about everything is about them.
func moved(events []books.Event) int64 {
	abs := func(n int64) int64 { return max(n, -n) }
	sum := int64(0)
	for _, e := range events {
		switch e := e.(type) {
		case books.SettlementRecorded:
			for _, share := range e.Shares {
				sum += abs(share.Amount)
			}
		case books.SettlementCorrected:
			sum += max(abs(e.Gross-e.GrossBefore), abs(e.Fees-e.FeesBefore), abs(e.Net-e.NetBefore))
		case books.FeeScheduled, books.DayClosed:
		}
	}
	return max(sum, 1)
}

// Confirm carries out another member's proposal, or completes one that a server did not. It needs KeepBooks.
// Errors: outcomes.ErrOwn, outcomes.ErrNoProposal, ErrChanged, those that wrap a books.Refusal, and those
// of accounts.Do.
func (s *Settlements) Confirm(
	ctx context.Context, by accounts.Actor, of domain.Tenant, id uuid.UUID,
) error {
	p, err := s.decide(ctx, by, of, id, ActionConfirm)
	if err == nil {
		err = s.carryOut(ctx, by, &p)
	}
	return err
}

// Reject ends a proposal, another's or one's own. It needs KeepBooks. Errors: outcomes.ErrNoProposal and
// those of accounts.Do.
func (s *Settlements) Reject(ctx context.Context, by accounts.Actor, of domain.Tenant, id uuid.UUID) error {
	_, err := s.decide(ctx, by, of, id, ActionReject)
	return err
}

// decide changes a proposal that has not ended, in a transaction with its audit record.
func (s *Settlements) decide(
	ctx context.Context, by accounts.Actor, of domain.Tenant, id uuid.UUID, what accounts.Action,
) (p Proposal, err error) {
	if by.User == (accounts.UserID{}) {
		return p, accounts.ErrForbidden
	}
	org := accounts.OrganizationID(of.Organization)
	err = s.accounts.Do(ctx, by, org, accounts.KeepBooks, func(tx pgx.Tx) (accounts.Entry, error) {
		if p, err = s.find(ctx, tx, of, id, " FOR UPDATE"); err != nil {
			return accounts.Entry{}, err
		}
		entry := p.entry(what, nil)
		switch waits := p.State == outcomes.Proposed; {
		case what == ActionReject && !waits:
			return entry, outcomes.ErrNoProposal
		case what == ActionReject:
			p.DecidedBy = uuid.UUID(by.User)
			return entry, p.save(ctx, tx, outcomes.Rejected)
		case waits && p.ProposedBy == uuid.UUID(by.User):
			return entry, outcomes.ErrOwn
		case waits:
			p.DecidedBy = uuid.UUID(by.User)
		}
		return entry, p.save(ctx, tx, outcomes.Recording)
	})
	return p, err
}

// A contract that was recorded since makes other fees expected.
const feesSinceSQL = `
SELECT EXISTS (SELECT
               FROM events
               WHERE stream_id = $1
                 AND version > $2
                 AND type = '` + books.TypeFeeScheduled + `')`

// carryOut tells the ledger of a proposal that was decided, and ends it.
func (s *Settlements) carryOut(ctx context.Context, by accounts.Actor, p *Proposal) error {
	changed, err := postgres.Find(ctx, s.pool, "look for fees", nil, pgx.RowTo[bool], feesSinceSQL,
		[16]byte(p.Key.StreamID()), p.Version)
	switch {
	case err != nil:
		return err
	case changed && p.Statement != nil:
		err = ErrChanged
	default:
		_, err = s.ledger.Book(ctx, p.Key, p.command(), p.origin(by))
	}
	_, refused := errors.AsType[books.Refusal](err)
	refused = refused || errors.Is(err, ErrChanged)
	if refused && p.Statement != nil {
		account, failed := s.ledger.ProviderAccount(ctx, p.Key)
		if failed != nil {
			return failed
		}
		if _, recorded := account.Settlement(p.Statement.Settlements[0].ID); recorded {
			refused, err = false, nil // by another request, or by a server that ended then
		}
	}
	switch {
	case refused:
		return errors.Join(s.refuse(ctx, by, p, err), p.save(ctx, s.pool, outcomes.Overtaken))
	case err != nil:
		return err
	}
	return p.save(ctx, s.pool, outcomes.Recorded)
}

// refuse records a refusal, and returns it.
func (s *Settlements) refuse(ctx context.Context, by accounts.Actor, p *Proposal, refusal error) error {
	err := s.accounts.Do(ctx, by, accounts.OrganizationID(p.Key.Organization), accounts.KeepBooks,
		func(pgx.Tx) (accounts.Entry, error) { return p.entry(p.Action(), refusal), nil })
	if err != nil {
		return err
	}
	return refusal
}

// Waiting are the proposals of a tenant that have not ended, the oldest first.
func (s *Settlements) Waiting(ctx context.Context, of domain.Tenant, limit int) ([]Proposal, error) {
	return postgres.List(ctx, s.pool, "list proposals", scan, waitingSQL, of.Organization, of.Mode, limit)
}

// Proposal is one of Waiting; outcomes.ErrNoProposal where there is none.
func (s *Settlements) Proposal(ctx context.Context, of domain.Tenant, id uuid.UUID) (Proposal, error) {
	return s.find(ctx, s.pool, of, id, "")
}

func (s *Settlements) find(
	ctx context.Context, q postgres.Querier, of domain.Tenant, id uuid.UUID, lock string,
) (Proposal, error) {
	return postgres.Find(ctx, q, "find proposal", outcomes.ErrNoProposal, scan, findSQL+lock,
		of.Organization, of.Mode, [16]byte(id))
}

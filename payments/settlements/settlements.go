package settlements

import (
	"context"
	"errors"
	"fmt"

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
	c, err := d.Command(t)
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
	case len(d.Parts) == 0:
		err = ErrNothing
	}
	if err != nil {
		p := Proposal{Key: d.Key, Command: c}
		return "", s.refuse(ctx, by, p, ActionAccept, err)
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
	p := Proposal{
		Key: k, ID: uuid.New(), Command: c, Note: note, State: outcomes.Proposed, needs: needsTwo,
		ProposedBy: by.User, Proposer: by.Name, ProposedAt: s.ledger.Now(),
	}
	var err error
	if _, statement := c.(books.RecordStatement); !statement {
		if p.Note, err = payments.CheckNote(note); err != nil {
			return "", err
		}
	}
	account, err := s.ledger.ProviderAccount(ctx, k)
	if err != nil {
		return "", err
	}
	events, err := books.Decide(&account, c, s.ledger.Now())
	if err != nil {
		return "", s.refuse(ctx, by, p, p.action(), err)
	}
	if len(events) == 0 {
		return outcomes.Recorded, nil // it is so already
	}
	if err := p.write(); err != nil {
		return "", err
	}
	org := accounts.OrganizationID(k.Organization)
	err = s.accounts.Do(ctx, by, org, accounts.KeepBooks, func(tx pgx.Tx) (accounts.Entry, error) {
		rule, err := outcomes.RuleIn(ctx, tx, org)
		if err != nil {
			return accounts.Entry{}, err
		}
		action := ActionPropose
		if !rule.NeedsTwo(by.User, domain.Money{Minor: moved(events), Currency: domain.LYD}) {
			p.needs, action = needsOne, p.action()
			p.decide(outcomes.Recording, by, p.ProposedAt)
		}
		_, err = postgres.Find(ctx, tx, "insert proposal", outcomes.ErrProposed, pgx.RowTo[bool], insertSQL,
			columns.Fields(&p)...)
		return p.entry(action, nil), err
	})
	if err != nil || p.State == outcomes.Proposed {
		return p.State, err
	}
	err = s.carryOut(ctx, by, &p)
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
		case books.FeeScheduled:
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
	p, err := s.decide(ctx, by, of, id, func(p *Proposal) (accounts.Action, error) {
		if p.Two() && p.ProposedBy == by.User {
			return "", outcomes.ErrOwn
		}
		if p.Two() {
			p.decide(outcomes.Recording, by, s.ledger.Now())
		}
		return ActionConfirm, nil
	})
	if err != nil {
		return err
	}
	return s.carryOut(ctx, by, &p)
}

// Reject ends a proposal, another's or one's own. It needs KeepBooks. Errors: outcomes.ErrNoProposal and
// those of accounts.Do.
func (s *Settlements) Reject(ctx context.Context, by accounts.Actor, of domain.Tenant, id uuid.UUID) error {
	_, err := s.decide(ctx, by, of, id, func(p *Proposal) (accounts.Action, error) {
		if !p.Two() {
			return "", outcomes.ErrNoProposal
		}
		p.decide(outcomes.Rejected, by, s.ledger.Now())
		return ActionReject, nil
	})
	return err
}

// decide changes a proposal that has not ended, in a transaction with its audit record.
func (s *Settlements) decide(
	ctx context.Context, by accounts.Actor, of domain.Tenant, id uuid.UUID,
	how func(*Proposal) (accounts.Action, error),
) (p Proposal, err error) {
	if by.User == (accounts.UserID{}) {
		return p, accounts.ErrForbidden
	}
	org := accounts.OrganizationID(of.Organization)
	err = s.accounts.Do(ctx, by, org, accounts.KeepBooks, func(tx pgx.Tx) (accounts.Entry, error) {
		if p, err = s.find(ctx, tx, of, id, " FOR UPDATE"); err != nil {
			return accounts.Entry{}, err
		}
		action, err := how(&p)
		if err == nil {
			err = postgres.One(tx.Exec(ctx, decideSQL, p.decided()...))
		}
		return p.entry(action, nil), err
	})
	return p, err
}

// carryOut tells the ledger of a proposal that was decided, and ends it.
func (s *Settlements) carryOut(ctx context.Context, by accounts.Actor, p *Proposal) error {
	account, err := s.ledger.ProviderAccount(ctx, p.Key)
	if err != nil {
		return err
	}
	end := func(state outcomes.State) error {
		now := s.ledger.Now()
		p.State, p.endedAt = state, &now
		_, err := s.pool.Exec(ctx, decideSQL, p.decided()...)
		return err
	}
	c, statement := p.Command.(books.RecordStatement)
	if statement {
		if _, recorded := account.Settlement(c.Settlements[0].ID); recorded {
			return end(outcomes.Recorded) // by a server that ended then
		}
		err = s.checkExpected(ctx, &account, c)
	}
	if err == nil {
		_, err = s.ledger.Book(ctx, p.Key, p.Command, p.origin(by))
	}
	_, refused := errors.AsType[books.Refusal](err)
	switch {
	case err == nil:
		return end(outcomes.Recorded)
	case refused || errors.Is(err, ErrChanged):
		if err := end(outcomes.Overtaken); err != nil {
			return err
		}
		return s.refuse(ctx, by, *p, p.action(), err)
	}
	return err
}

// checkExpected returns ErrChanged where the contract on record has changed since the statement was shown.
func (s *Settlements) checkExpected(
	ctx context.Context, a *books.ProviderAccount, c books.RecordStatement,
) error {
	for _, one := range c.Settlements {
		now, err := s.expected(ctx, a, one.Shares)
		if err != nil {
			return err
		}
		if (now == nil) != (one.ExpectedFees == nil) || now != nil && *now != *one.ExpectedFees {
			return ErrChanged
		}
	}
	return nil
}

// refuse records a refusal, and returns it.
func (s *Settlements) refuse(
	ctx context.Context, by accounts.Actor, p Proposal, what accounts.Action, refusal error,
) error {
	err := s.accounts.Do(ctx, by, accounts.OrganizationID(p.Organization), accounts.KeepBooks,
		func(pgx.Tx) (accounts.Entry, error) { return p.entry(what, refusal), nil })
	if err != nil {
		return fmt.Errorf("record refusal: %w", err)
	}
	return refusal
}

// Waiting are the proposals of a tenant that have not ended, the oldest first.
func (s *Settlements) Waiting(ctx context.Context, of domain.Tenant, limit int) ([]Proposal, error) {
	return postgres.List(ctx, s.pool, "list proposals", columns.Scan, waitingSQL, of.Organization,
		of.Mode, limit)
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

package settlements

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments/outcomes"
)

// Proposal is what a member said of the books: carried out at once, or when another confirms. It has one
// command; in a list, and after its end, that of a statement has no settlements.
type Proposal struct {
	Key        books.Key
	ID         uuid.UUID
	Statement  *books.RecordStatement
	Correction *books.CorrectSettlement
	Fee        *books.ScheduleFee
	Note       string
	Version    int // of the account then
	State      outcomes.State
	Two        bool      // another member has to confirm it
	ProposedBy uuid.UUID // and how people know them
	Proposer   string
	ProposedAt time.Time
	DecidedBy  uuid.UUID
}

const (
	// It inserts nothing where another proposal of the same file is open.
	insertSQL = `
INSERT INTO settlement_proposals
       (uuid, organization_uuid, mode, acquirer, sha256, two, proposed_by, proposed_at, state, decided_by,
        proposal)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT DO NOTHING
RETURNING true`
	saveSQL = `
UPDATE settlement_proposals
SET state = $2, decided_by = $3, proposal = $4
WHERE uuid = $1`
	openSQL = `
FROM settlement_proposals
WHERE organization_uuid = $1
  AND mode = $2
  AND state IN ('proposed', 'recording')`
	findSQL = `SELECT proposal` + openSQL + ` AND uuid = $3`
	// The settlements may have some megabytes, which a list does not need.
	waitingSQL = `SELECT (proposal::jsonb #- '{Statement,Settlements}')::text` + openSQL + `
ORDER BY proposed_at
LIMIT $3`
)

func scan(row pgx.CollectableRow) (p Proposal, err error) {
	var text []byte
	if err = row.Scan(&text); err == nil {
		err = json.Unmarshal(text, &p)
	}
	return p, err
}

// propose is a proposal of a command.
func propose(k books.Key, c books.Command, by accounts.Actor) Proposal {
	p := Proposal{
		Key: k, ID: uuid.New(), State: outcomes.Proposed, ProposedBy: uuid.UUID(by.User), Proposer: by.Name,
	}
	switch c := c.(type) {
	case books.RecordStatement:
		p.Statement = &c
	case books.CorrectSettlement:
		p.Correction = &c
	case books.ScheduleFee:
		p.Fee = &c
	case books.CloseDay:
		panic("settlements: days are closed by CloseDay")
	}
	return p
}

func (p *Proposal) command() books.Command {
	switch {
	case p.Statement != nil:
		return *p.Statement
	case p.Correction != nil:
		return *p.Correction
	}
	return *p.Fee
}

func (p *Proposal) insert(ctx context.Context, tx pgx.Tx) error {
	sha256 := ""
	if p.Statement != nil {
		sha256 = p.Statement.SHA256
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = postgres.Find(ctx, tx, "insert proposal", outcomes.ErrProposed, pgx.RowTo[bool], insertSQL,
		[16]byte(p.ID), [16]byte(p.Key.Organization), p.Key.Mode, p.Key.Acquirer, sha256, p.Two,
		[16]byte(p.ProposedBy), p.ProposedAt, string(p.State), zeronull.UUID(p.DecidedBy), string(text))
	return err
}

// execer is a transaction or a pool.
type execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// save writes a state of the proposal. After its end the ledger has what was recorded.
func (p *Proposal) save(ctx context.Context, q execer, s outcomes.State) error {
	if p.State = s; s != outcomes.Recording && p.Statement != nil {
		bare := *p.Statement
		bare.Settlements = nil
		p.Statement = &bare
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return postgres.One(q.Exec(ctx, saveSQL, [16]byte(p.ID), string(s), zeronull.UUID(p.DecidedBy),
		string(text)))
}

func (p *Proposal) origin(by accounts.Actor) ledger.Origin {
	o := ledger.Origin{Actor: ledger.ActorUser(p.DecidedBy), RequestID: by.RequestID, Note: p.Note}
	if p.Two {
		o.ProposedBy = ledger.ActorUser(p.ProposedBy)
	}
	return o
}

// The actions of this package in the audit trail.
const (
	ActionPropose accounts.Action = "books.propose"
	ActionAccept  accounts.Action = "books.accept_statement"
	ActionCorrect accounts.Action = "books.correct_settlement"
	ActionFee     accounts.Action = "books.schedule_fee"
	ActionConfirm accounts.Action = "books.confirm"
	ActionReject  accounts.Action = "books.reject"
	ActionDay     accounts.Action = "books.close_day"
)

// Action is what carrying it out is in the audit trail.
func (p *Proposal) Action() accounts.Action {
	switch {
	case p.Statement != nil:
		return ActionAccept
	case p.Correction != nil:
		return ActionCorrect
	}
	return ActionFee
}

// entry is the audit record of what became of the proposal; refusal is why it failed.
func (p *Proposal) entry(what accounts.Action, refusal error) accounts.Entry {
	money := func(minor int64) string { return domain.Money{Minor: minor, Currency: domain.LYD}.String() }
	detail := map[string]any{"acquirer": p.Key.Acquirer}
	switch {
	case p.Statement != nil:
		sums, shares := Sum(p.Statement.Settlements)
		detail["file"], detail["sha256"], detail["count"] = p.Statement.File, p.Statement.SHA256, shares
		detail["amount"], detail["fees"], detail["net"] = money(sums.Gross), money(sums.Fees), money(sums.Net)
	case p.Correction != nil:
		detail["settlement"], detail["withdrawn"] = p.Correction.ID.String(), p.Correction.Withdraw
		detail["fees"], detail["net"] = money(p.Correction.Fees), money(p.Correction.Net)
	default:
		detail["method"], detail["from_day"] = p.Fee.Method, p.Fee.From.String()
	}
	if p.Note != "" {
		detail["note"] = p.Note
	}
	if p.Two {
		detail["proposed_by"] = p.Proposer
	}
	e := accounts.Entry{Action: what, Subject: "organization", SubjectID: p.Key.Organization, Detail: detail}
	failed(&e, refusal)
	return e
}

// failed puts into an audit record why it failed; nil: it did not.
func failed(e *accounts.Entry, refusal error) {
	if refusal != nil {
		e.Outcome, e.Detail["reason"] = accounts.Failed, refusal.Error()
	}
	if code, is := errors.AsType[books.Refusal](refusal); is {
		e.Detail["reason"] = string(code)
	}
}

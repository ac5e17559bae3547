package settlements

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments/outcomes"
)

// Proposal is what a member said of the books: carried out at once, or when another confirms.
//
//nolint:recvcheck // a template calls Two of a value
type Proposal struct {
	books.Key

	ID         uuid.UUID
	Kind       string
	Command    books.Command // nil in a list
	Note       string
	State      outcomes.State
	ProposedBy accounts.UserID
	Proposer   string // how people know them
	ProposedAt time.Time

	command, sha256, needs string
	decidedBy              accounts.UserID
	decider                string
	decidedAt, endedAt     *time.Time
}

// How many people a proposal needs, and the kinds of commands. The words are stored.
const (
	needsOne = "one"
	needsTwo = "two"

	KindStatement  = "statement"
	KindCorrection = "correction"
	KindFee        = "fee"
)

var columns = postgres.Columns[Proposal]{
	postgres.Of("uuid", func(p *Proposal) any { return (*[16]byte)(&p.ID) }),
	postgres.Of("organization_uuid", func(p *Proposal) any { return (*[16]byte)(&p.Organization) }),
	postgres.Of("mode", func(p *Proposal) any { return &p.Mode }),
	postgres.Of("acquirer", func(p *Proposal) any { return &p.Acquirer }),
	postgres.Of("kind", func(p *Proposal) any { return &p.Kind }),
	postgres.Of("command", func(p *Proposal) any { return &p.command }),
	postgres.Of("sha256", func(p *Proposal) any { return &p.sha256 }),
	postgres.Of("note", func(p *Proposal) any { return &p.Note }),
	postgres.Of("needs", func(p *Proposal) any { return &p.needs }),
	postgres.Of("state", func(p *Proposal) any { return &p.State }),
	postgres.Of("proposed_by", func(p *Proposal) any { return &p.ProposedBy }),
	postgres.Of("proposer", func(p *Proposal) any { return &p.Proposer }),
	postgres.Of("proposed_at", func(p *Proposal) any { return &p.ProposedAt }),
	postgres.Of("decided_by", func(p *Proposal) any { return (*zeronull.UUID)(&p.decidedBy) }),
	postgres.Of("decider", func(p *Proposal) any { return &p.decider }),
	postgres.Of("decided_at", func(p *Proposal) any { return &p.decidedAt }),
	postgres.Of("ended_at", func(p *Proposal) any { return &p.endedAt }),
}

var (
	// It inserts nothing where another proposal of the same file is open.
	insertSQL = columns.Insert("settlement_proposals") + ` ON CONFLICT DO NOTHING RETURNING true`
	// A command may have some megabytes, which a list does not need.
	waitingSQL = `
SELECT ` + strings.Replace(columns.List(""), "command", "'' AS command", 1) + `
FROM settlement_proposals
WHERE organization_uuid = $1
  AND mode = $2
  AND ended_at IS NULL
ORDER BY proposed_at
LIMIT $3`
	findSQL = `
SELECT ` + columns.List("") + `
FROM settlement_proposals
WHERE organization_uuid = $1
  AND mode = $2
  AND ended_at IS NULL
  AND uuid = $3`
)

const decideSQL = `
UPDATE settlement_proposals
SET state = $2, decided_by = $3, decider = $4, decided_at = $5, ended_at = $6,
    command = CASE WHEN $6::timestamptz IS NULL THEN command ELSE '' END
WHERE uuid = $1
  AND ended_at IS NULL`

func scan(row pgx.CollectableRow) (Proposal, error) {
	p, err := columns.Scan(row)
	if err == nil {
		err = p.read()
	}
	return p, err
}

// write fills in how the command is stored, and read reads that.
func (p *Proposal) write() error {
	switch c := p.Command.(type) {
	case books.RecordStatement:
		p.Kind, p.sha256 = KindStatement, c.SHA256
	case books.CorrectSettlement:
		p.Kind = KindCorrection
	case books.ScheduleFee:
		p.Kind = KindFee
	}
	text, err := json.Marshal(p.Command)
	p.command = string(text)
	return err
}

func (p *Proposal) read() (err error) {
	switch p.Kind {
	case KindStatement:
		p.Command, err = read[books.RecordStatement](p.command)
	case KindCorrection:
		p.Command, err = read[books.CorrectSettlement](p.command)
	case KindFee:
		p.Command, err = read[books.ScheduleFee](p.command)
	}
	if err != nil {
		err = fmt.Errorf("read proposal %s: %w", p.ID, err)
	}
	return err
}

func read[C books.Command](text string) (c C, err error) {
	err = json.Unmarshal([]byte(text), &c)
	return c, err
}

// Two reports whether another member has to confirm it.
func (p Proposal) Two() bool { return p.State == outcomes.Proposed }

func (p *Proposal) decide(s outcomes.State, by accounts.Actor, now time.Time) {
	p.State, p.decidedBy, p.decider, p.decidedAt = s, by.User, by.Name, &now
	if s != outcomes.Recording {
		p.endedAt = &now
	}
}

// decided are the arguments of decideSQL.
func (p *Proposal) decided() []any {
	return []any{[16]byte(p.ID), string(p.State), zeronull.UUID(p.decidedBy), p.decider, p.decidedAt, p.endedAt}
}

func (p *Proposal) origin(by accounts.Actor) ledger.Origin {
	o := ledger.Origin{
		Actor: ledger.ActorUser(uuid.UUID(p.decidedBy)), RequestID: by.RequestID, Note: p.Note,
	}
	if p.needs == needsTwo {
		o.ProposedBy = ledger.ActorUser(uuid.UUID(p.ProposedBy))
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
)

func (p *Proposal) action() accounts.Action {
	switch p.Command.(type) {
	case books.RecordStatement:
		return ActionAccept
	case books.CorrectSettlement:
		return ActionCorrect
	case books.ScheduleFee:
		return ActionFee
	}
	panic("settlements: a command outside the sealed set")
}

// entry is the audit record of what became of the proposal; refusal is why it failed.
func (p *Proposal) entry(what accounts.Action, refusal error) accounts.Entry {
	money := func(minor int64) string { return domain.Money{Minor: minor, Currency: domain.LYD}.String() }
	detail := map[string]any{"acquirer": p.Acquirer}
	switch c := p.Command.(type) {
	case books.RecordStatement:
		var sums books.Sums
		count := 0
		for _, s := range c.Settlements {
			sums = books.Sums{Gross: sums.Gross + Gross(s), Fees: sums.Fees + s.Fees, Net: sums.Net + s.Net}
			count += len(s.Shares)
		}
		detail["file"], detail["sha256"], detail["count"] = c.File, c.SHA256, count
		detail["amount"], detail["fees"], detail["net"] = money(sums.Gross), money(sums.Fees), money(sums.Net)
	case books.CorrectSettlement:
		detail["settlement"], detail["withdrawn"] = c.ID.String(), c.Withdraw
		detail["fees"], detail["net"] = money(c.Fees), money(c.Net)
	case books.ScheduleFee:
		detail["method"], detail["from_day"] = c.Method, c.From.String()
	}
	if p.Note != "" {
		detail["note"] = p.Note
	}
	if p.needs == needsTwo {
		detail["proposed_by"] = p.Proposer
	}
	e := accounts.Entry{Action: what, Subject: "organization", SubjectID: p.Organization, Detail: detail}
	if refusal != nil {
		e.Outcome, detail["reason"] = accounts.Failed, refusal.Error()
		if code, is := errors.AsType[books.Refusal](refusal); is {
			detail["reason"] = string(code)
		}
	}
	return e
}

// Gross is what a settlement would have as its gross.
func Gross(s books.NewSettlement) (sum int64) {
	for _, share := range s.Shares {
		sum += share.Amount
	}
	return sum
}

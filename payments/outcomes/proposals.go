package outcomes

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments"
)

// ProposalID identifies a Proposal.
type ProposalID uuid.UUID

func (id ProposalID) String() string { return uuid.UUID(id).String() }

// State is the state of a proposal. The words are stored.
type State string

// The states.
const (
	Proposed  State = "proposed"  // a second person is to confirm
	Recording State = "recording" // it was settled, and is not in the ledger yet
	Recorded  State = "recorded"  // it is settled
	Rejected  State = "rejected"  // by a second person, or withdrawn by the first
	Overtaken State = "overtaken" // the outcome became known in another way
)

// ended reports whether the proposal stays as it is.
func (s State) ended() bool { return s == Recorded || s == Rejected || s == Overtaken }

// How many people a proposal needs. The words are stored.
const (
	needsOne = "one"
	needsTwo = "two"
)

// Proposal is what a member said became of something: settled at once, or when another confirms.
type Proposal struct {
	Key

	ID          ProposalID
	Application domain.ApplicationID
	Intent      domain.IntentID
	Attempt     domain.AttemptID
	Verdict     Verdict
	Reference   string // the acquirer's own number; may be empty
	Note        string
	Statement   string // the line of a statement that shows it; empty: none
	State       State
	ProposedBy  accounts.UserID
	Proposer    string // how people know them
	ProposedAt  time.Time

	needs     string
	decidedBy accounts.UserID
	decider   string
	decidedAt *time.Time
	endedAt   *time.Time
}

var proposalColumns = postgres.Columns[Proposal]{
	postgres.Of("uuid", func(p *Proposal) any { return (*[16]byte)(&p.ID) }),
	postgres.Of("kind", func(p *Proposal) any { return &p.Kind }),
	postgres.Of("subject", func(p *Proposal) any { return &p.Subject }),
	postgres.Of("application_uuid", func(p *Proposal) any { return (*[16]byte)(&p.Application) }),
	postgres.Of("intent_uuid", func(p *Proposal) any { return (*[16]byte)(&p.Intent) }),
	postgres.Of("attempt", func(p *Proposal) any { return &p.Attempt }),
	postgres.Of("verdict", func(p *Proposal) any { return &p.Verdict }),
	postgres.Of("provider_reference", func(p *Proposal) any { return &p.Reference }),
	postgres.Of("note", func(p *Proposal) any { return &p.Note }),
	postgres.Of("statement", func(p *Proposal) any { return &p.Statement }),
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
	proposalsSQL = `
SELECT ` + proposalColumns.List("") + `
FROM outcome_proposals
WHERE uuid = ANY($1)`
	// In the order in which everybody locks.
	lockProposalsSQL = `
SELECT ` + proposalColumns.List("o.") + `
FROM outcome_proposals o
JOIN applications a ON a.uuid = o.application_uuid
WHERE o.uuid = ANY($1)
  AND o.state = 'proposed'
  AND a.organization_uuid = $2
  AND a.mode = $3
ORDER BY o.kind COLLATE "C", o.subject COLLATE "C"
FOR UPDATE OF o`
	// It inserts nothing where another proposal is open.
	insertProposalSQL = proposalColumns.Insert("outcome_proposals") + ` ON CONFLICT DO NOTHING RETURNING true`
)

const namesSQL = `
SELECT n.id, n.name
FROM outcome_proposals o
JOIN applications a ON a.uuid = o.application_uuid
CROSS JOIN LATERAL (VALUES (o.proposed_by, o.proposer), (o.decided_by, o.decider)) AS n (id, name)
WHERE o.intent_uuid = $1
  AND a.organization_uuid = $2
  AND n.id IS NOT NULL`

// Names are the members who settled something of an intent: how people know them, by what the ledger
// calls them.
func (op *Outcomes) Names(
	ctx context.Context, of domain.Tenant, id domain.IntentID,
) (map[string]string, error) {
	type member struct {
		ID   [16]byte
		Name string
	}
	all, err := postgres.List(ctx, op.pool, "list members who settled", pgx.RowToStructByPos[member],
		namesSQL, [16]byte(id), of.Organization)
	names := make(map[string]string, len(all))
	for _, m := range all {
		names[ledger.ActorUser(m.ID)] = m.Name
	}
	return names, err
}

const decideProposalSQL = `
UPDATE outcome_proposals
SET state = $2, decided_by = $3, decider = $4, decided_at = $5, ended_at = $6
WHERE uuid = $1`

// decide settles the proposal: a payment is recorded after the commit, a refund has been written already.
func (p *Proposal) decide(s State, by accounts.Actor, now time.Time) {
	p.State, p.decidedBy, p.decider, p.decidedAt = s, by.User, by.Name, &now
	if s.ended() {
		p.endedAt = &now
	}
}

// evidence is that of the ledger.
func (p *Proposal) evidence() payments.Evidence {
	e := payments.Evidence{
		Actor: ledger.ActorUser(uuid.UUID(p.decidedBy)), Note: p.Note, Reference: p.Reference,
		Statement: p.Statement,
	}
	if p.needs == needsTwo {
		e.ProposedBy = ledger.ActorUser(uuid.UUID(p.ProposedBy))
	}
	return e
}

// The actions of this package in the audit trail.
const (
	ActionPropose accounts.Action = "payment.propose_outcome"
	ActionSettle  accounts.Action = "payment.settle_outcome"
	ActionConfirm accounts.Action = "payment.confirm_outcome"
	ActionReject  accounts.Action = "payment.reject_outcome"
	ActionCompare accounts.Action = "payment.find_proofs"
	ActionRule    accounts.Action = "organization.four_eyes"
)

// entry is the audit record of what became of the proposal.
func (p *Proposal) entry(what accounts.Action, amount domain.Money) accounts.Entry {
	detail := map[string]any{"attempt": string(p.Attempt), "outcome": string(p.Verdict), "note": p.Note}
	for name, text := range map[string]string{"reference": p.Reference, "statement": p.Statement} {
		if text != "" {
			detail[name] = text
		}
	}
	if amount != (domain.Money{}) {
		detail["amount"] = amount.String()
	}
	if p.Kind == Refund {
		detail["refund"] = p.Subject
	}
	if p.needs == needsTwo {
		detail["proposed_by"] = p.Proposer
	}
	return accounts.Entry{Action: what, Subject: "payment", SubjectID: uuid.UUID(p.Intent), Detail: detail}
}

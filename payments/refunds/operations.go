package refunds

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/worker"
	"daftar/ledger"
)

// Operations takes people's requests for refunds, and their verdicts on refunds whose outcome is
// unknown. It is safe for concurrent use.
type Operations struct {
	pool      *pgxpool.Pool
	ledger    *ledger.Ledger
	accounts  *accounts.Accounts
	canRefund func(acquirer, method string) bool
	requested worker.Signal // for the Worker on this server
}

// NewOperations makes Operations. Changes are authorised and recorded by accounts; canRefund reports
// whether an acquirer has a refund call. Everything stays the caller's.
func NewOperations(
	pool *pgxpool.Pool, l *ledger.Ledger, a *accounts.Accounts, canRefund func(acquirer, method string) bool,
) *Operations {
	return &Operations{pool, l, a, canRefund, worker.NewSignal()}
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

// Find returns one refund, for operators; ErrNoRefund where there is none.
func (op *Operations) Find(ctx context.Context, id domain.RefundID) (Refund, error) {
	return postgres.Find(ctx, op.pool, "find refund", ErrNoRefund, columns.Scan, findSQL, id)
}

// ActorOf is the actor's name in the ledger, which keeps no addresses of people.
func ActorOf(by accounts.Actor) string {
	if by.User == (accounts.UserID{}) {
		return by.Name
	}
	return ledger.ActorUser(uuid.UUID(by.User))
}

func auditEntry(what accounts.Action, r Refund, detail map[string]any) accounts.Entry {
	detail["refund"], detail["attempt"], detail["amount"] = r.ID.String(), string(r.Attempt), r.Amount.String()
	return accounts.Entry{Action: what, Subject: "payment", SubjectID: uuid.UUID(r.Intent), Detail: detail}
}

package accounts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/internal/postgres"
)

// Action names what was done. The names are stored and never change.
type Action string

// The actions of this package; other packages define theirs.
const (
	ActionCreateOrganization Action = "organization.create"
	ActionMakeLive           Action = "organization.make_live"
	ActionCreateApplication  Action = "application.create"
	ActionRenameApplication  Action = "application.rename"
	ActionActivate           Action = "application.activate"
	ActionDeactivate         Action = "application.deactivate"
	ActionStopCheckouts      Action = "application.stop_checkouts" // and deactivate
	ActionSetWebhookURL      Action = "application.set_webhook_url"
	ActionRollAPIKey         Action = "api_key.roll"
	ActionRollWebhookSecret  Action = "webhook_secret.roll"
	ActionCreateToken        Action = "access_token.create"
	ActionRevokeToken        Action = "access_token.revoke"
	// ActionAccess is an attempt at what the actor may not do.
	ActionAccess Action = "access"
)

// Outcome is how it ended.
type Outcome string

// The outcomes.
const (
	Done   Outcome = "done"
	Denied Outcome = "denied" // not allowed, or too many attempts
	Failed Outcome = "failed" // a wrong password or code
)

// Entry is what to record of an action. It has names, never the value of a
// credential.
type Entry struct {
	Action Action
	// Subject is the kind of thing: "application", "user"; may be empty.
	Subject   string
	SubjectID uuid.UUID // zero: none
	// Detail is shown to users: names, roles, counts.
	Detail map[string]any
	// Outcome is Done where it is empty.
	Outcome Outcome
	// At is the time; zero is the database's.
	At time.Time
}

var auditColumns = postgres.Columns[AuditRecord]{
	postgres.Of("at", func(r *AuditRecord) any { return (*zeronull.Timestamptz)(&r.At) }),
	postgres.Of("actor", func(r *AuditRecord) any { return &r.Actor }),
	postgres.Of("user_uuid", func(r *AuditRecord) any { return (*zeronull.UUID)(&r.User) }),
	postgres.Of("action", func(r *AuditRecord) any { return &r.Action }),
	postgres.Of("subject", func(r *AuditRecord) any { return &r.Subject }),
	postgres.Of("subject_uuid", func(r *AuditRecord) any { return (*zeronull.UUID)(&r.SubjectID) }),
	postgres.Of("detail", func(r *AuditRecord) any { return &r.Detail }),
	postgres.Of("address", func(r *AuditRecord) any { return &r.Address }),
	postgres.Of("request_id", func(r *AuditRecord) any { return &r.RequestID }),
	postgres.Of("outcome", func(r *AuditRecord) any { return &r.Outcome }),
}

var recordSQL = `
INSERT INTO audit_records (` + auditColumns.List("") + `, organization_uuid)
VALUES (coalesce($1, statement_timestamp()), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`

// Record inserts an audit record, in the transaction of the action itself. The zero
// OrganizationID is no organisation. Where it fails the transaction must not be
// committed: no record, no action.
func Record(ctx context.Context, tx pgx.Tx, by Actor, org OrganizationID, e Entry) error {
	r := AuditRecord{
		At: e.At, Actor: by.Name, User: by.User,
		Action: e.Action, Subject: e.Subject, SubjectID: e.SubjectID, Detail: e.Detail,
		Address: by.Address, RequestID: by.RequestID, Outcome: cmp.Or(e.Outcome, Done),
	}
	if r.Detail == nil {
		r.Detail = map[string]any{}
	}
	if _, err := tx.Exec(ctx, recordSQL, auditColumns.Fields(&r, zeronull.UUID(org))...); err != nil {
		return fmt.Errorf("record %s: %w", e.Action, err)
	}
	return nil
}

// AuditRecord is an entry of the trail.
type AuditRecord struct {
	Position  int64
	At        time.Time
	Actor     string
	User      UserID // zero for an operator and for a failed sign-in
	Action    Action
	Subject   string
	SubjectID uuid.UUID
	Detail    map[string]any
	Address   string
	RequestID string
	Outcome   Outcome
}

// TrailFilter selects the records to list; a zero field selects all.
type TrailFilter struct {
	Before  int64 // a Position: only the older records
	Actor   string
	Action  Action
	Outcome Outcome
	Since   time.Time // at or after
	Until   time.Time // before
	Limit   int       // 0 is 50, and there are never more than 500
}

// A null time is no limit; its type is known only by the cast.
var trailSQL = `
SELECT position, ` + auditColumns.List("") + `
FROM audit_records
WHERE organization_uuid = $1
  AND ($2 = 0 OR position < $2)
  AND ($3 = '' OR actor = $3)
  AND ($4 = '' OR action = $4)
  AND ($5 = '' OR outcome = $5)
  AND ($6::timestamptz IS NULL OR at >= $6)
  AND ($7::timestamptz IS NULL OR at < $7)
ORDER BY position DESC
LIMIT $8`

// Trail lists the audit trail of an organisation, the latest first. It needs
// SeeAudit.
func (a *Accounts) Trail(ctx context.Context, by Actor, org OrganizationID,
	f TrailFilter,
) ([]AuditRecord, error) {
	if err := a.Authorize(ctx, by, org, SeeAudit); err != nil {
		return nil, err
	}
	limit := min(f.Limit, 500)
	if limit <= 0 {
		limit = 50
	}
	return postgres.List(ctx, a.pool, "list audit trail", scanAuditRecord, trailSQL,
		org, f.Before, f.Actor, f.Action, f.Outcome,
		zeronull.Timestamptz(f.Since), zeronull.Timestamptz(f.Until), limit)
}

func scanAuditRecord(row pgx.CollectableRow) (AuditRecord, error) {
	var r AuditRecord
	err := row.Scan(append([]any{&r.Position}, auditColumns.Fields(&r)...)...)
	return r, err
}

// latestSQL reads a limited number of records, because no index has their action.
var latestSQL = `
SELECT position, ` + auditColumns.List("") + `
FROM (SELECT position, ` + auditColumns.List("") + `
      FROM audit_records
      WHERE organization_uuid = $1
      ORDER BY position DESC
      LIMIT 1000) r
WHERE action = $2
ORDER BY position DESC
LIMIT $3`

// Latest lists the records of one action among the last 1,000 of an organisation, the latest first. It
// needs the permission of the action, not SeeAudit: it shows members what the others have done of what
// they may do themselves.
func (a *Accounts) Latest(ctx context.Context, by Actor, org OrganizationID, needs Permission,
	action Action, limit int,
) ([]AuditRecord, error) {
	if err := a.Authorize(ctx, by, org, needs); err != nil {
		return nil, err
	}
	return postgres.List(ctx, a.pool, "list records of "+string(action), scanAuditRecord, latestSQL,
		org, action, limit)
}

var ownRecordsSQL = `
SELECT position, ` + auditColumns.List("") + `
FROM audit_records
WHERE organization_uuid = (
    SELECT m.organization_uuid
    FROM users u
         JOIN memberships m ON m.user_uuid = u.uuid
    WHERE u.uuid = $1
      AND u.session_epoch = $2
    ORDER BY m.created_at, m.organization_uuid
    LIMIT 1)
  AND subject_uuid = $1
  AND subject = 'user'
  AND action = ANY($3)
ORDER BY position DESC
LIMIT $4`

// OwnRecords are the records about the actor with one of the actions, the latest first. They
// are read from the trail of one of the user's organisations, since each of these has them
// all. A user without an organisation, or whose sessions were ended, gets none.
func (a *Accounts) OwnRecords(ctx context.Context, by Actor,
	actions []Action, limit int,
) ([]AuditRecord, error) {
	return postgres.List(ctx, a.pool, "list records of a user", scanAuditRecord, ownRecordsSQL,
		by.User, by.Epoch, actions, limit)
}

// recordAlone records a denial or a failure, in a separate transaction.
func (a *Accounts) recordAlone(ctx context.Context, by Actor, org OrganizationID, e Entry) error {
	e.At = a.now()
	err := pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error { return Record(ctx, tx, by, org, e) })
	if err != nil {
		return fmt.Errorf("record %s: %w", e.Action, err)
	}
	return nil
}

// OperatorOnly returns ErrForbidden unless the actor is an operator, and records the attempt.
func (a *Accounts) OperatorOnly(ctx context.Context, by Actor) error {
	if by.operator {
		return nil
	}
	return a.deny(ctx, by, OrganizationID{}, map[string]any{"permission": "operator"}, ErrForbidden)
}

// deny records a refusal and returns it, together with the error of the record if
// there was one.
func (a *Accounts) deny(ctx context.Context, by Actor, org OrganizationID, detail map[string]any,
	refusal error,
) error {
	if by.Name == "" {
		by.Name = "unknown"
	}
	err := a.recordAlone(ctx, by, org, Entry{Action: ActionAccess, Outcome: Denied, Detail: detail})
	if err != nil {
		return errors.Join(refusal, err)
	}
	return refusal
}

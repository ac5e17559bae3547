package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Action names what was done. The names are stored and never change.
type Action string

// The actions of this package; those of others are their own.
const (
	ActionCreateOrganization  Action = "organization.create"
	ActionCreateApplication   Action = "application.create"
	ActionRenameApplication   Action = "application.rename"
	ActionActivate            Action = "application.activate"
	ActionDeactivate          Action = "application.deactivate"
	ActionSetWebhookURL       Action = "application.set_webhook_url"
	ActionRollAPIKey          Action = "api_key.roll"
	ActionRollWebhookSecret   Action = "webhook_secret.roll"
	ActionCreateToken         Action = "access_token.create"
	ActionRevokeToken         Action = "access_token.revoke"
	ActionCreateUser          Action = "user.create"
	ActionAddMember           Action = "member.add"
	ActionChangeRole          Action = "member.change_role"
	ActionRemoveMember        Action = "member.remove"
	ActionInvite              Action = "invitation.create"
	ActionRevokeInvitation    Action = "invitation.revoke"
	ActionAcceptInvitation    Action = "invitation.accept"
	ActionSignIn              Action = "sign_in"
	ActionSignInPassword      Action = "sign_in.password" // right, but a second factor is still asked for
	ActionSignInCode          Action = "sign_in.code"     // a wrong one, of the second factor
	ActionSignOut             Action = "sign_out"
	ActionChangePassword      Action = "password.change"
	ActionSetPassword         Action = "password.set"
	ActionEnableSecondFactor  Action = "second_factor.enable"
	ActionDisableSecondFactor Action = "second_factor.disable"
	ActionResetSecondFactor   Action = "second_factor.reset"
	ActionNewRecoveryCodes    Action = "recovery_codes.create"
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

// Entry says what is to be recorded of an action. It carries names, never the
// value of a credential.
type Entry struct {
	Action Action
	// Subject is the kind of thing: "application", "user"; may be empty.
	Subject   string
	SubjectID uuid.UUID // zero: none
	// Detail is shown to people: names, roles, counts.
	Detail map[string]any
	// Outcome is Done where it is empty.
	Outcome Outcome
	// At is the time; zero is the database's.
	At time.Time
}

const recordSQL = `
INSERT INTO audit_records (organization_uuid, at, actor, user_uuid, action, subject, subject_uuid, detail, address, request_id, outcome)
VALUES ($1, coalesce($2, statement_timestamp()), $3, $4, $5, $6, $7, $8, $9, $10, $11)`

// Record writes down, in the transaction of the action itself, that the actor did
// something in an organisation (the zero OrganizationID: in none). Where it fails
// the transaction must not be committed: no record, no action.
func Record(ctx context.Context, tx pgx.Tx, by Actor, org OrganizationID, e Entry) error {
	if e.Outcome == "" {
		e.Outcome = Done
	}
	if e.Detail == nil {
		e.Detail = map[string]any{}
	}
	detail, err := json.Marshal(e.Detail)
	if err != nil {
		return fmt.Errorf("record %s: %w", e.Action, err)
	}
	var at *time.Time
	if !e.At.IsZero() {
		at = &e.At
	}
	_, err = tx.Exec(ctx, recordSQL, orNull(org), at, by.Name, orNull(by.User), string(e.Action),
		e.Subject, orNull(e.SubjectID), string(detail), by.Address, by.RequestID, string(e.Outcome))
	if err != nil {
		return fmt.Errorf("record %s: %w", e.Action, err)
	}
	return nil
}

// orNull is null for the zero uuid.
func orNull[ID ~[16]byte](id ID) *[16]byte {
	if id == (ID{}) {
		return nil
	}
	raw := [16]byte(id)
	return &raw
}

// AuditRecord is an entry of the trail.
type AuditRecord struct {
	Position  int64
	At        time.Time
	Actor     string
	User      UserID // zero for an operator and for who could not sign in
	Action    Action
	Subject   string
	SubjectID uuid.UUID
	Detail    map[string]any
	Address   string
	RequestID string
	Outcome   Outcome
}

// TrailFilter says which records to list; what is left out does not matter.
type TrailFilter struct {
	Before  int64 // a Position: those after it in the list
	Actor   string
	Action  Action
	Outcome Outcome
	Since   time.Time // at or after
	Until   time.Time // before
	Limit   int       // 0 is 50, and there are never more than 500
}

// The casts of the times let null stand for no limit.
const trailSQL = `
SELECT position, at, actor, user_uuid, action, subject, subject_uuid, detail, address, request_id, outcome
FROM audit_records
WHERE organization_uuid = $1 AND ($2 = 0 OR position < $2) AND ($3 = '' OR actor = $3) AND ($4 = '' OR action = $4)
  AND ($5 = '' OR outcome = $5) AND ($6::timestamptz IS NULL OR at >= $6) AND ($7::timestamptz IS NULL OR at < $7)
ORDER BY position DESC LIMIT $8`

// Trail lists the audit trail of an organisation, the latest first. It needs
// SeeAudit.
func (a *Accounts) Trail(ctx context.Context, by Actor, org OrganizationID, f TrailFilter) ([]AuditRecord, error) {
	if err := a.Authorize(ctx, by, org, SeeAudit); err != nil {
		return nil, err
	}
	limit := min(f.Limit, 500)
	if limit <= 0 {
		limit = 50
	}
	var since, until *time.Time
	if !f.Since.IsZero() {
		since = &f.Since
	}
	if !f.Until.IsZero() {
		until = &f.Until
	}
	rows, err := a.pool.Query(ctx, trailSQL, [16]byte(org), f.Before, f.Actor, string(f.Action), string(f.Outcome), since, until, limit)
	if err != nil {
		return nil, fmt.Errorf("list audit trail: %w", err)
	}
	all, err := pgx.CollectRows(rows, scanAuditRecord)
	if err != nil {
		return nil, fmt.Errorf("list audit trail: %w", err)
	}
	return all, nil
}

func scanAuditRecord(row pgx.CollectableRow) (AuditRecord, error) {
	var (
		r             AuditRecord
		user, subject *[16]byte
		detail        []byte
	)
	err := row.Scan(&r.Position, &r.At, &r.Actor, &user, &r.Action, &r.Subject, &subject, &detail, &r.Address, &r.RequestID, &r.Outcome)
	if err != nil {
		return r, err
	}
	if user != nil {
		r.User = *user
	}
	if subject != nil {
		r.SubjectID = *subject
	}
	r.At = r.At.UTC()
	return r, json.Unmarshal(detail, &r.Detail)
}

// recordAlone records what has no transaction of its own: a denial or a failure.
func (a *Accounts) recordAlone(ctx context.Context, by Actor, org OrganizationID, e Entry) error {
	e.At = a.moment()
	err := pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error { return Record(ctx, tx, by, org, e) })
	if err != nil {
		return fmt.Errorf("record %s: %w", e.Action, err)
	}
	return nil
}

// deny records that the actor was not let in, and says so. Where it cannot be
// recorded the caller learns of both.
func (a *Accounts) deny(ctx context.Context, by Actor, org OrganizationID, detail map[string]any, refusal error) error {
	if by.Name == "" {
		by.Name = "unknown"
	}
	err := a.recordAlone(ctx, by, org, Entry{Action: ActionAccess, Outcome: Denied, Detail: detail})
	if err != nil {
		return errors.Join(refusal, err)
	}
	return refusal
}

package accounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// Errors about what the actor may do.
var (
	// ErrForbidden says that the actor's role does not allow it. The attempt is in
	// the audit trail.
	ErrForbidden = errors.New("not allowed")
	// ErrNotFound matches every error about something that does not exist: what belongs to
	// another organisation does not exist for the caller.
	ErrNotFound = errors.New("not found")
	// ErrSessionEnded says that the actor's session no longer counts: the password
	// was changed, or the user is gone.
	ErrSessionEnded = errors.New("the session has ended")
)

// NotFound is an error that is ErrNotFound, in a sentence for the user.
type NotFound string

func (e NotFound) Error() string { return string(e) }

// Is reports whether target is ErrNotFound.
func (NotFound) Is(target error) bool { return target == ErrNotFound }

// The share locks keep the role and the session as they are until the transaction
// ends: withdrawing one waits for the action, or the action finds it withdrawn.
const (
	roleSQL = `
SELECT coalesce(m.role, '')
FROM users u
     LEFT JOIN memberships m ON m.user_uuid = u.uuid AND m.organization_uuid = $3
WHERE u.uuid = $1
  AND u.session_epoch = $2`
	lockSessionSQL = `
SELECT uuid
FROM users
WHERE uuid = $1
  AND session_epoch = $2
FOR SHARE`
	lockMemberSQL = `
SELECT role
FROM memberships
WHERE user_uuid = $1
  AND organization_uuid = $2
FOR SHARE`
	// Changes to the members of one organisation are serialised: otherwise two owners
	// could remove each other.
	lockPeopleSQL = `SELECT FROM organizations WHERE uuid = $1 FOR NO KEY UPDATE`
)

// lockedRole is the actor's role, locked until the transaction ends; it is empty
// for an actor who is not a member.
func lockedRole(ctx context.Context, tx pgx.Tx, by Actor, org OrganizationID) (Role, error) {
	if err := LockSession(ctx, tx, by); err != nil {
		return "", err
	}
	return postgres.Find(ctx, tx, "find role", nil, pgx.RowTo[Role], lockMemberSQL, by.User, org)
}

// LockSession keeps the actor's session valid until the transaction ends.
func LockSession(ctx context.Context, tx pgx.Tx, by Actor) error {
	_, err := postgres.Find(ctx, tx, "find session", ErrSessionEnded, pgx.RowTo[UserID], lockSessionSQL,
		by.User, by.Epoch)
	return err
}

// checkPermission checks a role's permission. For an actor who is not a member the
// organisation does not exist.
func checkPermission(role Role, p Permission) error {
	switch {
	case role == "":
		return ErrNoOrganization
	case !role.Allows(p):
		return ErrForbidden
	}
	return nil
}

// refuse records a refusal of checkPermission. An outsider's attempt is not in the
// organisation's trail: outsiders must not be able to fill it.
func (a *Accounts) refuse(ctx context.Context, by Actor, org OrganizationID, p Permission,
	refusal error,
) error {
	detail := map[string]any{"permission": string(p)}
	if errors.Is(refusal, ErrForbidden) {
		return a.deny(ctx, by, org, detail, refusal)
	}
	detail["organization"] = org.String()
	return a.deny(ctx, by, OrganizationID{}, detail, refusal)
}

// Authorize checks whether the actor may read something of an organisation; Do is
// for changes. Errors: ErrForbidden, ErrNoOrganization, ErrSessionEnded.
func (a *Accounts) Authorize(ctx context.Context, by Actor, org OrganizationID, p Permission) error {
	if by.operator {
		return nil
	}
	role, err := postgres.Find(ctx, a.pool, "find role", ErrSessionEnded, pgx.RowTo[Role], roleSQL,
		by.User, by.Epoch, org)
	if err != nil {
		return err
	}
	if refusal := checkPermission(role, p); refusal != nil {
		return a.refuse(ctx, by, org, p, refusal)
	}
	return nil
}

// work is what an action does within its transaction; it returns the entry that
// records it.
type work = func(tx pgx.Tx) (Entry, error)

// Do is the one way to change something of an organisation: in one transaction it
// locks the actor's role, calls f, and records what f did. Where any of it fails
// nothing has changed. f gets the transaction and must touch nothing outside the
// organisation. Errors: those of Authorize and of f.
func (a *Accounts) Do(ctx context.Context, by Actor, org OrganizationID, p Permission,
	f func(tx pgx.Tx) (Entry, error),
) error {
	var refusal error
	err := pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		if p == ManagePeople {
			if _, err := tx.Exec(ctx, lockPeopleSQL, org); err != nil {
				return fmt.Errorf("lock organisation: %w", err)
			}
		}
		if !by.operator {
			role, err := lockedRole(ctx, tx, by, org)
			if err != nil {
				return err
			}
			refusal = checkPermission(role, p)
		}
		if refusal != nil {
			return refusal
		}
		return a.doAndRecord(ctx, tx, by, org, f)
	})
	if refusal != nil {
		return a.refuse(ctx, by, org, p, refusal)
	}
	return err
}

func (a *Accounts) doAndRecord(ctx context.Context, tx pgx.Tx, by Actor, org OrganizationID, f work) error {
	entry, err := f(tx)
	if err != nil {
		return err
	}
	if entry.At.IsZero() {
		entry.At = a.now()
	}
	return Record(ctx, tx, by, org, entry)
}

// DoAsOperator is Do for what only operators may do.
func (a *Accounts) DoAsOperator(ctx context.Context, by Actor, org OrganizationID, f work) error {
	if err := a.OperatorOnly(ctx, by); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error { return a.doAndRecord(ctx, tx, by, org, f) })
}

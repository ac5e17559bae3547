package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/postgres"
)

// ErrLastOwner says that the organisation would have no owner.
var ErrLastOwner = errors.New("an organisation keeps at least one owner")

// Member is a user of an organisation.
type Member struct {
	ID           accounts.UserID `json:"uuid"          label:"user"`
	Email        string          `json:"email"         label:"email"`
	Role         accounts.Role   `json:"role"          label:"role"`
	SecondFactor bool            `json:"second_factor" label:"second factor"` // the password alone is not enough
	Passkeys     int             `json:"passkeys"      label:"passkeys"`
	Since        time.Time       `json:"since"         label:"since"`
}

const (
	membersSQL = `
SELECT u.uuid, u.email, m.role, u.totp_secret IS NOT NULL OR u.asks_passkey,
       (SELECT count(*) FROM passkeys p WHERE p.user_uuid = u.uuid), m.created_at
FROM memberships m
     JOIN users u ON u.uuid = m.user_uuid
WHERE m.organization_uuid = $1`
	listMembersSQL = membersSQL + `
ORDER BY u.email_key`
	findMemberSQL = membersSQL + `
  AND m.user_uuid = $2`
	changeRoleSQL = `
UPDATE memberships
SET role = $3
WHERE user_uuid = $1
  AND organization_uuid = $2`
	removeMemberSQL = `
DELETE FROM memberships
WHERE user_uuid = $1
  AND organization_uuid = $2`
	ownersSQL = `
SELECT count(*)
FROM memberships
WHERE organization_uuid = $1
  AND role = 'owner'`
)

// Members lists the members of an organisation by their addresses. It needs
// SeePeople.
func (p *People) Members(ctx context.Context, by accounts.Actor,
	org accounts.OrganizationID,
) ([]Member, error) {
	if err := p.accounts.Authorize(ctx, by, org, accounts.SeePeople); err != nil {
		return nil, err
	}
	return postgres.List(ctx, p.pool, "list members", pgx.RowToStructByPos[Member], listMembersSQL, org)
}

// ChangeRole gives a member another role, at once. Open invitations by a member that may no
// longer invite end. It needs ManagePeople.
// Errors: ErrNoUser, ErrLastOwner, ErrInvalid, and those of Do.
func (p *People) ChangeRole(ctx context.Context, by accounts.Actor, org accounts.OrganizationID,
	user accounts.UserID, role accounts.Role,
) error {
	if _, err := accounts.ParseRole(string(role)); err != nil {
		return err
	}
	return p.changeMember(ctx, by, org, user, ActionChangeRole, role, map[string]any{"to": string(role)},
		func(tx pgx.Tx) error {
			return postgres.One(tx.Exec(ctx, changeRoleSQL, user, org, role))
		})
}

// RemoveMember ends a membership at once, and the open invitations by and to the member. The
// account stays. It needs ManagePeople. Errors: ErrNoUser, ErrLastOwner, and those of Do.
func (p *People) RemoveMember(ctx context.Context, by accounts.Actor, org accounts.OrganizationID,
	user accounts.UserID,
) error {
	return p.changeMember(ctx, by, org, user, ActionRemoveMember, "", map[string]any{},
		func(tx pgx.Tx) error {
			return postgres.One(tx.Exec(ctx, removeMemberSQL, user, org))
		})
}

// changeMember makes a change after which the member has the role to; empty: no role.
func (p *People) changeMember(ctx context.Context, by accounts.Actor, org accounts.OrganizationID,
	user accounts.UserID, what accounts.Action, to accounts.Role, detail map[string]any,
	change func(pgx.Tx) error,
) error {
	err := p.accounts.Do(ctx, by, org, accounts.ManagePeople, func(tx pgx.Tx) (accounts.Entry, error) {
		m, err := postgres.Find(ctx, tx, "find member", ErrNoUser, pgx.RowToStructByPos[Member],
			findMemberSQL, org, user)
		if err != nil {
			return accounts.Entry{}, err
		}
		detail["email"], detail["from"] = m.Email, string(m.Role)
		// Invitations are locked before the membership, as AcceptInvitation does.
		if !to.Allows(accounts.ManagePeople) {
			ended, err := p.endInvitations(ctx, tx, org, m.Email)
			if err != nil {
				return accounts.Entry{}, err
			}
			if ended > 0 {
				detail["invitations"] = ended
			}
		}
		if err := change(tx); err != nil {
			return accounts.Entry{}, err
		}
		var owners int
		if err := tx.QueryRow(ctx, ownersSQL, org).Scan(&owners); err != nil {
			return accounts.Entry{}, err
		}
		if owners == 0 && m.Role == accounts.RoleOwner {
			return accounts.Entry{}, ErrLastOwner
		}
		return accounts.Entry{Action: what, Subject: "user", SubjectID: uuid.UUID(user), Detail: detail}, nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

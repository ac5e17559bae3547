package accounts

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// ErrOtherEmail says that the invitation is for another user than the one who is
// signed in.
var ErrOtherEmail = errors.New("the invitation is for another email address")

const (
	// InvitationLasts is how long an invitation can be accepted.
	InvitationLasts = 7 * 24 * time.Hour
	invitationBytes = 32
)

// Invitation offers a role in an organisation to an email address.
type Invitation struct {
	ID               InvitationID
	Organization     OrganizationID
	OrganizationName string
	Email            string
	Role             Role
	InvitedBy        string
	CreatedAt        time.Time
	ExpiresAt        time.Time
	// HasAccount says that the address has an account, which accepts by signing in.
	HasAccount bool
}

var invitationColumns = postgres.Columns[Invitation]{
	postgres.Of("uuid", func(i *Invitation) any { return &i.ID }),
	postgres.Of("organization_uuid", func(i *Invitation) any { return &i.Organization }),
	postgres.Of("email", func(i *Invitation) any { return &i.Email }),
	postgres.Of("role", func(i *Invitation) any { return &i.Role }),
	postgres.Of("invited_by", func(i *Invitation) any { return &i.InvitedBy }),
	postgres.Of("created_at", func(i *Invitation) any { return &i.CreatedAt }),
	postgres.Of("expires_at", func(i *Invitation) any { return &i.ExpiresAt }),
}

var inviteSQL = invitationColumns.Insert("invitations", "token_hash")

// An open invitation to the same address is replaced: the old link stops.
const (
	memberByEmailSQL = `
SELECT EXISTS (SELECT FROM memberships m JOIN users u ON u.uuid = m.user_uuid WHERE m.organization_uuid = $1 AND u.email_key = $2)`
	replaceInvitationSQL = `
UPDATE invitations SET revoked_at = $3
WHERE organization_uuid = $1 AND lower(email) = lower($2) AND accepted_at IS NULL AND revoked_at IS NULL`
)

// Invite makes an invitation and returns the token of its link, which cannot be
// read again. It needs ManagePeople. Errors: ErrInvalid, ErrAlreadyMember, and
// those of Do.
func (a *Accounts) Invite(ctx context.Context, by Actor, org OrganizationID, email string, role Role) (Invitation, string, error) {
	email, err := NormalizeEmail(email)
	if err != nil {
		return Invitation{}, "", err
	}
	if !role.Valid() {
		return Invitation{}, "", fmt.Errorf("%w: %q is no role", ErrInvalid, role)
	}
	raw := make([]byte, invitationBytes)
	rand.Read(raw)
	token := base64.RawURLEncoding.EncodeToString(raw)
	sum := hashOf(token)
	now := a.moment()
	i := Invitation{
		ID: InvitationID(uuid.New()), Organization: org, Email: email, Role: role, InvitedBy: by.Name,
		CreatedAt: now, ExpiresAt: now.Add(InvitationLasts),
	}
	err = a.Do(ctx, by, org, ManagePeople, func(tx pgx.Tx) (Entry, error) {
		var member bool
		if err := tx.QueryRow(ctx, memberByEmailSQL, org, emailKey(email)).Scan(&member); err != nil {
			return Entry{}, err
		}
		if member {
			return Entry{}, ErrAlreadyMember
		}
		if _, err := tx.Exec(ctx, replaceInvitationSQL, org, email, now); err != nil {
			return Entry{}, err
		}
		_, err := tx.Exec(ctx, inviteSQL, invitationColumns.Fields(&i, sum[:])...)
		if postgres.ConstraintName(err) == "invitations_organization_uuid_fkey" {
			err = ErrNoOrganization
		}
		return Entry{
			Action: ActionInvite, Subject: "invitation", SubjectID: uuid.UUID(i.ID),
			Detail: map[string]any{"email": email, "role": string(role)},
		}, err
	})
	if err != nil {
		return Invitation{}, "", fmt.Errorf("invite: %w", err)
	}
	return i, token, nil
}

var (
	openInvitationsSQL = `
SELECT ` + invitationColumns.List("i.") + `, o.name
FROM invitations i JOIN organizations o ON o.uuid = i.organization_uuid
WHERE i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $2`
	invitationsSQL       = openInvitationsSQL + ` AND i.organization_uuid = $1 ORDER BY i.created_at DESC`
	invitationByTokenSQL = openInvitationsSQL + ` AND i.token_hash = $1`
)

const (
	revokeInvitationSQL = `
UPDATE invitations SET revoked_at = $3
WHERE uuid = $1 AND organization_uuid = $2 AND accepted_at IS NULL AND revoked_at IS NULL RETURNING email`
)

var acceptSQL = `
UPDATE invitations SET accepted_at = $2
WHERE token_hash = $1 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $2
RETURNING ` + invitationColumns.List("")

func scanInvitation(row pgx.CollectableRow) (Invitation, error) {
	var i Invitation
	err := row.Scan(invitationColumns.Fields(&i, &i.OrganizationName)...)
	return i, err
}

// Invitations lists the open invitations of an organisation, the latest first.
// It needs SeePeople.
func (a *Accounts) Invitations(ctx context.Context, by Actor, org OrganizationID) ([]Invitation, error) {
	if err := a.Authorize(ctx, by, org, SeePeople); err != nil {
		return nil, err
	}
	return postgres.List(ctx, a.pool, "list invitations", scanInvitation, invitationsSQL, org, a.moment())
}

// RevokeInvitation makes an invitation's link invalid. It needs
// ManagePeople. Errors: ErrNoInvitation, and those of Do.
func (a *Accounts) RevokeInvitation(ctx context.Context, by Actor, org OrganizationID, id InvitationID) error {
	err := a.Do(ctx, by, org, ManagePeople, func(tx pgx.Tx) (Entry, error) {
		email, err := postgres.Find(ctx, tx, "find invitation", ErrNoInvitation, pgx.RowTo[string], revokeInvitationSQL, id, org, a.moment())
		return Entry{
			Action: ActionRevokeInvitation, Subject: "invitation", SubjectID: uuid.UUID(id), Detail: map[string]any{"email": email},
		}, err
	})
	if err != nil {
		return fmt.Errorf("revoke invitation: %w", err)
	}
	return nil
}

// Invitation finds the invitation of a link; the link is the permission to see it.
// The error is ErrNoInvitation where it never existed, was used, revoked, or has
// expired.
func (a *Accounts) Invitation(ctx context.Context, token string) (Invitation, error) {
	sum := hashOf(token)
	i, err := postgres.Find(ctx, a.pool, "find invitation", ErrNoInvitation, scanInvitation, invitationByTokenSQL, sum[:], a.moment())
	if err != nil {
		return Invitation{}, err
	}
	_, err = a.userByEmail(ctx, a.pool, i.Email)
	if err != nil && !errors.Is(err, ErrNoUser) {
		return Invitation{}, err
	}
	i.HasAccount = err == nil
	return i, nil
}

// AcceptInvitation makes the signed-in user a member; it uses the invitation up.
// Errors: ErrNoInvitation, ErrOtherEmail, ErrAlreadyMember, ErrSessionEnded.
func (a *Accounts) AcceptInvitation(ctx context.Context, by Actor, token string) (User, error) {
	return a.accept(ctx, token, func(tx pgx.Tx, i Invitation) (Actor, error) {
		if err := lockSession(ctx, tx, by); err != nil {
			return by, err
		}
		whose, err := a.userByEmail(ctx, tx, i.Email)
		if err != nil && !errors.Is(err, ErrNoUser) {
			return by, err
		}
		if err != nil || whose != by.User {
			return by, ErrOtherEmail
		}
		return by, nil
	})
}

// AcceptInvitationAsNew makes an account with the invited address and a password,
// and the member; it uses the invitation up. The user is signed in by that.
// Errors: ErrNoInvitation, ErrEmailTaken, and those of CheckPassword.
func (a *Accounts) AcceptInvitationAsNew(ctx context.Context, token, password, address, requestID string) (User, error) {
	open, err := a.Invitation(ctx, token)
	switch {
	case err != nil:
		return User{}, err
	case open.HasAccount:
		return User{}, ErrEmailTaken
	}
	encoded, err := a.newPassword(ctx, password, open.Email)
	if err != nil {
		return User{}, err
	}
	id := UserID(uuid.New())
	return a.accept(ctx, token, func(tx pgx.Tx, i Invitation) (Actor, error) {
		by := User{ID: id, Email: i.Email, Epoch: 1}.Actor(address, requestID)
		return by, a.insertUser(ctx, tx, id, i.Email, encoded)
	})
}

// accept uses an invitation up for the actor whom enter returns. The update locks
// the invitation, so that of many concurrent calls one succeeds.
func (a *Accounts) accept(ctx context.Context, token string, enter func(pgx.Tx, Invitation) (Actor, error)) (User, error) {
	sum := hashOf(token)
	var u User
	err := pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		i, err := postgres.Find(ctx, tx, "use invitation", ErrNoInvitation, invitationColumns.Scan, acceptSQL, sum[:], a.moment())
		if err != nil {
			return err
		}
		by, err := enter(tx, i)
		if err != nil {
			return err
		}
		if err := a.addMember(ctx, tx, by.User, i.Organization, i.Role); err != nil {
			return err
		}
		entry := Entry{
			Action: ActionAcceptInvitation, Subject: "invitation", SubjectID: uuid.UUID(i.ID), At: a.moment(),
			Detail: map[string]any{"email": i.Email, "role": string(i.Role)},
		}
		if err := Record(ctx, tx, by, i.Organization, entry); err != nil {
			return err
		}
		u, err = a.user(ctx, tx, by.User)
		return err
	})
	if err != nil {
		return User{}, fmt.Errorf("accept invitation: %w", err)
	}
	return u, nil
}

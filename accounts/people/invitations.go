package people

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/mail"
	"daftar/internal/postgres"
)

const (
	// InvitationLasts is how long an invitation can be accepted.
	InvitationLasts = 7 * 24 * time.Hour
	// More mails than these in a row are delayed, as attempts to sign in are, so that a mailbox
	// cannot be flooded.
	freeForMailbox = 3
	freeForInviter = 30 // an organisation
)

// Invitation offers a role in an organisation to an email address.
type Invitation struct {
	ID               InvitationID
	Organization     accounts.OrganizationID
	OrganizationName string
	Email            string
	Role             accounts.Role
	InvitedBy        string
	CreatedAt        time.Time
	ExpiresAt        time.Time
	// ByMail says that the link went to the address by mail and was not shown to the inviter:
	// using it proves the address.
	ByMail bool
	// Delivery is the state of the mail.
	Delivery mail.Delivery
}

var invitationColumns = postgres.Columns[Invitation]{
	postgres.Of("uuid", func(i *Invitation) any { return &i.ID }),
	postgres.Of("organization_uuid", func(i *Invitation) any { return &i.Organization }),
	postgres.Of("email", func(i *Invitation) any { return &i.Email }),
	postgres.Of("role", func(i *Invitation) any { return &i.Role }),
	postgres.Of("invited_by", func(i *Invitation) any { return &i.InvitedBy }),
	postgres.Of("created_at", func(i *Invitation) any { return &i.CreatedAt }),
	postgres.Of("expires_at", func(i *Invitation) any { return &i.ExpiresAt }),
	postgres.Of("by_mail", func(i *Invitation) any { return &i.ByMail }),
}

var inviteSQL = invitationColumns.Insert("invitations", "token_hash")

// An open invitation to the same address is replaced: the old link stops.
const (
	memberByEmailSQL = `
SELECT EXISTS (SELECT FROM memberships m
                    JOIN users u ON u.uuid = m.user_uuid
               WHERE m.organization_uuid = $1
                 AND u.email_key = $2)`
	replaceInvitationSQL = `
UPDATE invitations
SET revoked_at = $3
WHERE organization_uuid = $1
  AND lower(email) = lower($2)
  AND accepted_at IS NULL
  AND revoked_at IS NULL
RETURNING uuid`
)

// Invite creates an invitation. Where mail is on, its link goes to the address alone;
// where it is off, Invite returns the token of the link, which cannot be read again.
// It needs ManagePeople. Errors: ErrInvalid, ErrAlreadyMember, Throttled, and those
// of Do.
func (p *People) Invite(ctx context.Context, by accounts.Actor, org accounts.OrganizationID, email string,
	role accounts.Role,
) (Invitation, string, error) {
	email, err := NormalizeEmail(email)
	if err != nil {
		return Invitation{}, "", err
	}
	if _, err := accounts.ParseRole(string(role)); err != nil {
		return Invitation{}, "", err
	}
	if err := p.limitMail(ctx, by, org, email); err != nil {
		return Invitation{}, "", err
	}
	token, sum := newLink()
	now := p.moment()
	i := Invitation{
		ID: InvitationID(uuid.New()), Organization: org, Email: email, Role: role, InvitedBy: by.Name,
		CreatedAt: now, ExpiresAt: now.Add(InvitationLasts), ByMail: p.SendsMail(),
	}
	err = p.accounts.Do(ctx, by, org, accounts.ManagePeople, func(tx pgx.Tx) (accounts.Entry, error) {
		if err := p.replaceInvitation(ctx, tx, &i); err != nil {
			return accounts.Entry{}, err
		}
		_, err := tx.Exec(ctx, inviteSQL, invitationColumns.Fields(&i, sum[:])...)
		if err == nil && i.ByMail {
			err = mail.Add(ctx, tx, p.key, uuid.UUID(i.ID), p.letters.Invitation(i, token), now)
		}
		return accounts.Entry{
			Action: ActionInvite, Subject: "invitation", SubjectID: uuid.UUID(i.ID),
			Detail: map[string]any{"email": email, "role": string(role)},
		}, err
	})
	switch {
	case err != nil:
		return Invitation{}, "", fmt.Errorf("invite: %w", err)
	case i.ByMail:
		return i, "", nil
	}
	return i, token, nil
}

// SendsMail reports whether the links of invitations go by mail, and passwords can be reset.
func (p *People) SendsMail() bool { return p.letters != nil }

// limitMail counts a mail against its mailbox, for all organisations, and against the
// organisation. The error is Throttled where there were too many.
func (p *People) limitMail(ctx context.Context, by accounts.Actor,
	org accounts.OrganizationID, email string,
) error {
	if !p.SendsMail() || by.IsOperator() {
		return nil
	}
	if err := p.accounts.Authorize(ctx, by, org, accounts.ManagePeople); err != nil {
		return err
	}
	_, err := p.accounts.Reserve(ctx, []accounts.Limit{
		{Name: "mail to\x00" + emailKey(email), Free: freeForMailbox},
		{Name: "mail by\x00" + org.String(), Free: freeForInviter},
	})
	return err
}

// replaceInvitation revokes the open invitations to the same address, and sets the
// organisation's name in the new one.
func (p *People) replaceInvitation(ctx context.Context, tx pgx.Tx, i *Invitation) error {
	o, err := accounts.FindOrganization(ctx, tx, i.Organization)
	if err != nil {
		return err
	}
	i.OrganizationName = o.Name
	var member bool
	if err := tx.QueryRow(ctx, memberByEmailSQL, i.Organization, emailKey(i.Email)).Scan(&member); err != nil {
		return err
	}
	if member {
		return ErrAlreadyMember
	}
	replaced, err := postgres.List(ctx, tx, "replace invitation", pgx.RowTo[uuid.UUID], replaceInvitationSQL,
		i.Organization, i.Email, i.CreatedAt)
	if err != nil {
		return err
	}
	return mail.Withdraw(ctx, tx, replaced...)
}

var (
	openInvitationsSQL = `
SELECT ` + invitationColumns.List("i.") + `, o.name, coalesce(m.state, ''), coalesce(m.error, '')
FROM invitations i
     JOIN organizations o ON o.uuid = i.organization_uuid
     LEFT JOIN mails m ON m.uuid = i.uuid
WHERE i.accepted_at IS NULL
  AND i.revoked_at IS NULL
  AND i.expires_at > $2
  AND ` + inviterMayInviteSQL
	invitationsSQL = openInvitationsSQL + `
  AND i.organization_uuid = $1
ORDER BY i.created_at DESC`
)

const revokeInvitationSQL = `
UPDATE invitations
SET revoked_at = $3
WHERE uuid = $1
  AND organization_uuid = $2
  AND accepted_at IS NULL
  AND revoked_at IS NULL
RETURNING email`

func scanInvitation(row pgx.CollectableRow) (Invitation, error) {
	var i Invitation
	err := row.Scan(invitationColumns.Fields(&i, &i.OrganizationName, &i.Delivery.State, &i.Delivery.Error)...)
	return i, err
}

// Invitations lists the open invitations of an organisation, the latest first.
// It needs SeePeople.
func (p *People) Invitations(ctx context.Context, by accounts.Actor,
	org accounts.OrganizationID,
) ([]Invitation, error) {
	if err := p.accounts.Authorize(ctx, by, org, accounts.SeePeople); err != nil {
		return nil, err
	}
	return postgres.List(ctx, p.pool, "list invitations", scanInvitation, invitationsSQL, org, p.moment())
}

// RevokeInvitation makes the link of an invitation invalid. It needs
// ManagePeople. Errors: ErrNoInvitation, and those of Do.
func (p *People) RevokeInvitation(ctx context.Context, by accounts.Actor,
	org accounts.OrganizationID, id InvitationID,
) error {
	err := p.accounts.Do(ctx, by, org, accounts.ManagePeople, func(tx pgx.Tx) (accounts.Entry, error) {
		email, err := postgres.Find(ctx, tx, "find invitation", ErrNoInvitation, pgx.RowTo[string],
			revokeInvitationSQL, id, org, p.moment())
		if err == nil {
			err = mail.Withdraw(ctx, tx, uuid.UUID(id))
		}
		return accounts.Entry{
			Action: ActionRevokeInvitation, Subject: "invitation", SubjectID: uuid.UUID(id),
			Detail: map[string]any{"email": email},
		}, err
	})
	if err != nil {
		return fmt.Errorf("revoke invitation: %w", err)
	}
	return nil
}

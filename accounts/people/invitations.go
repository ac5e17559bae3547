package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/mail"
	"daftar/internal/postgres"
)

// ErrOtherEmail says that the invitation is for another user than the one who is
// signed in.
var ErrOtherEmail = errors.New("the invitation is for another email address")

const (
	// InvitationLasts is how long an invitation can be accepted.
	InvitationLasts = 7 * 24 * time.Hour
	// Mails above these in a row have to wait, as attempts to sign in do: nobody fills
	// somebody's mailbox.
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
	// ByMail says that the link went to the address by mail and was shown to nobody
	// else: using it proves the address.
	ByMail bool
	// Delivery is how the mail stands.
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
SELECT EXISTS (SELECT FROM memberships m JOIN users u ON u.uuid = m.user_uuid WHERE m.organization_uuid = $1 AND u.email_key = $2)`
	replaceInvitationSQL = `
UPDATE invitations SET revoked_at = $3
WHERE organization_uuid = $1 AND lower(email) = lower($2) AND accepted_at IS NULL AND revoked_at IS NULL RETURNING uuid`
)

// Invite makes an invitation. Where mail is on, its link goes to the address alone;
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

// SendsMail says whether the links of invitations go by mail, and passwords can be reset.
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

// replaceInvitation makes way for a new one, and notes the organisation's name in it.
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
FROM invitations i JOIN organizations o ON o.uuid = i.organization_uuid LEFT JOIN mails m ON m.uuid = i.uuid
WHERE i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $2 AND ` + inviterStandsSQL
	invitationsSQL       = openInvitationsSQL + ` AND i.organization_uuid = $1 ORDER BY i.created_at DESC`
	invitationByTokenSQL = openInvitationsSQL + ` AND i.token_hash = $1`
	lockInvitationSQL    = invitationByTokenSQL + ` FOR SHARE OF i`
)

const (
	revokeInvitationSQL = `
UPDATE invitations SET revoked_at = $3
WHERE uuid = $1 AND organization_uuid = $2 AND accepted_at IS NULL AND revoked_at IS NULL RETURNING email`
)

var acceptSQL = `
UPDATE invitations i SET accepted_at = $2
WHERE token_hash = $1 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $2 AND ` + inviterStandsSQL + `
RETURNING ` + invitationColumns.List("i.")

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

// RevokeInvitation makes an invitation's link invalid. It needs
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

// Invitation finds the invitation of a link; the link is the permission to see it. It
// does not say whether the address has an account.
// The error is ErrNoInvitation where it never existed, was used, revoked, or has
// expired, and where its inviter may no longer invite.
func (p *People) Invitation(ctx context.Context, token string) (Invitation, error) {
	return findInvitation(ctx, p.pool, invitationByTokenSQL, token, p.moment())
}

func findInvitation(ctx context.Context, q postgres.Querier, sql, token string,
	now time.Time,
) (Invitation, error) {
	sum := accounts.HashOf(token)
	return postgres.Find(ctx, q, "find invitation", ErrNoInvitation, scanInvitation, sql, sum[:], now)
}

// An account that was made through a shown link may be the inviter's: until its address
// is proved, anyone who has a link that went there by mail may replace the password, which
// ends all sessions. Any other account stays as it is; for those that an operator made,
// the operator vouches.
const choosePasswordSQL = `
INSERT INTO users (uuid, email, email_key, password, password_changed_at, created_at, email_proved_at)
VALUES ($1, $2, $3, $4, $5::timestamptz, $5, CASE WHEN $6 THEN $5 END)
ON CONFLICT (email_key) DO UPDATE SET password = excluded.password, password_changed_at = excluded.password_changed_at,
    session_epoch = users.session_epoch + 1, email_proved_at = excluded.email_proved_at
WHERE NOT users.by_operator AND users.email_proved_at IS NULL AND excluded.email_proved_at IS NOT NULL
RETURNING uuid`

// ChoosePassword makes an account of the invited address, with a password with which the
// user then signs in and accepts. Where the address has an account already, that keeps
// its password, and the caller cannot tell: the work, the audit record and the result
// are the same. Only a link that came by mail replaces the password of an unproved
// account (see choosePasswordSQL).
// Errors: ErrNoInvitation, and those of CheckPassword.
func (p *People) ChoosePassword(ctx context.Context, token, password, address, requestID string) error {
	open, err := p.Invitation(ctx, token)
	if err != nil {
		return err
	}
	encoded, err := p.newPassword(ctx, password, open.Email)
	if err != nil {
		return err
	}
	by := accounts.Actor{Name: open.Email, Address: address, RequestID: requestID}
	id := accounts.UserID(uuid.New())
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		i, err := findInvitation(ctx, tx, lockInvitationSQL, token, p.moment())
		if err != nil {
			return err
		}
		if i.ByMail {
			if err := p.dropClaimed(ctx, tx, i.Email); err != nil {
				return err
			}
		}
		chosen, err := postgres.Find(ctx, tx, "choose password", nil, pgx.RowTo[accounts.UserID],
			choosePasswordSQL,
			id, i.Email, emailKey(i.Email), encoded, p.moment(), i.ByMail)
		if err != nil {
			return err
		}
		if chosen != (accounts.UserID{}) && chosen != id {
			if err := p.recordForUser(ctx, tx, by, chosen,
				accounts.Entry{Action: ActionChangePassword}); err != nil {
				return err
			}
		}
		return accounts.Record(ctx, tx, by, i.Organization, accounts.Entry{
			Action: ActionChoosePassword, Subject: "invitation", SubjectID: uuid.UUID(i.ID), At: p.moment(),
			Detail: map[string]any{"email": i.Email},
		})
	})
	if err != nil {
		return fmt.Errorf("choose password: %w", err)
	}
	return nil
}

const proveEmailSQL = `UPDATE users SET email_proved_at = $2 WHERE uuid = $1 AND email_proved_at IS NULL`

// proveEmail comes before the share lock of the session: of two that held that, neither
// could write. The mail may wait to be sent again, where the server's answer was lost.
func (p *People) proveEmail(ctx context.Context, tx pgx.Tx, user accounts.UserID, i Invitation) error {
	if _, err := tx.Exec(ctx, proveEmailSQL, user, p.moment()); err != nil {
		return fmt.Errorf("prove email address: %w", err)
	}
	return mail.Withdraw(ctx, tx, uuid.UUID(i.ID))
}

// AcceptInvitation makes the signed-in user a member; it uses the invitation up. It is
// the one way for an account into another organisation: it takes the link and the
// account's password, and the caller has checked that the sign-in is fresh. A link that
// came by mail proves the address.
// Errors: ErrNoInvitation, ErrOtherEmail, ErrAlreadyMember, ErrSessionEnded.
func (p *People) AcceptInvitation(ctx context.Context, by accounts.Actor, token string) (User, error) {
	sum := accounts.HashOf(token)
	var u User
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		// The update locks the invitation: of many calls at a time one succeeds.
		i, err := postgres.Find(ctx, tx, "use invitation", ErrNoInvitation, invitationColumns.Scan, acceptSQL,
			sum[:], p.moment())
		if err != nil {
			return err
		}
		if i.ByMail {
			if err := p.proveEmail(ctx, tx, by.User, i); err != nil {
				return err
			}
		}
		if err := accounts.LockSession(ctx, tx, by); err != nil {
			return err
		}
		whose, err := p.userByEmail(ctx, tx, i.Email)
		if err != nil && !errors.Is(err, ErrNoUser) {
			return err
		}
		if err != nil || whose != by.User {
			return ErrOtherEmail
		}
		if err := p.addMember(ctx, tx, by.User, i.Organization, i.Role); err != nil {
			return err
		}
		entry := accounts.Entry{
			Action: ActionAcceptInvitation, Subject: "invitation", SubjectID: uuid.UUID(i.ID), At: p.moment(),
			Detail: map[string]any{"email": i.Email, "role": string(i.Role)},
		}
		if err := accounts.Record(ctx, tx, by, i.Organization, entry); err != nil {
			return err
		}
		u, err = p.user(ctx, tx, by.User)
		return err
	})
	if err != nil {
		return User{}, fmt.Errorf("accept invitation: %w", err)
	}
	return u, nil
}

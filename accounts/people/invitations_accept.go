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

// ErrOtherEmail says that the invitation is for another address than that of the user who is
// signed in.
var ErrOtherEmail = errors.New("the invitation is for another email address")

var (
	invitationByTokenSQL = openInvitationsSQL + `
  AND i.token_hash = $1`
	lockInvitationSQL = invitationByTokenSQL + `
FOR SHARE OF i`
)

// Invitation finds the invitation of a link; the link is the permission to see it. It does not
// show whether the address has an account. The error is ErrNoInvitation where it never existed,
// was used, revoked, or has expired, and where its inviter may no longer invite.
func (p *People) Invitation(ctx context.Context, token string) (Invitation, error) {
	return findInvitation(ctx, p.pool, invitationByTokenSQL, token, p.moment())
}

func findInvitation(ctx context.Context, q postgres.Querier, sql, token string,
	now time.Time,
) (Invitation, error) {
	sum := accounts.HashOf(token)
	return postgres.Find(ctx, q, "find invitation", ErrNoInvitation, scanInvitation, sql, sum[:], now)
}

// An account that was created through a link that the inviter saw may be the inviter's. Until
// its address is proved, a link that went there by mail may replace its password, which ends
// all sessions. Any other account stays as it is, also one that an operator created.
const choosePasswordSQL = `
INSERT INTO users (uuid, email, email_key, password, password_changed_at, created_at, email_proved_at)
VALUES ($1, $2, $3, $4, $5::timestamptz, $5, CASE WHEN $6 THEN $5 END)
ON CONFLICT (email_key) DO UPDATE
SET password = excluded.password, password_changed_at = excluded.password_changed_at,
    session_epoch = users.session_epoch + 1, email_proved_at = excluded.email_proved_at
WHERE NOT users.by_operator
  AND users.email_proved_at IS NULL
  AND excluded.email_proved_at IS NOT NULL
RETURNING uuid`

// ChoosePassword creates an account for the invited address, with a password with which the
// user then signs in and accepts. An account that exists keeps its password, and the caller
// cannot see the difference: the work, the audit record and the result are the same. Only a
// link that came by mail replaces the password of an unproved account (see
// choosePasswordSQL). Errors: ErrNoInvitation, and those of CheckPassword.
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
			if err := p.removeClaimedPasskeys(ctx, tx, i.Email); err != nil {
				return err
			}
		}
		chosen, err := postgres.Find(ctx, tx, "choose password", nil, pgx.RowTo[accounts.UserID],
			choosePasswordSQL, id, i.Email, emailKey(i.Email), encoded, p.moment(), i.ByMail)
		if err != nil {
			return err
		}
		if chosen != (accounts.UserID{}) && chosen != id {
			entry := accounts.Entry{Action: ActionChangePassword}
			if err := p.recordForUser(ctx, tx, by, chosen, entry); err != nil {
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

const proveEmailSQL = `
UPDATE users
SET email_proved_at = $2
WHERE uuid = $1
  AND email_proved_at IS NULL`

// proveEmail runs before the share lock of the session: two transactions with that lock could
// not write the row. It withdraws the mail, which may still wait for another try where the mail
// server's answer was lost.
func (p *People) proveEmail(ctx context.Context, tx pgx.Tx, user accounts.UserID, i Invitation) error {
	if _, err := tx.Exec(ctx, proveEmailSQL, user, p.moment()); err != nil {
		return fmt.Errorf("prove email address: %w", err)
	}
	return mail.Withdraw(ctx, tx, uuid.UUID(i.ID))
}

var acceptSQL = `
UPDATE invitations i
SET accepted_at = $2
WHERE token_hash = $1
  AND accepted_at IS NULL
  AND revoked_at IS NULL
  AND expires_at > $2
  AND ` + inviterMayInviteSQL + `
RETURNING ` + invitationColumns.List("i.")

// AcceptInvitation makes the signed-in user a member; an invitation is accepted once. It is the
// one way for an account into another organisation: it takes the link and the account's
// password, and the caller has checked that the sign-in is fresh. A link that came by mail
// proves the address. Errors: ErrNoInvitation, ErrOtherEmail, ErrAlreadyMember, ErrSessionEnded.
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

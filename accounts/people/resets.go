package people

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/locale"
	"daftar/internal/mail"
	"daftar/internal/postgres"
)

// ResetLasts is how long the link of a reset works.
const ResetLasts = time.Hour

// PasswordReset is a link that went by mail, by which a user chooses a new password.
type PasswordReset struct {
	Email     string // of the account
	ExpiresAt time.Time

	user accounts.UserID
}

// An account that belongs to no organisation, and has no open invitation, gives access to
// nothing: it gets no mail.
const (
	lockUserSQL        = `SELECT FROM users WHERE uuid = $1 FOR NO KEY UPDATE`
	hasOrganizationSQL = `
SELECT EXISTS (SELECT FROM memberships WHERE user_uuid = $1)
    OR EXISTS (SELECT FROM invitations
               WHERE lower(email) = lower($2)
                 AND accepted_at IS NULL
                 AND revoked_at IS NULL
                 AND expires_at > $3)`
	offerResetSQL = `
INSERT INTO password_resets (user_uuid, uuid, token_hash, requested_at, expires_at)
SELECT $1::uuid, $2::uuid, $3::bytea, $4::timestamptz, $5::timestamptz
WHERE $6`
	dropResetSQL = `DELETE FROM password_resets WHERE user_uuid = $1 RETURNING uuid`
)

// RequestReset mails a link by which the owner of the address chooses a new password. It
// replaces the previous link, and works once, for ResetLasts. The caller cannot learn whether
// the address has an account: the result and the work are the same, and the mail leaves later.
// Requests are throttled as attempts to sign in are. by is not signed in yet: only its address,
// device and request are used. Call it only where SendsMail. Errors: ErrInvalid, Throttled.
func (p *People) RequestReset(ctx context.Context, by accounts.Actor, email string, l locale.Lang) error {
	by, known, email, err := p.askForMail(ctx, by, email, forReset, ActionRequestReset)
	if err != nil {
		return err
	}
	if known.id != (accounts.UserID{}) {
		email = known.email
	}
	now := p.moment()
	offer := PasswordReset{Email: email, ExpiresAt: now.Add(ResetLasts), user: known.id}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		offered, err := p.offerReset(ctx, tx, offer, now, l)
		if err != nil {
			return err
		}
		e := accounts.Entry{Action: ActionRequestReset, At: now}
		if !offered {
			e.Outcome = accounts.Failed
		}
		if known.id != (accounts.UserID{}) {
			e.Detail = map[string]any{"email": email}
		}
		return p.recordForUser(ctx, tx, by, known.id, e)
	})
	if err != nil {
		return fmt.Errorf("request password reset: %w", err)
	}
	return nil
}

// offerReset always writes the mail, so that the statements are the same. Where it must not be
// sent, the same transaction withdraws it.
func (p *People) offerReset(ctx context.Context, tx pgx.Tx, r PasswordReset,
	now time.Time, l locale.Lang,
) (offered bool, err error) {
	if _, err := tx.Exec(ctx, lockUserSQL, r.user); err != nil {
		return false, fmt.Errorf("lock user: %w", err)
	}
	belongs, err := postgres.Find(ctx, tx, "find organisations", nil, pgx.RowTo[bool], hasOrganizationSQL,
		r.user, r.Email, now)
	if err != nil {
		return false, err
	}
	offered = belongs && r.user != (accounts.UserID{})
	ended, err := postgres.List(ctx, tx, "replace password reset", pgx.RowTo[uuid.UUID], dropResetSQL, r.user)
	if err != nil {
		return false, err
	}
	id := uuid.New()
	token, sum := newLink()
	if _, err := tx.Exec(ctx, offerResetSQL, r.user, id, sum[:], now, r.ExpiresAt, offered); err != nil {
		return false, fmt.Errorf("offer password reset: %w", err)
	}
	if err := mail.Add(ctx, tx, p.key, id, p.letters.PasswordReset(r, token, l), now); err != nil {
		return false, err
	}
	if !offered {
		ended = append(ended, id)
	}
	return offered, mail.Withdraw(ctx, tx, ended...)
}

// dropReset ends the link of a user, and withdraws its mail where that has not been sent.
func (p *People) dropReset(ctx context.Context, tx pgx.Tx, id accounts.UserID) error {
	ended, err := postgres.List(ctx, tx, "end password reset", pgx.RowTo[uuid.UUID], dropResetSQL, id)
	if err != nil {
		return err
	}
	return mail.Withdraw(ctx, tx, ended...)
}

const (
	findResetSQL = `
SELECT u.email, r.expires_at, u.uuid
FROM password_resets r
     JOIN users u ON u.uuid = r.user_uuid
WHERE r.token_hash = $1
  AND r.expires_at > $2`
	// It runs under the lock of the user, so that no other transaction ends the reset meanwhile.
	// setPassword deletes the row.
	checkResetSQL = `
SELECT user_uuid
FROM password_resets
WHERE token_hash = $1
  AND expires_at > $2`
)

// PasswordReset finds the reset of a link; the link is the permission to see it. The error
// is ErrNoReset where it never existed, was used or replaced, or has expired.
func (p *People) PasswordReset(ctx context.Context, token string) (PasswordReset, error) {
	sum := accounts.HashOf(token)
	return postgres.Find(ctx, p.pool, "find password reset", ErrNoReset,
		func(row pgx.CollectableRow) (PasswordReset, error) {
			var r PasswordReset
			err := row.Scan(&r.Email, &r.ExpiresAt, &r.user)
			return r, err
		}, findResetSQL, sum[:], p.moment())
}

// ResetPassword gives the account of a link a new password, uses the link up and ends all
// sessions. The link came by mail, so it proves the address. A second factor stays, so that
// access to the mailbox alone is not enough to sign in. Errors: ErrNoReset, ErrBusy, and those
// of CheckPassword.
func (p *People) ResetPassword(ctx context.Context, by accounts.Actor, token, password string) error {
	release, err := p.acquireSlot(by)
	if err != nil {
		return err
	}
	defer release()
	open, err := p.PasswordReset(ctx, token)
	if err != nil {
		return err
	}
	encoded, err := p.newPassword(ctx, password, open.Email)
	if err != nil {
		return err
	}
	by = accounts.Actor{User: open.user, Name: open.Email, Address: by.Address, RequestID: by.RequestID}
	sum := accounts.HashOf(token)
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		// RequestReset locks in the same order, so that the two cannot deadlock.
		if _, err := tx.Exec(ctx, lockUserSQL, open.user); err != nil {
			return fmt.Errorf("lock user: %w", err)
		}
		_, err := postgres.Find(ctx, tx, "use password reset", ErrNoReset,
			pgx.RowTo[accounts.UserID], checkResetSQL, sum[:], p.moment())
		if err != nil {
			return err
		}
		if err := p.takeAccount(ctx, tx, open.user, encoded); err != nil {
			return err
		}
		return p.recordForUser(ctx, tx, by, open.user, accounts.Entry{Action: ActionResetPassword})
	})
	if err != nil {
		return fmt.Errorf("reset password: %w", err)
	}
	return nil
}

// takeAccount gives an account to the reader of its mails: with a new password, and without what
// was added before the address was proved. A second factor stays.
func (p *People) takeAccount(ctx context.Context, tx pgx.Tx, id accounts.UserID, encoded string) error {
	if err := p.setPassword(ctx, tx, id, encoded); err != nil {
		return err
	}
	if err := removeUnprovedPasskeys(ctx, tx, id); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, proveEmailSQL, id, p.moment()); err != nil {
		return fmt.Errorf("prove email address: %w", err)
	}
	return nil
}

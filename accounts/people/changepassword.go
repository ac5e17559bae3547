package people

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/mail"
	"daftar/internal/postgres"
)

// The new epoch ends every session that began under the old one. It also removes an unconfirmed
// secret of an authenticator app, which one of them may have seen.
const setPasswordSQL = `
UPDATE users
SET password = $2, password_changed_at = $3, session_epoch = session_epoch + 1, totp_pending = NULL
WHERE uuid = $1
RETURNING email`

// ChangePassword replaces the user's password, given the current one, and ends all sessions. The
// user that it returns has the epoch with which the caller's own session continues. That session
// is no fresher than before, because no second factor was checked. Errors: ErrBadCredentials,
// Throttled, ErrBusy, ErrSessionEnded, and those of CheckPassword.
func (p *People) ChangePassword(
	ctx context.Context, by accounts.Actor, present, replacement string,
) (User, error) {
	release, err := p.acquireSlot(by)
	if err != nil {
		return User{}, err
	}
	defer release()
	u, err := p.SessionUser(ctx, by.User, by.Epoch)
	if err != nil {
		return User{}, err
	}
	known, err := p.login(ctx, u.Email)
	if err != nil {
		return User{}, err
	}
	reservation, _, err := p.verifyPassword(ctx, by, known, ActionChangePassword, present)
	if err != nil {
		return User{}, err
	}
	encoded, refused := p.newPassword(ctx, replacement, u.Email)
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if err := p.accounts.CancelReservation(ctx, tx, reservation); err != nil || refused != nil {
			return err
		}
		if _, err := lockFactor(ctx, tx, by); err != nil { // the session still counts
			return err
		}
		if err := p.setPassword(ctx, tx, by.User, encoded); err != nil {
			return err
		}
		entry := accounts.Entry{Action: ActionChangePassword}
		if err := p.recordForUser(ctx, tx, by, by.User, entry); err != nil {
			return err
		}
		u, err = p.user(ctx, tx, by.User)
		return err
	})
	switch {
	case err != nil:
		return User{}, fmt.Errorf("change password: %w", err)
	case refused != nil:
		return User{}, refused
	}
	return u, nil
}

// setPassword also ends the sessions, and links to reset the password. The owner of the account
// gets a mail about it, in case it was another person.
func (p *People) setPassword(ctx context.Context, tx pgx.Tx, id accounts.UserID, encoded string) error {
	now := p.moment()
	email, err := postgres.Find(ctx, tx, "set password", ErrNoUser, pgx.RowTo[string], setPasswordSQL,
		id, encoded, now)
	if err != nil {
		return err
	}
	if err := p.dropReset(ctx, tx, id); err != nil || !p.SendsMail() {
		return err
	}
	return mail.Add(ctx, tx, p.key, uuid.New(), p.letters.PasswordChanged(email, now), now)
}

// SetPassword gives a user a password without asking for the current one, and
// ends all sessions. Only operators may. Errors: ErrNoUser, ErrForbidden, and
// those of CheckPassword.
func (p *People) SetPassword(ctx context.Context, by accounts.Actor, email, password string) (User, error) {
	encoded, err := p.newPassword(ctx, password, email)
	if err != nil {
		return User{}, err
	}
	return p.changeUser(ctx, by, email, ActionSetPassword, func(tx pgx.Tx, id accounts.UserID) error {
		return p.setPassword(ctx, tx, id, encoded)
	})
}

// ResetSecondFactor removes the second factor of a user that has lost the phone and
// the recovery codes. Only operators may. Errors: ErrNoUser, ErrNoSecondFactor, ErrForbidden.
func (p *People) ResetSecondFactor(ctx context.Context, by accounts.Actor, email string) (User, error) {
	return p.changeUser(ctx, by, email, ActionResetSecondFactor, func(tx pgx.Tx, id accounts.UserID) error {
		u, err := p.user(ctx, tx, id)
		if err != nil {
			return err
		}
		if !u.SecondFactor {
			return ErrNoSecondFactor
		}
		return clearFactor(ctx, tx, id)
	})
}

// changeUser is an operator's change of a user.
func (p *People) changeUser(ctx context.Context, by accounts.Actor, email string, what accounts.Action,
	change func(pgx.Tx, accounts.UserID) error,
) (User, error) {
	if err := p.accounts.OperatorOnly(ctx, by); err != nil {
		return User{}, err
	}
	email, err := NormalizeEmail(email)
	if err != nil {
		return User{}, err
	}
	var u User
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		id, err := p.userByEmail(ctx, tx, email)
		if err != nil {
			return err
		}
		if err := change(tx, id); err != nil {
			return err
		}
		entry := accounts.Entry{Action: what, Detail: map[string]any{"email": email}}
		if err := p.recordForUser(ctx, tx, by, id, entry); err != nil {
			return err
		}
		u, err = p.user(ctx, tx, id)
		return err
	})
	if err != nil {
		return User{}, fmt.Errorf("change user: %w", err)
	}
	return u, nil
}

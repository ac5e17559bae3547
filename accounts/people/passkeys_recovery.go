package people

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/postgres"
)

// ErrSharedAccount says that the member belongs to other organisations too. An owner of this
// one must not weaken the member's sign-in there; an operator can.
var ErrSharedAccount = errors.New("only an operator can do this for that account")

// The sessions end too: another person may have the devices.
const (
	removePasskeysSQL = `DELETE FROM passkeys WHERE user_uuid = $1`
	endAskingSQL      = `
UPDATE users
SET asks_passkey = false, session_epoch = session_epoch + 1
WHERE uuid = $1`
	otherMembershipsSQL = `
SELECT count(*)
FROM memberships
WHERE user_uuid = $1
  AND organization_uuid <> $2`
	// A membership that is created meanwhile waits: its foreign key needs the row of the user.
	lockEmailSQL = `SELECT email FROM users WHERE uuid = $1 FOR UPDATE`
)

// resetPasskeys removes all passkeys of a user, so that the password alone is enough, and ends
// all sessions. The error is ErrNoPasskey where there are none.
func resetPasskeys(ctx context.Context, tx pgx.Tx, user accounts.UserID) error {
	_, err := postgres.Find(ctx, tx, "find user", ErrNoUser, pgx.RowTo[string], lockEmailSQL, user)
	if err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, removePasskeysSQL, user)
	if err == nil && tag.RowsAffected() == 0 {
		err = ErrNoPasskey
	}
	if err == nil {
		err = postgres.One(tx.Exec(ctx, endAskingSQL, user))
	}
	if err != nil {
		return fmt.Errorf("remove passkeys: %w", err)
	}
	return nil
}

// An attacker may have created the account in advance, for the address of another person, and
// added a passkey.
const removeUnprovedPasskeysSQL = `
DELETE FROM passkeys p
USING users u
WHERE p.user_uuid = u.uuid
  AND u.uuid = $1
  AND u.email_proved_at IS NULL
  AND NOT u.by_operator`

// removeUnprovedPasskeys removes the passkeys of an account whose address was not proved before: they may
// be those of an earlier user. The caller has locked the user, and marks the address as proved
// afterwards.
func removeUnprovedPasskeys(ctx context.Context, tx pgx.Tx, user accounts.UserID) error {
	_, err := tx.Exec(ctx, removeUnprovedPasskeysSQL, user)
	if err == nil {
		_, err = tx.Exec(ctx, stopAskingSQL, user)
	}
	if err != nil {
		return fmt.Errorf("remove passkeys: %w", err)
	}
	return nil
}

// removeClaimedPasskeys is removeUnprovedPasskeys for the account of an address, if there is one.
func (p *People) removeClaimedPasskeys(ctx context.Context, tx pgx.Tx, email string) error {
	id, err := p.userByEmail(ctx, tx, email)
	if errors.Is(err, ErrNoUser) {
		id, err = accounts.UserID{}, nil // the same work
	}
	if err == nil {
		_, err = tx.Exec(ctx, lockUserSQL, id)
	}
	if err != nil {
		return err
	}
	return removeUnprovedPasskeys(ctx, tx, id)
}

// ResetPasskeys removes the passkeys of a user that has lost the devices, and ends all sessions.
// Only operators may. Errors: ErrNoUser, ErrNoPasskey, ErrForbidden.
func (p *People) ResetPasskeys(ctx context.Context, by accounts.Actor, email string) (User, error) {
	return p.changeUser(ctx, by, email, ActionResetPasskeys, func(tx pgx.Tx, id accounts.UserID) error {
		return resetPasskeys(ctx, tx, id)
	})
}

// ResetMemberPasskeys is ResetPasskeys by an owner, for a member of this organisation and of no
// other. It needs ManagePeople. Errors: ErrNoUser, ErrNoPasskey, ErrSharedAccount, and those of Do.
func (p *People) ResetMemberPasskeys(ctx context.Context, by accounts.Actor, org accounts.OrganizationID,
	user accounts.UserID,
) error {
	err := p.accounts.Do(ctx, by, org, accounts.ManagePeople, func(tx pgx.Tx) (accounts.Entry, error) {
		email, err := postgres.Find(ctx, tx, "find user", ErrNoUser, pgx.RowTo[string], lockEmailSQL, user)
		if err != nil {
			return accounts.Entry{}, err
		}
		_, err = postgres.Find(ctx, tx, "find member", ErrNoUser, pgx.RowToStructByPos[Member],
			findMemberSQL, org, user)
		if err != nil {
			return accounts.Entry{}, err
		}
		others, err := postgres.Find(ctx, tx, "count memberships", nil, pgx.RowTo[int],
			otherMembershipsSQL, user, org)
		switch {
		case err != nil:
			return accounts.Entry{}, err
		case others > 0:
			return accounts.Entry{}, ErrSharedAccount
		}
		return accounts.Entry{
			Action: ActionResetPasskeys, Subject: "user", SubjectID: uuid.UUID(user),
			Detail: map[string]any{"email": email},
		}, resetPasskeys(ctx, tx, user)
	})
	if err != nil {
		return fmt.Errorf("reset passkeys of a member: %w", err)
	}
	return nil
}

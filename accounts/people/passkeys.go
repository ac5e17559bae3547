package people

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/postgres"
)

// Errors about passkeys.
var (
	// ErrBadPasskey says that a browser's answer proves nothing: the passkey is unknown or
	// another user's, or its signature is wrong.
	ErrBadPasskey = errors.New("the passkey was not accepted")
	// ErrStaleChallenge says that the challenge is too old, was answered before, or is another
	// browser's.
	ErrStaleChallenge = errors.New("the challenge is too old or was answered before")
	// ErrPasskeyExists says that the device's passkey is stored already.
	ErrPasskeyExists = errors.New("that passkey is kept already")
	// ErrTooManyPasskeys says that the user has MaxPasskeys.
	ErrTooManyPasskeys = errors.New("no more passkeys fit")
	// ErrNoPasskeys says that this server has no passkeys: its public address is neither https
	// with a name nor localhost.
	ErrNoPasskeys error = accounts.NotFound("this server has no passkeys")
	// ErrNoPasskey says that the user has no such passkey, or none.
	ErrNoPasskey error = accounts.NotFound("no such passkey")
)

// The actions on passkeys.
const (
	ActionAddPasskey       accounts.Action = "passkey.add"
	ActionRemovePasskey    accounts.Action = "passkey.remove"
	ActionRequirePasskey   accounts.Action = "passkey.require"   // after the password
	ActionUnrequirePasskey accounts.Action = "passkey.unrequire" // the password alone
	ActionResetPasskeys    accounts.Action = "passkey.reset"     // by an owner or an operator: all of them
	ActionSignInPasskey    accounts.Action = "sign_in.passkey"   // one that was not accepted
)

// MaxPasskeys is how many a user may have.
const MaxPasskeys = 10

// MaxPasskeyName is the length of a passkey's name in code points.
const MaxPasskeyName = 60

// Passkey is one of a user's, as the user sees it.
type Passkey struct {
	ID         uuid.UUID
	Name       string
	CreatedAt  time.Time
	LastUsedAt *time.Time // nil: never
}

// Challenge is what a browser needs to request a passkey from its device.
type Challenge struct {
	// Options are for navigator.credentials, in the JSON form of the WebAuthn specification.
	Options any
	// Ticket stays with the browser, out of the reach of scripts, and comes back with the answer.
	Ticket string
}

const (
	passkeysSQL = `
SELECT uuid, name, created_at, last_used_at
FROM passkeys
WHERE user_uuid = $1
ORDER BY created_at, uuid`
	// The row of the user is locked, so that passkeys are added and removed one after the other.
	lockHolderSQL = `
SELECT email, passkey_handle
FROM users
WHERE uuid = $1
  AND session_epoch = $2
FOR NO KEY UPDATE`
	holderKeysSQL = `
SELECT credential_id, public_key, sign_count, backup_eligible, transports
FROM passkeys
WHERE user_uuid = $1
ORDER BY created_at, uuid`
	setHandleSQL  = `UPDATE users SET passkey_handle = $2 WHERE uuid = $1`
	addPasskeySQL = `
INSERT INTO passkeys (uuid, user_uuid, credential_id, public_key, sign_count, backup_eligible,
    transports, name, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (credential_id) DO NOTHING`
	removePasskeySQL = `DELETE FROM passkeys WHERE uuid = $1 AND user_uuid = $2 RETURNING name`
	askPasskeySQL    = `UPDATE users SET asks_passkey = $2 WHERE uuid = $1`
	// A user without passkeys cannot be asked for one.
	stopAskingSQL = `
UPDATE users
SET asks_passkey = false
WHERE uuid = $1
  AND asks_passkey
  AND NOT EXISTS (SELECT FROM passkeys p WHERE p.user_uuid = $1)`
)

// OffersPasskeys reports whether browsers have passkeys for this server (Options.PublicURL).
func (p *People) OffersPasskeys() bool { return p.party != nil }

// Passkeys are the actor's, the oldest first.
func (p *People) Passkeys(ctx context.Context, by accounts.Actor) ([]Passkey, error) {
	return postgres.List(ctx, p.pool, "list passkeys", pgx.RowToStructByPos[Passkey], passkeysSQL, by.User)
}

// lockHolder is the actor and the actor's passkeys, locked. Errors: ErrSessionEnded.
func lockHolder(ctx context.Context, tx pgx.Tx, by accounts.Actor) (keyHolder, error) {
	row, err := postgres.Find(ctx, tx, "find user", accounts.ErrSessionEnded, pgx.RowToStructByPos[struct {
		Email  string
		Handle []byte
	}], lockHolderSQL, by.User, by.Epoch)
	if err != nil {
		return keyHolder{}, err
	}
	h := keyHolder{email: row.Email, handle: row.Handle}
	keys, err := postgres.List(ctx, tx, "list passkeys", pgx.RowToStructByPos[storedKey],
		holderKeysSQL, by.User)
	for _, k := range keys {
		h.keys = append(h.keys, k.credential())
	}
	return h, err
}

// handleBytes is the greatest length that the specification allows.
const handleBytes = 64

// BeginPasskey is what a browser needs to create a passkey for the actor. The caller has checked
// that the sign-in is fresh. Errors: ErrNoPasskeys, ErrTooManyPasskeys, ErrSessionEnded.
func (p *People) BeginPasskey(ctx context.Context, by accounts.Actor) (Challenge, error) {
	if !p.OffersPasskeys() {
		return Challenge{}, ErrNoPasskeys
	}
	var h keyHolder
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) (err error) {
		if h, err = lockHolder(ctx, tx, by); err != nil || h.handle != nil {
			return err
		}
		h.handle = make([]byte, handleBytes)
		rand.Read(h.handle)
		err = postgres.One(tx.Exec(ctx, setHandleSQL, by.User, h.handle))
		return err
	})
	switch {
	case err != nil:
		return Challenge{}, fmt.Errorf("begin passkey: %w", err)
	case len(h.keys) >= MaxPasskeys:
		return Challenge{}, ErrTooManyPasskeys
	}
	// A device that has one already creates no second.
	creation, session, err := p.party.BeginRegistration(h,
		webauthn.WithExclusions(webauthn.Credentials(h.keys).CredentialDescriptors()))
	if err != nil {
		return Challenge{}, fmt.Errorf("begin passkey: %w", err)
	}
	ticket, err := p.newTicket(toAdd, by.User, session.Challenge)
	return Challenge{creation.Response, ticket}, err
}

// AddPasskey stores the passkey that a browser has created. Response is the credential in the
// JSON form of the specification. The caller has checked that the sign-in is fresh. Errors:
// ErrBadPasskey, ErrStaleChallenge, ErrPasskeyExists, ErrTooManyPasskeys, ErrNoPasskeys,
// ErrInvalid, ErrSessionEnded.
func (p *People) AddPasskey(ctx context.Context, by accounts.Actor, ticket, name, response string) error {
	switch {
	case !p.OffersPasskeys():
		return ErrNoPasskeys
	case len([]rune(name)) > MaxPasskeyName:
		return fmt.Errorf("%w: the name has more than %d characters", accounts.ErrInvalid, MaxPasskeyName)
	}
	if err := accounts.CheckName(name); err != nil {
		return err
	}
	c, err := p.openTicket(ticket, toAdd, by.User)
	if err == nil {
		err = p.useChallenge(ctx, c)
	}
	if err != nil {
		return err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(response))
	if err != nil {
		return badPasskey(err)
	}
	return p.changePasskeys(ctx, by, ActionAddPasskey, func(tx pgx.Tx, h keyHolder) (string, error) {
		if len(h.keys) >= MaxPasskeys {
			return "", ErrTooManyPasskeys
		}
		made, err := p.party.CreateCredential(h, c.session(p.party, h.handle), parsed)
		if err != nil {
			return "", badPasskey(err)
		}
		k, err := newStoredKey(made)
		if err != nil {
			return "", err
		}
		tag, err := tx.Exec(ctx, addPasskeySQL, uuid.New(), by.User, k.CredentialID, k.PublicKey, k.SignCount,
			k.BackupEligible, k.Transports, name, p.moment())
		if err == nil && tag.RowsAffected() == 0 {
			err = ErrPasskeyExists
		}
		return name, err
	})
}

// badPasskey keeps the library's reason, for the log, without the values that it compared.
func badPasskey(err error) error {
	if said, ok := errors.AsType[*protocol.Error](err); ok {
		return fmt.Errorf("%w: %s", ErrBadPasskey, said.Details)
	}
	return fmt.Errorf("%w: %w", ErrBadPasskey, err)
}

// RemovePasskey removes one of the actor's passkeys. After the last one, the password alone is
// enough again. The caller has checked that the sign-in is fresh. Errors: ErrNoPasskey, ErrSessionEnded.
func (p *People) RemovePasskey(ctx context.Context, by accounts.Actor, id uuid.UUID) error {
	return p.changePasskeys(ctx, by, ActionRemovePasskey, func(tx pgx.Tx, _ keyHolder) (string, error) {
		name, err := postgres.Find(ctx, tx, "remove passkey", ErrNoPasskey, pgx.RowTo[string],
			removePasskeySQL, id, by.User)
		if err == nil {
			_, err = tx.Exec(ctx, stopAskingSQL, by.User)
		}
		return name, err
	})
}

// AskForPasskey sets whether a passkey is required after the password. The caller has checked
// that the sign-in is fresh. Errors: ErrNoPasskey, ErrSessionEnded.
func (p *People) AskForPasskey(ctx context.Context, by accounts.Actor, ask bool) error {
	what := ActionUnrequirePasskey
	if ask {
		what = ActionRequirePasskey
	}
	return p.changePasskeys(ctx, by, what, func(tx pgx.Tx, h keyHolder) (string, error) {
		if ask && len(h.keys) == 0 {
			return "", ErrNoPasskey
		}
		err := postgres.One(tx.Exec(ctx, askPasskeySQL, by.User, ask))
		return "", err
	})
}

// changePasskeys changes the actor's passkeys and records that. Change returns the name of the
// passkey that it is about; empty: of none.
func (p *People) changePasskeys(ctx context.Context, by accounts.Actor, what accounts.Action,
	change func(pgx.Tx, keyHolder) (string, error),
) error {
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		h, err := lockHolder(ctx, tx, by)
		if err != nil {
			return err
		}
		name, err := change(tx, h)
		if err != nil {
			return err
		}
		e := accounts.Entry{Action: what}
		if name != "" {
			e.Detail = map[string]any{"passkey": name}
		}
		return p.recordForUser(ctx, tx, by, by.User, e)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

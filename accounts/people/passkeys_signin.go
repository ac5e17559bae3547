package people

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/postgres"
	"daftar/internal/web"
)

// BeginPasskeySignIn is what a browser needs to sign in with a passkey alone. It names no user,
// and costs the database nothing. The error is ErrNoPasskeys.
func (p *People) BeginPasskeySignIn() (Challenge, error) {
	if !p.OffersPasskeys() {
		return Challenge{}, ErrNoPasskeys
	}
	assertion, session, err := p.party.BeginDiscoverableLogin(
		webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return Challenge{}, fmt.Errorf("begin sign-in with a passkey: %w", err)
	}
	ticket, err := p.newTicket(toSignIn, accounts.UserID{}, session.Challenge)
	return Challenge{assertion.Response, ticket}, err
}

// BeginPasskeyCheck is what a browser needs to prove one of the actor's passkeys. Errors:
// ErrNoPasskeys, ErrNoPasskey, ErrSessionEnded.
func (p *People) BeginPasskeyCheck(ctx context.Context, by accounts.Actor) (Challenge, error) {
	if !p.OffersPasskeys() {
		return Challenge{}, ErrNoPasskeys
	}
	var h keyHolder
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) (err error) {
		h, err = lockHolder(ctx, tx, by)
		return err
	})
	switch {
	case err != nil:
		return Challenge{}, fmt.Errorf("begin check of a passkey: %w", err)
	case len(h.keys) == 0:
		return Challenge{}, ErrNoPasskey
	}
	assertion, session, err := p.party.BeginLogin(h,
		webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return Challenge{}, fmt.Errorf("begin check of a passkey: %w", err)
	}
	ticket, err := p.newTicket(toConfirm, by.User, session.Challenge)
	return Challenge{assertion.Response, ticket}, err
}

// SignInWithPasskey signs in by a passkey alone. The device has verified the user (a fingerprint,
// a face, a PIN), so no code of an authenticator app is needed. Response is the credential in the
// JSON form of the specification. An unknown passkey gets the answer of a wrong one. by is not
// signed in yet, as with SignIn. Errors: ErrBadPasskey, ErrStaleChallenge, Throttled, ErrBusy,
// ErrNoPasskeys.
func (p *People) SignInWithPasskey(ctx context.Context, by accounts.Actor,
	ticket, response string,
) (User, error) {
	by = accounts.Actor{Name: "unknown", Address: by.Address, Device: by.Device, RequestID: by.RequestID}
	return p.verifyPasskey(ctx, by, toSignIn, ticket, response)
}

// CheckPasskey proves one of the actor's passkeys: after the password (NextSecondFactor), or where
// the sign-in is not fresh. Errors: those of SignInWithPasskey, ErrSessionEnded.
func (p *People) CheckPasskey(ctx context.Context, by accounts.Actor, ticket, response string) (User, error) {
	return p.verifyPasskey(ctx, by, toConfirm, ticket, response)
}

const (
	keyOwnerSQL = `
SELECT u.email
FROM passkeys p
     JOIN users u ON u.uuid = p.user_uuid
WHERE p.credential_id = $1`
	keyHolderSQL = `
SELECT u.uuid, u.session_epoch, u.email, p.name
FROM passkeys p
     JOIN users u ON u.uuid = p.user_uuid
WHERE p.credential_id = $1`
	usePasskeySQL = `
UPDATE passkeys
SET sign_count = $2, last_used_at = $3
WHERE credential_id = $1`
	setSignedInFromSQL = `UPDATE users SET signed_in_from = $2 WHERE uuid = $1`
)

// verifyPasskey checks a response, throttled as passwords are, and records a failure.
func (p *People) verifyPasskey(ctx context.Context, by accounts.Actor, what ceremony,
	ticket, response string,
) (u User, err error) {
	if !p.OffersPasskeys() {
		return User{}, ErrNoPasskeys
	}
	release, err := p.acquireSlot(by)
	if err != nil {
		return User{}, err
	}
	defer release()
	c, err := p.openTicket(ticket, what, by.User)
	if err != nil {
		return User{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(response))
	if err != nil {
		return User{}, badPasskey(err)
	}
	whose, err := p.passkeyLogin(ctx, parsed.RawID)
	if err != nil {
		return User{}, err
	}
	reservation, err := p.accounts.Reserve(ctx, p.attemptLimits(whose, forPasskey, by))
	if err != nil {
		return User{}, p.recordThrottled(ctx, by, whose, ActionSignInPasskey, err)
	}
	if err := p.useChallenge(ctx, c); err != nil {
		return User{}, err
	}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		u, err = p.usePasskey(ctx, tx, by, c, parsed)
		if err != nil {
			return err
		}
		return p.accounts.CancelReservation(ctx, tx, reservation)
	})
	if errors.Is(err, ErrBadPasskey) {
		entry := accounts.Entry{Action: ActionSignInPasskey, Outcome: accounts.Failed}
		if failed := p.recordAttempt(ctx, by, whose, entry); failed != nil {
			return User{}, errors.Join(err, failed)
		}
	}
	return u, err
}

// passkeyLogin is the login that failures of a passkey count against; its id is zero for an
// unknown passkey.
func (p *People) passkeyLogin(ctx context.Context, credential []byte) (login, error) {
	email, err := postgres.Find(ctx, p.pool, "find passkey", nil, pgx.RowTo[string], keyOwnerSQL, credential)
	if err != nil {
		return login{}, err
	}
	if email == "" {
		return login{key: "passkey " + hex.EncodeToString(credential)}, nil
	}
	return p.login(ctx, email)
}

// usedKey is a passkey and its user.
type usedKey struct {
	User  accounts.UserID
	Epoch int64
	Email string
	Name  string
}

// usePasskey finds the user whose passkey the response proves, and records the use. The user is
// locked, so that of two responses with the same counter the second is refused as a copy's.
func (p *People) usePasskey(ctx context.Context, tx pgx.Tx, by accounts.Actor, c challenge,
	parsed *protocol.ParsedCredentialAssertionData,
) (User, error) {
	k, err := postgres.Find(ctx, tx, "find passkey", ErrBadPasskey, pgx.RowToStructByPos[usedKey],
		keyHolderSQL, parsed.RawID)
	if err != nil {
		return User{}, err
	}
	entry := accounts.Entry{Action: ActionSignIn, Detail: map[string]any{"passkey": k.Name}}
	if c.what == toSignIn {
		by.User, by.Epoch, by.Name = k.User, k.Epoch, k.Email
	} else {
		entry.Detail["second_factor"] = "passkey"
	}
	h, err := lockHolder(ctx, tx, by)
	if err != nil {
		return User{}, err
	}
	if k.User != by.User || len(parsed.Response.UserHandle) == 0 && c.what == toSignIn {
		return User{}, fmt.Errorf("%w: it is another user's", ErrBadPasskey)
	}
	credential, err := p.party.ValidateLogin(h, c.session(p.party, h.handle), parsed)
	if err != nil {
		return User{}, badPasskey(err)
	}
	if credential.Authenticator.CloneWarning {
		p.log.Warn().Stringer("user", k.User).Str("passkey", k.Name).Str("request_id", by.RequestID).
			Msg("a passkey counted backwards: somebody may have a copy of it; refused")
		return User{}, fmt.Errorf("%w: its counter went backwards", ErrBadPasskey)
	}
	var batch pgx.Batch
	batch.Queue(usePasskeySQL, credential.ID, int64(credential.Authenticator.SignCount), p.moment())
	batch.Queue(setSignedInFromSQL, k.User, web.Networks(by.Address)[0])
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return User{}, fmt.Errorf("use passkey: %w", err)
	}
	if err := p.recordForUser(ctx, tx, by, k.User, entry); err != nil {
		return User{}, err
	}
	return p.user(ctx, tx, k.User)
}

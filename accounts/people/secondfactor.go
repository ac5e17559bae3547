package people

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/postgres"
	"daftar/internal/web"
)

// Errors about the second factor.
var (
	// ErrBadCode says that a code is wrong, too old, or was used before.
	ErrBadCode        = errors.New("the code is wrong or was used before")
	ErrNoSecondFactor = errors.New("the user has no second factor")
)

const (
	recoveryCodes     = 10
	recoveryCodeBytes = 10 // 80 bits, 16 base32 characters
)

// The row stays locked until the code is used: the same code in concurrent requests
// is accepted once.
const (
	lockFactorSQL = `
SELECT email, totp_secret, totp_pending, totp_last_step
FROM users
WHERE uuid = $1
  AND session_epoch = $2
FOR NO KEY UPDATE`
	useStepSQL = `
UPDATE users
SET totp_last_step = $2, signed_in_from = $3
WHERE uuid = $1`
	useRecoveryCodeSQL = `
UPDATE recovery_codes
SET used_at = $3
WHERE user_uuid = $1
  AND code_hash = $2
  AND used_at IS NULL`
	setPendingSQL = `UPDATE users SET totp_pending = $2 WHERE uuid = $1`
	setFactorSQL  = `
UPDATE users
SET totp_secret = totp_pending, totp_pending = NULL, totp_last_step = $2
WHERE uuid = $1`
	clearFactorSQL = `
UPDATE users
SET totp_secret = NULL, totp_pending = NULL, totp_last_step = 0
WHERE uuid = $1`
	clearRecoveryCodesSQL = `DELETE FROM recovery_codes WHERE user_uuid = $1`
	addRecoveryCodesSQL   = `
INSERT INTO recovery_codes (user_uuid, code_hash)
SELECT $1, unnest($2::bytea[])`
)

// factor is a user's second factor, locked.
type factor struct {
	Email           string
	Secret, Pending []byte // sealed; nil: none
	LastStep        int64
}

func lockFactor(ctx context.Context, tx pgx.Tx, by accounts.Actor) (factor, error) {
	return postgres.Find(ctx, tx, "find second factor", accounts.ErrSessionEnded,
		pgx.RowToStructByPos[factor], lockFactorSQL, by.User, by.Epoch)
}

// CheckSecondFactor completes a sign-in with the six digits of an authenticator
// app or with a recovery code; each is accepted once. by is the user whom SignIn
// returned. Errors: ErrBadCode, Throttled, ErrNoSecondFactor, ErrSessionEnded.
func (p *People) CheckSecondFactor(ctx context.Context, by accounts.Actor, code string) (u User, err error) {
	err = p.tryCode(ctx, by, forCode, ActionSignInCode, func(tx pgx.Tx, f factor) error {
		how, err := p.useCode(ctx, tx, by, f, code)
		if err != nil {
			return err
		}
		entry := accounts.Entry{Action: ActionSignIn, Detail: map[string]any{"second_factor": how}}
		if err := p.recordForUser(ctx, tx, by, by.User, entry); err != nil {
			return err
		}
		u, err = p.user(ctx, tx, by.User)
		return err
	})
	return u, err
}

// tryCode uses a code, throttled as passwords are, and records a failure. Errors:
// Throttled, ErrSessionEnded, and those of use.
func (p *People) tryCode(ctx context.Context, by accounts.Actor, secret string, what accounts.Action,
	use func(pgx.Tx, factor) error,
) error {
	whose, err := p.login(ctx, by.Name)
	if err != nil {
		return err
	}
	reservation, err := p.accounts.Reserve(ctx, p.attemptLimits(whose, secret, by))
	if err != nil {
		return p.recordThrottled(ctx, by, whose, what, err)
	}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		f, err := lockFactor(ctx, tx, by)
		if err != nil {
			return err
		}
		if err := use(tx, f); err != nil {
			return err
		}
		return p.accounts.CancelReservation(ctx, tx, reservation)
	})
	if errors.Is(err, ErrBadCode) {
		entry := accounts.Entry{Action: what, Outcome: accounts.Failed}
		if failed := p.recordAttempt(ctx, by, whose, entry); failed != nil {
			return errors.Join(err, failed)
		}
	}
	return err
}

// useCode checks a code, marks it as used and returns its kind.
func (p *People) useCode(ctx context.Context, tx pgx.Tx, by accounts.Actor,
	f factor, code string,
) (string, error) {
	if f.Secret == nil {
		return "", ErrNoSecondFactor
	}
	code = normalizeCode(code)
	last := f.LastStep
	how := "recovery code"
	if len(code) == totpDigits {
		secret, err := p.key.Open(f.Secret, by.User[:])
		if err != nil {
			return "", fmt.Errorf("check code: %w", err)
		}
		step, ok := matchTOTP([]byte(secret), code, p.wall(), f.LastStep)
		if !ok {
			return "", ErrBadCode
		}
		last, how = step, "authenticator"
	} else {
		sum := recoveryHash(by.User, code)
		tag, err := tx.Exec(ctx, useRecoveryCodeSQL, by.User, sum[:], p.moment())
		if err != nil {
			return "", fmt.Errorf("use recovery code: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return "", ErrBadCode
		}
	}
	if err := postgres.One(tx.Exec(ctx, useStepSQL, by.User, last, web.Networks(by.Address)[0])); err != nil {
		return "", fmt.Errorf("use code: %w", err)
	}
	return how, nil
}

// normalizeCode removes the blanks and dashes that users type in codes.
func normalizeCode(s string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "\t", "").Replace(s))
}

// recoveryHash is salted with the user: equal codes of two users have different
// hashes.
func recoveryHash(user accounts.UserID, tidy string) accounts.Hash {
	return accounts.HashOf(user.String() + "\x00" + tidy)
}

// BeginSecondFactor creates a secret for an authenticator app, and returns the URI that a QR code
// shows. It is not in force before ConfirmSecondFactor, and replaces an unconfirmed one. The caller
// has checked that the sign-in is fresh. Errors: ErrSessionEnded, ErrNoSecretKey.
func (p *People) BeginSecondFactor(ctx context.Context, by accounts.Actor) (uri string, err error) {
	raw := make([]byte, totpBytes)
	rand.Read(raw)
	sealed, err := p.key.Seal(string(raw), by.User[:])
	if err != nil {
		return "", fmt.Errorf("begin second factor: %w", err)
	}
	var email string
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		f, err := lockFactor(ctx, tx, by)
		if err != nil {
			return err
		}
		email = f.Email
		return postgres.One(tx.Exec(ctx, setPendingSQL, by.User, sealed))
	})
	if err != nil {
		return "", fmt.Errorf("begin second factor: %w", err)
	}
	return totpURI(totpBase32.EncodeToString(raw), email), nil
}

// ConfirmSecondFactor enables the secret of BeginSecondFactor, given a code that proves that
// the app has it, and returns ten recovery codes, which cannot be read again.
// Errors: ErrBadCode, Throttled, ErrNoSecondFactor where nothing was begun,
// ErrSessionEnded.
func (p *People) ConfirmSecondFactor(ctx context.Context, by accounts.Actor, code string) ([]string, error) {
	codes, hashes := newRecoveryCodes(by.User)
	err := p.tryCode(ctx, by, forEnrolment, ActionEnableSecondFactor, func(tx pgx.Tx, f factor) error {
		if f.Pending == nil {
			return ErrNoSecondFactor
		}
		secret, err := p.key.Open(f.Pending, by.User[:])
		if err != nil {
			return err
		}
		step, ok := matchTOTP([]byte(secret), normalizeCode(code), p.wall(), 0)
		if !ok {
			return ErrBadCode
		}
		if err := postgres.One(tx.Exec(ctx, setFactorSQL, by.User, step)); err != nil {
			return err
		}
		if err := replaceRecoveryCodes(ctx, tx, by.User, hashes); err != nil {
			return err
		}
		return p.recordForUser(ctx, tx, by, by.User, accounts.Entry{Action: ActionEnableSecondFactor})
	})
	if err != nil {
		return nil, fmt.Errorf("confirm second factor: %w", err)
	}
	return codes, nil
}

// NewRecoveryCodes replaces the recovery codes. The caller has checked that the
// sign-in is fresh. Errors: ErrNoSecondFactor, ErrSessionEnded.
func (p *People) NewRecoveryCodes(ctx context.Context, by accounts.Actor) ([]string, error) {
	codes, hashes := newRecoveryCodes(by.User)
	err := p.changeFactor(ctx, by, ActionNewRecoveryCodes, func(tx pgx.Tx, f factor) error {
		if f.Secret == nil {
			return ErrNoSecondFactor
		}
		return replaceRecoveryCodes(ctx, tx, by.User, hashes)
	})
	if err != nil {
		return nil, fmt.Errorf("make recovery codes: %w", err)
	}
	return codes, nil
}

// DisableSecondFactor makes sign-in ask for the password alone. The caller has
// checked that the sign-in is fresh. Errors: ErrNoSecondFactor,
// ErrSessionEnded.
func (p *People) DisableSecondFactor(ctx context.Context, by accounts.Actor) error {
	err := p.changeFactor(ctx, by, ActionDisableSecondFactor, func(tx pgx.Tx, f factor) error {
		if f.Secret == nil {
			return ErrNoSecondFactor
		}
		return clearFactor(ctx, tx, by.User)
	})
	if err != nil {
		return fmt.Errorf("disable second factor: %w", err)
	}
	return nil
}

func (p *People) changeFactor(ctx context.Context, by accounts.Actor, what accounts.Action,
	change func(pgx.Tx, factor) error,
) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		f, err := lockFactor(ctx, tx, by)
		if err != nil {
			return err
		}
		if err := change(tx, f); err != nil {
			return err
		}
		return p.recordForUser(ctx, tx, by, by.User, accounts.Entry{Action: what})
	})
}

func clearFactor(ctx context.Context, tx pgx.Tx, user accounts.UserID) error {
	if err := postgres.One(tx.Exec(ctx, clearFactorSQL, user)); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, clearRecoveryCodesSQL, user)
	return err
}

func replaceRecoveryCodes(ctx context.Context, tx pgx.Tx, user accounts.UserID, hashes [][]byte) error {
	if _, err := tx.Exec(ctx, clearRecoveryCodesSQL, user); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, addRecoveryCodesSQL, user, hashes)
	return err
}

// newRecoveryCodes are random codes, each in four groups of four to copy by hand.
func newRecoveryCodes(user accounts.UserID) (codes []string, hashes [][]byte) {
	for range recoveryCodes {
		raw := make([]byte, recoveryCodeBytes)
		rand.Read(raw)
		code := totpBase32.EncodeToString(raw)
		sum := recoveryHash(user, code)
		codes = append(codes, code[:4]+"-"+code[4:8]+"-"+code[8:12]+"-"+code[12:])
		hashes = append(hashes, sum[:])
	}
	return codes, hashes
}

package people

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/plaintext"
	"daftar/internal/postgres"
	"daftar/internal/web"
)

// ErrBadCredentials is the answer to a wrong password and to an unknown address.
var ErrBadCredentials = errors.New("the email address or the password is wrong")

// Next is the step after the password.
type Next int

// The next steps.
const (
	NextNothing      Next = iota // the user is signed in
	NextSecondFactor             // CheckSecondFactor or CheckPasskey must succeed first
)

// SignIn checks an email address and a password, and returns the user and the next
// step. The caller begins the session, which stores User.ID and User.Epoch. An
// unknown address costs the same work and gets the same answer as a wrong password.
// by is not signed in yet: only its address, device and request are used. Errors:
// ErrBadCredentials, Throttled, ErrBusy.
func (p *People) SignIn(ctx context.Context, by accounts.Actor, email, password string) (User, Next, error) {
	by = accounts.Actor{Name: "unknown", Address: by.Address, Device: by.Device, RequestID: by.RequestID}
	release, err := p.acquireSlot(by)
	if err != nil {
		return User{}, 0, err
	}
	defer release()
	known, err := p.login(ctx, email)
	if err != nil {
		return User{}, 0, err
	}
	reservation, rehashed, err := p.verifyPassword(ctx, by, known, ActionSignIn, password)
	if err != nil {
		return User{}, 0, err
	}
	return p.startSession(ctx, by, known, reservation, rehashed)
}

// login is what signing in looks up; its id is zero for an unknown address.
type login struct {
	id       accounts.UserID
	email    string
	key      string
	password string
	epoch    int64
	factor   bool // the password alone is not enough
	from     string
}

const loginSQL = `
SELECT uuid, email, password, session_epoch, totp_secret IS NOT NULL OR asks_passkey, signed_in_from
FROM users
WHERE email_key = $1`

func (p *People) login(ctx context.Context, email string) (login, error) {
	normal, err := NormalizeEmail(email)
	if err != nil {
		normal = email // no user has it
	}
	l := login{key: emailKey(normal)}
	if !plaintext.Storable(l.key) {
		return l, nil // PostgreSQL cannot compare with it
	}
	err = p.pool.QueryRow(ctx, loginSQL, l.key).Scan(&l.id, &l.email, &l.password, &l.epoch,
		&l.factor, &l.from)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return login{}, fmt.Errorf("find user: %w", err)
	}
	return l, nil
}

// verifyPassword checks the password for an action, throttled, and records a failure. Errors:
// ErrBadCredentials, Throttled.
func (p *People) verifyPassword(ctx context.Context, by accounts.Actor, l login,
	what accounts.Action, password string,
) (reservation accounts.Reservation, rehashed string, err error) {
	if reservation, err = p.accounts.Reserve(ctx, p.attemptLimits(l, forPassword, by)); err != nil {
		return nil, "", p.recordThrottled(ctx, by, l, what, err)
	}
	right, rehashed, err := p.checkPassword(ctx, l, password)
	if err == nil && !right {
		err = p.recordAttempt(ctx, by, l, accounts.Entry{Action: what, Outcome: accounts.Failed})
		if err == nil {
			err = ErrBadCredentials
		}
	}
	return reservation, rehashed, err
}

// checkPassword computes as many hashes for an unknown address as for a wrong password. Where the
// stored hash has another cost, or is of another form of the password, it also makes a new one.
func (p *People) checkPassword(ctx context.Context,
	l login, password string,
) (right bool, rehashed string, err error) {
	encoded := l.password
	if l.id == (accounts.UserID{}) {
		encoded = p.passwords.dummy
	}
	right, stale, err := p.passwords.verify(ctx, password, encoded)
	if err != nil {
		return false, "", err
	}
	right = right && l.id != (accounts.UserID{})
	if right && stale {
		rehashed, err = p.passwords.hash(ctx, password)
	}
	return right, rehashed, err
}

// The epoch is compared because the password may have changed since it was read.
const (
	startSessionSQL = `
UPDATE users
SET password = coalesce(nullif($3, ''), password),
    signed_in_from = CASE WHEN $4 THEN $5 ELSE signed_in_from END
WHERE uuid = $1
  AND session_epoch = $2`
	membershipsSQL = `
SELECT organization_uuid
FROM memberships
WHERE user_uuid = $1
ORDER BY organization_uuid`
)

func (p *People) startSession(ctx context.Context, by accounts.Actor, l login,
	reservation accounts.Reservation, rehashed string,
) (User, Next, error) {
	var u User
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, startSessionSQL, l.id, l.epoch, rehashed, !l.factor, web.Networks(by.Address)[0])
		if err != nil {
			return fmt.Errorf("sign in: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return ErrBadCredentials
		}
		if err := p.accounts.CancelReservation(ctx, tx, reservation); err != nil {
			return err
		}
		if u, err = p.user(ctx, tx, l.id); err != nil {
			return err
		}
		entry := accounts.Entry{Action: ActionSignIn}
		if l.factor {
			entry.Action = ActionSignInPassword
		}
		return p.recordForUser(ctx, tx, u.Actor(by.Address, by.RequestID), u.ID, entry)
	})
	switch {
	case err != nil:
		return User{}, 0, err
	case l.factor:
		return u, NextSecondFactor, nil
	}
	return u, NextNothing, nil
}

// SignedOut records that the user ended a session.
func (p *People) SignedOut(ctx context.Context, by accounts.Actor) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		return p.recordForUser(ctx, tx, by, by.User, accounts.Entry{Action: ActionSignOut})
	})
}

// recordForUser records an action on a user in the trail of each of the user's
// organisations. For an unknown address, whose id is zero, it does the same work.
func (p *People) recordForUser(ctx context.Context, tx pgx.Tx, by accounts.Actor,
	id accounts.UserID, e accounts.Entry,
) error {
	organizations, err := postgres.List(ctx, tx, "list memberships", pgx.RowTo[accounts.OrganizationID],
		membershipsSQL, id)
	if err != nil {
		return err
	}
	if len(organizations) == 0 {
		organizations = []accounts.OrganizationID{{}}
	}
	if id != (accounts.UserID{}) {
		e.Subject, e.SubjectID = "user", uuid.UUID(id)
	}
	if e.At.IsZero() {
		e.At = p.moment()
	}
	for _, org := range organizations {
		if err := accounts.Record(ctx, tx, by, org, e); err != nil {
			return err
		}
	}
	return nil
}

// recordAttempt records an attempt to sign in that failed. The address is recorded
// only where a user has it: it may be a password that was typed into the wrong field.
func (p *People) recordAttempt(ctx context.Context, by accounts.Actor, l login, e accounts.Entry) error {
	if l.id != (accounts.UserID{}) {
		e.Detail = map[string]any{"email": l.email}
	}
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error { return p.recordForUser(ctx, tx, by, l.id, e) })
}

// recordThrottled records a refusal for too many attempts, once for each delay, so
// that an attacker cannot fill the trail. It returns err.
func (p *People) recordThrottled(ctx context.Context, by accounts.Actor, l login,
	what accounts.Action, err error,
) error {
	refusal, ok := errors.AsType[accounts.Throttled](err)
	if !ok || refusal.Recorded {
		return err
	}
	entry := accounts.Entry{Action: what, Outcome: accounts.Denied}
	if failed := p.recordAttempt(ctx, by, l, entry); failed != nil {
		return errors.Join(err, failed)
	}
	return err
}

package accounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/plaintext"
	"daftar/internal/postgres"
	"daftar/internal/web"
)

// ErrBadCredentials is the one answer to a wrong password and to an address that
// nobody has.
var ErrBadCredentials = errors.New("the email address or the password is wrong")

// Next is what stands between the password and the session.
type Next int

// What is next.
const (
	NextNothing      Next = iota // the user is signed in
	NextSecondFactor             // CheckSecondFactor must succeed first
)

// SignIn says whose email address and password these are, and what is next. The
// session is the caller's to begin; it stores User.ID and User.Epoch. The same
// work is done, and the same answer given, for an address that nobody has.
// Errors: ErrBadCredentials, Throttled.
func (a *Accounts) SignIn(ctx context.Context, email, password, address, requestID string) (User, Next, error) {
	by := nobody(address, requestID)
	known, err := a.login(ctx, email)
	if err != nil {
		return User{}, 0, err
	}
	taken, err := a.takeTurn(ctx, known.guessed(address), ofNetwork(address))
	if err != nil {
		return User{}, 0, a.recordThrottled(ctx, by, known, ActionSignIn, err)
	}
	right, rehashed, err := a.checkPassword(ctx, known, password)
	if err != nil {
		return User{}, 0, err
	}
	if !right {
		if err := a.recordAttempt(ctx, by, known, Entry{Action: ActionSignIn, Outcome: Failed}); err != nil {
			return User{}, 0, err
		}
		return User{}, 0, ErrBadCredentials
	}
	return a.enter(ctx, known, taken, rehashed, address, requestID)
}

// login is what signing in looks up; its zero id is nobody.
type login struct {
	id       UserID
	email    string
	key      string
	password string
	epoch    int64
	totp     bool
	from     string
}

const loginSQL = `
SELECT uuid, email, password, session_epoch, totp_secret IS NOT NULL, signed_in_from FROM users WHERE email_key = $1`

func (a *Accounts) login(ctx context.Context, email string) (login, error) {
	normal, err := NormalizeEmail(email)
	if err != nil {
		normal = email // nobody's
	}
	l := login{key: emailKey(normal)}
	err = a.pool.QueryRow(ctx, loginSQL, storable(l.key)).Scan(&l.id, &l.email, &l.password, &l.epoch, &l.totp, &l.from)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return login{}, fmt.Errorf("find user: %w", err)
	}
	return l, nil
}

// storable is empty where PostgreSQL would refuse to look for s.
func storable(s string) string {
	if !plaintext.Storable(s) {
		return ""
	}
	return s
}

// guessed is what failures count against. Where the user last signed in from
// this very network, failures of strangers elsewhere do not count: nobody can
// lock somebody out by failing on purpose.
func (l login) guessed(address string) throttled {
	if network := web.NetworkOf(address); l.from != "" && network == l.from {
		return throttled{"known\x00" + l.key + "\x00" + network, freeForAccount}
	}
	return throttled{"account\x00" + l.key, freeForAccount}
}

// checkPassword does the work of one hash, whoever it is. Where the hash was made
// at another cost it also makes a new one.
func (a *Accounts) checkPassword(ctx context.Context, l login, password string) (right bool, rehashed string, err error) {
	encoded := l.password
	if l.id == (UserID{}) {
		encoded = a.passwords.dummy
	}
	right, stale, err := a.passwords.verify(ctx, password, encoded)
	if err != nil {
		return false, "", err
	}
	right = right && l.id != (UserID{})
	if right && stale {
		rehashed, err = a.passwords.hash(ctx, password)
	}
	return right, rehashed, err
}

// The epoch is compared: the password that was right a moment ago may have been
// changed since.
const (
	enterSQL = `
UPDATE users SET password = coalesce(nullif($3, ''), password), signed_in_from = CASE WHEN $4 THEN $5 ELSE signed_in_from END
WHERE uuid = $1 AND session_epoch = $2`
	membershipsSQL = `SELECT organization_uuid FROM memberships WHERE user_uuid = $1 ORDER BY organization_uuid`
)

func (a *Accounts) enter(ctx context.Context, l login, taken turn, rehashed, address, requestID string) (User, Next, error) {
	var u User
	err := pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, enterSQL, l.id, l.epoch, rehashed, !l.totp, web.NetworkOf(address))
		if err != nil {
			return fmt.Errorf("sign in: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return ErrBadCredentials
		}
		if err := a.forgive(ctx, tx, taken); err != nil {
			return err
		}
		if u, err = a.user(ctx, tx, l.id); err != nil {
			return err
		}
		entry := Entry{Action: ActionSignIn}
		if l.totp {
			entry.Action = ActionSignInPassword
		}
		return a.recordForUser(ctx, tx, u.Actor(address, requestID), u.ID, entry)
	})
	switch {
	case err != nil:
		return User{}, 0, err
	case l.totp:
		return u, NextSecondFactor, nil
	}
	return u, NextNothing, nil
}

// SignedOut records that the user ended a session.
func (a *Accounts) SignedOut(ctx context.Context, by Actor) error {
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		return a.recordForUser(ctx, tx, by, by.User, Entry{Action: ActionSignOut})
	})
}

// recordForUser records what concerns a user in the trail of each organisation
// of theirs, so that no organisation has to look into what is not its own.
func (a *Accounts) recordForUser(ctx context.Context, tx pgx.Tx, by Actor, id UserID, e Entry) error {
	organizations, err := postgres.List(ctx, tx, "list memberships", pgx.RowTo[OrganizationID], membershipsSQL, id)
	if err != nil {
		return err
	}
	if len(organizations) == 0 {
		organizations = []OrganizationID{{}}
	}
	e.Subject, e.SubjectID = "user", uuid.UUID(id)
	if e.At.IsZero() {
		e.At = a.moment()
	}
	for _, org := range organizations {
		if err := Record(ctx, tx, by, org, e); err != nil {
			return err
		}
	}
	return nil
}

// recordAttempt records an attempt to sign in that did not succeed. What was
// typed for an address is recorded only where somebody has it: people type their
// passwords there.
func (a *Accounts) recordAttempt(ctx context.Context, by Actor, l login, e Entry) error {
	if l.id == (UserID{}) {
		return a.recordAlone(ctx, by, OrganizationID{}, e)
	}
	e.Detail = map[string]any{"email": l.email}
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error { return a.recordForUser(ctx, tx, by, l.id, e) })
}

// recordThrottled records a refusal for too many attempts, once for each delay:
// whoever hammers on must not fill the trail. Other errors pass through.
func (a *Accounts) recordThrottled(ctx context.Context, by Actor, l login, what Action, err error) error {
	refusal, ok := errors.AsType[Throttled](err)
	if !ok || refusal.recorded {
		return err
	}
	if failed := a.recordAttempt(ctx, by, l, Entry{Action: what, Outcome: Denied}); failed != nil {
		return errors.Join(err, failed)
	}
	return err
}

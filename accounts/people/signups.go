package people

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/mail"
	"daftar/internal/postgres"
)

const (
	// SignUpLasts is how long the link of a sign-up works.
	SignUpLasts = 24 * time.Hour
	// signUpsADay bounds the mails to strangers and the organisations that a flood can make, however
	// many networks and mailboxes it has.
	signUpsADay = 200
	signUpPause = time.Hour
)

// SignUp is a link that went by mail, by which its reader opens an organisation for tests.
type SignUp struct {
	Email     string
	ExpiresAt time.Time
}

// ErrNoSignUp says that a link opens nothing.
var ErrNoSignUp error = accounts.NotFound("no such sign-up, or it was used, replaced or has expired")

const (
	countSignUpsSQL = `
SELECT count(*)
FROM sign_ups
WHERE requested_at > $1
  AND email_key <> $2`
	// An account whose address nobody has proved may be a stranger's: it does not keep the owner of
	// the mailbox from signing up.
	belongsSQL = `
SELECT EXISTS (SELECT FROM memberships m
                    JOIN users u ON u.uuid = m.user_uuid
               WHERE u.uuid = $1
                 AND (u.by_operator OR u.email_proved_at IS NOT NULL))`
	replaceSignUpSQL = `DELETE FROM sign_ups WHERE email_key = $1 RETURNING uuid`
	insertSignUpSQL  = `
INSERT INTO sign_ups (email_key, email, uuid, token_hash, requested_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (email_key) DO NOTHING`
)

// RequestSignUp mails a link by which the owner of the address opens an organisation that has test
// applications only. It replaces the previous link, and works once, for SignUpLasts. Where the
// address belongs to a member of an organisation, the mail says so and has no such link: the caller
// cannot learn it, because the result and the work are the same. Requests are throttled as resets
// are, and in all by day. Call it only where SendsMail. Errors: ErrInvalid, Throttled.
func (p *People) RequestSignUp(ctx context.Context, by accounts.Actor, email string, l locale.Lang) error {
	by, known, email, err := p.askForMail(ctx, by, email, forSignUp, ActionRequestSignUp)
	if err != nil {
		return err
	}
	now := p.moment()
	others, err := postgres.Find(ctx, p.pool, "count sign-ups", nil, pgx.RowTo[int], countSignUpsSQL,
		now.Add(-SignUpLasts), known.key)
	if err != nil {
		return err
	}
	if others >= signUpsADay {
		p.log.Warn().Int("links", others).Msg("no more sign-ups today")
		return accounts.Throttled{RetryAfter: signUpPause}
	}
	s := SignUp{Email: email, ExpiresAt: now.Add(SignUpLasts)}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if err := p.offerSignUp(ctx, tx, s, known, now, l); err != nil {
			return err
		}
		return p.recordForUser(ctx, tx, by, known.id, accounts.Entry{Action: ActionRequestSignUp, At: now})
	})
	if err != nil {
		return fmt.Errorf("request sign-up: %w", err)
	}
	return nil
}

// offerSignUp writes the row and the mail, the same statements whether the address has an account or
// not. A member's row has a token that nobody gets.
func (p *People) offerSignUp(ctx context.Context, tx pgx.Tx, s SignUp, known login, now time.Time,
	l locale.Lang,
) error {
	member, err := postgres.Find(ctx, tx, "find memberships", nil, pgx.RowTo[bool], belongsSQL, known.id)
	if err != nil {
		return err
	}
	ended, err := postgres.List(ctx, tx, "replace sign-up", pgx.RowTo[uuid.UUID], replaceSignUpSQL, known.key)
	if err != nil {
		return err
	}
	if err := mail.Withdraw(ctx, tx, ended...); err != nil {
		return err
	}
	id := uuid.New()
	token, sum := newLink()
	tag, err := tx.Exec(ctx, insertSignUpSQL, known.key, s.Email, id, sum[:], now, s.ExpiresAt)
	if err != nil {
		return fmt.Errorf("insert sign-up: %w", err)
	}
	if tag.RowsAffected() == 0 { // another request was faster: its mail is enough
		return nil
	}
	if member {
		token = ""
	}
	return mail.Add(ctx, tx, p.key, id, p.letters.SignUp(s, token, l), now)
}

const (
	findSignUpSQL = `
SELECT email, expires_at
FROM sign_ups
WHERE token_hash = $1
  AND expires_at > $2
  AND used_at IS NULL`
	useSignUpSQL = `
UPDATE sign_ups
SET used_at = $2
WHERE token_hash = $1
  AND expires_at > $2
  AND used_at IS NULL
RETURNING email, expires_at`
	signUpUserSQL = `
INSERT INTO users (uuid, email, email_key, password, password_changed_at, created_at, email_proved_at)
VALUES ($1, $2, $3, $4, $5::timestamptz, $5, $5)
ON CONFLICT (email_key) DO NOTHING`
)

// SignUp finds the sign-up of a link; the link is the permission to see it. The error is ErrNoSignUp
// where it never existed, was used or replaced, or has expired.
func (p *People) SignUp(ctx context.Context, token string) (SignUp, error) {
	sum := accounts.HashOf(token)
	return postgres.Find(ctx, p.pool, "find sign-up", ErrNoSignUp, pgx.RowToStructByPos[SignUp], findSignUpSQL,
		sum[:], p.moment())
}

// OpenOrganization uses a link up: it makes an account with the password, an organisation of which it
// is the owner, and a first test application, both with the name. The link came by mail, so it proves
// the address. An account that exists gets the password as with a reset, unless it is a member's by
// now: then the link opens nothing. Errors: ErrNoSignUp, ErrBusy, ErrInvalid, and
// those of CheckPassword.
func (p *People) OpenOrganization(ctx context.Context, by accounts.Actor, token, name, password string) (
	accounts.OrganizationID, error,
) {
	release, err := p.acquireSlot(by)
	if err != nil {
		return accounts.OrganizationID{}, err
	}
	defer release()
	open, err := p.SignUp(ctx, token)
	if err != nil {
		return accounts.OrganizationID{}, err
	}
	if err := accounts.CheckName(name); err != nil {
		return accounts.OrganizationID{}, err
	}
	encoded, err := p.newPassword(ctx, password, open.Email)
	if err != nil {
		return accounts.OrganizationID{}, err
	}
	org := accounts.Organization{
		ID: accounts.OrganizationID(uuid.New()), Name: name, CreatedAt: p.moment(), TestOnly: true,
	}
	var owner User
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		sum := accounts.HashOf(token)
		// The update locks the link: of many calls at a time one succeeds.
		s, err := postgres.Find(ctx, tx, "use sign-up", ErrNoSignUp, pgx.RowToStructByPos[SignUp], useSignUpSQL,
			sum[:], p.moment())
		if err != nil {
			return err
		}
		id, err := p.signUpUser(ctx, tx, s.Email, encoded)
		if err != nil {
			return err
		}
		entry, err := accounts.InsertOrganization(ctx, tx, org)
		if err != nil {
			return err
		}
		if err := p.addMember(ctx, tx, id, org.ID, accounts.RoleOwner); err != nil {
			return err
		}
		if owner, err = p.user(ctx, tx, id); err != nil {
			return err
		}
		entry.At = p.moment()
		return accounts.Record(ctx, tx, owner.Actor(by.Address, by.RequestID), org.ID, entry)
	})
	if err != nil {
		return accounts.OrganizationID{}, fmt.Errorf("open organisation: %w", err)
	}
	_, err = p.accounts.CreateApplication(ctx, owner.Actor(by.Address, by.RequestID), org.ID,
		accounts.Draft{Name: name, Mode: domain.ModeTest})
	if err != nil { // the organisation is open: its first steps begin with an application
		p.log.Warn().Err(err).Msg("first application not created")
	}
	return org.ID, nil
}

// signUpUser is the account of a proved address, with a new password.
func (p *People) signUpUser(ctx context.Context, tx pgx.Tx, email, encoded string) (accounts.UserID, error) {
	id := accounts.UserID(uuid.New())
	tag, err := tx.Exec(ctx, signUpUserSQL, id, email, emailKey(email), encoded, p.moment())
	if err != nil {
		return id, fmt.Errorf("insert user: %w", err)
	}
	if tag.RowsAffected() > 0 {
		return id, nil
	}
	if id, err = p.userByEmail(ctx, tx, email); err != nil {
		return id, err
	}
	if _, err := tx.Exec(ctx, lockUserSQL, id); err != nil {
		return id, fmt.Errorf("lock user: %w", err)
	}
	member, err := postgres.Find(ctx, tx, "find memberships", nil, pgx.RowTo[bool], belongsSQL, id)
	switch {
	case err != nil:
		return id, err
	case member:
		return id, ErrNoSignUp
	}
	return id, p.takeAccount(ctx, tx, id, encoded)
}

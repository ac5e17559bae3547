package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/postgres"
)

// User is a person with an account.
type User struct {
	ID    accounts.UserID
	Email string
	// Epoch is what a session stores and SessionUser compares.
	Epoch int64
	// SecondFactor says that the user has an authenticator app for the sign-in.
	SecondFactor bool
	// Passkeys is how many the user has.
	Passkeys int
	// AsksPasskey says that the password alone is not enough: a passkey is needed too, or a code
	// where there is an app.
	AsksPasskey bool
	// RecoveryCodes is how many are left.
	RecoveryCodes int
	CreatedAt     time.Time
	// Memberships are the user's organisations, by name.
	Memberships []Membership
}

// Membership is a user's role in an organisation.
type Membership struct {
	Organization accounts.OrganizationID
	Name         string // of the organisation
	Role         accounts.Role
	TestOnly     bool // the organisation has test applications only
}

// Role is the user's role in an organisation; empty without a membership.
func (u User) Role(org accounts.OrganizationID) accounts.Role {
	for _, m := range u.Memberships {
		if m.Organization == org {
			return m.Role
		}
	}
	return ""
}

// Actor is the user in a request.
func (u User) Actor(address, requestID string) accounts.Actor {
	return accounts.Actor{User: u.ID, Epoch: u.Epoch, Name: u.Email, Address: address, RequestID: requestID}
}

// ErrAlreadyMember says that the user is a member of the organisation already.
var ErrAlreadyMember = errors.New("already a member of the organisation")

// maxEmail is the length of an address in bytes, RFC 5321.
const maxEmail = 254

// NormalizeEmail is the form in which an address is stored: trimmed, its domain in
// lower case. The error is ErrInvalid.
func NormalizeEmail(s string) (string, error) {
	s = strings.TrimSpace(s)
	parsed, err := mail.ParseAddress(s)
	if err != nil || parsed.Address != s || len(s) > maxEmail || strings.ContainsAny(s, " \"<>") {
		return "", fmt.Errorf("%w: that is not an email address", accounts.ErrInvalid)
	}
	at := strings.LastIndexByte(s, '@')
	return s[:at] + strings.ToLower(s[at:]), nil
}

// emailKey is the same for addresses that differ by case alone.
func emailKey(email string) string { return strings.ToLower(email) }

const (
	createUserSQL = `
INSERT INTO users (uuid, email, email_key, password, password_changed_at, created_at, by_operator)
VALUES ($1, $2, $3, $4, $5, $5, true)
ON CONFLICT (email_key) DO NOTHING`
	addMemberSQL = `
INSERT INTO memberships (user_uuid, organization_uuid, role, created_at)
VALUES ($1, $2, $3, $4)`
	findByEmailSQL = `SELECT uuid FROM users WHERE email_key = $1`
)

// CreateUser creates an account with a password, and its membership of an organisation. Only
// operators may: owners invite. It does not add an account that exists, because an attacker may
// have created it in advance: Invite it. Errors: ErrInvalid, ErrNoOrganization, ErrEmailTaken,
// and those of CheckPassword.
func (p *People) CreateUser(ctx context.Context, by accounts.Actor, org accounts.OrganizationID, email string,
	role accounts.Role, password string,
) (User, error) {
	if _, err := accounts.ParseRole(string(role)); err != nil {
		return User{}, err
	}
	email, err := NormalizeEmail(email)
	if err != nil {
		return User{}, err
	}
	if _, err := p.FindUser(ctx, by, email); !errors.Is(err, ErrNoUser) {
		return User{}, cmp.Or(err, ErrEmailTaken)
	}
	encoded, err := p.newPassword(ctx, password, email)
	if err != nil {
		return User{}, err
	}
	id := accounts.UserID(uuid.New())
	err = p.accounts.DoAsOperator(ctx, by, org, func(tx pgx.Tx) (accounts.Entry, error) {
		if err := p.insertUser(ctx, tx, id, email, encoded); err != nil {
			return accounts.Entry{}, err
		}
		return accounts.Entry{
			Action: ActionCreateUser, Subject: "user", SubjectID: uuid.UUID(id),
			Detail: map[string]any{"email": email, "role": string(role)},
		}, p.addMember(ctx, tx, id, org, role)
	})
	if err != nil {
		return User{}, fmt.Errorf("create user: %w", err)
	}
	return p.user(ctx, p.pool, id)
}

// FindUser finds the account of an address, with its organisations. Only operators may.
// Errors: ErrNoUser, ErrInvalid, ErrForbidden.
func (p *People) FindUser(ctx context.Context, by accounts.Actor, email string) (User, error) {
	if err := p.accounts.OperatorOnly(ctx, by); err != nil {
		return User{}, err
	}
	email, err := NormalizeEmail(email)
	if err != nil {
		return User{}, err
	}
	id, err := p.userByEmail(ctx, p.pool, email)
	if err != nil {
		return User{}, err
	}
	return p.user(ctx, p.pool, id)
}

// insertUser fails with ErrEmailTaken where the address has an account.
func (p *People) insertUser(ctx context.Context, tx pgx.Tx, id accounts.UserID, email, encoded string) error {
	tag, err := tx.Exec(ctx, createUserSQL, id, email, emailKey(email), encoded, p.moment())
	if err != nil {
		return fmt.Errorf("insert user: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrEmailTaken
	}
	return nil
}

func (p *People) addMember(ctx context.Context, tx pgx.Tx, id accounts.UserID, org accounts.OrganizationID,
	role accounts.Role,
) error {
	_, err := tx.Exec(ctx, addMemberSQL, id, org, role, p.moment())
	switch postgres.ConstraintName(err) {
	case "memberships_organization_uuid_fkey":
		return accounts.ErrNoOrganization
	case "memberships_pkey":
		return ErrAlreadyMember
	}
	if err != nil {
		return fmt.Errorf("add member: %w", err)
	}
	return nil
}

// ErrEmailTaken says that an account with the address exists already.
var ErrEmailTaken = errors.New("there is an account with that email address already")

func (p *People) userByEmail(ctx context.Context, q postgres.Querier, email string) (accounts.UserID, error) {
	return postgres.Find(ctx, q, "find user", ErrNoUser, pgx.RowTo[accounts.UserID], findByEmailSQL,
		emailKey(email))
}

// It is one statement, so that all it reads is of one moment.
const userSQL = `
SELECT u.email, u.session_epoch, u.totp_secret IS NOT NULL, u.asks_passkey, u.created_at,
       (SELECT count(*) FROM passkeys p WHERE p.user_uuid = u.uuid),
       (SELECT count(*)
        FROM recovery_codes c
        WHERE c.user_uuid = u.uuid
          AND c.used_at IS NULL),
       array_remove(array_agg(o.uuid ORDER BY o.name, o.uuid), NULL),
       array_remove(array_agg(o.name ORDER BY o.name, o.uuid), NULL),
       array_remove(array_agg(m.role ORDER BY o.name, o.uuid), NULL),
       array_remove(array_agg(o.test_only ORDER BY o.name, o.uuid), NULL)
FROM users u
     LEFT JOIN memberships m ON m.user_uuid = u.uuid
     LEFT JOIN organizations o ON o.uuid = m.organization_uuid
WHERE u.uuid = $1
GROUP BY u.uuid`

func (p *People) user(ctx context.Context, q postgres.Querier, id accounts.UserID) (User, error) {
	return postgres.Find(ctx, q, "find user", ErrNoUser, func(row pgx.CollectableRow) (User, error) {
		u := User{ID: id}
		var (
			organizations []accounts.OrganizationID
			names         []string
			roles         []accounts.Role
			testOnly      []bool
		)
		err := row.Scan(&u.Email, &u.Epoch, &u.SecondFactor, &u.AsksPasskey, &u.CreatedAt, &u.Passkeys,
			&u.RecoveryCodes, &organizations, &names, &roles, &testOnly)
		for n := range organizations {
			u.Memberships = append(u.Memberships, Membership{organizations[n], names[n], roles[n], testOnly[n]})
		}
		return u, err
	}, userSQL, id)
}

// SessionUser is the user of a session that began under the epoch, with the current
// organisations and roles. The error is ErrSessionEnded where the session has ended.
func (p *People) SessionUser(ctx context.Context, id accounts.UserID, epoch int64) (User, error) {
	u, err := p.user(ctx, p.pool, id)
	switch {
	case errors.Is(err, ErrNoUser), err == nil && u.Epoch != epoch:
		return User{}, accounts.ErrSessionEnded
	case err != nil:
		return User{}, err
	}
	return u, nil
}

package accounts

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// User is a person who can sign in.
type User struct {
	ID    UserID
	Email string
	// Epoch is what a session stores and SessionUser compares.
	Epoch int64
	// SecondFactor says that a code is asked for at sign-in.
	SecondFactor bool
	// RecoveryCodes is how many are left.
	RecoveryCodes int
	CreatedAt     time.Time
	// Memberships are the user's organisations, by name.
	Memberships []Membership
}

// Membership is a user's role in an organisation.
type Membership struct {
	Organization OrganizationID
	Name         string // of the organisation
	Role         Role
}

// Role is the user's role in an organisation; empty without a membership.
func (u User) Role(org OrganizationID) Role {
	for _, m := range u.Memberships {
		if m.Organization == org {
			return m.Role
		}
	}
	return ""
}

// ErrAlreadyMember says that the user is a member of the organisation already.
var ErrAlreadyMember = errors.New("already a member of the organisation")

// maxEmail is the length of an address in bytes, RFC 5321.
const maxEmail = 254

// NormalizeEmail is the form in which an address is kept: trimmed, its domain in
// lower case. The error is ErrInvalid.
func NormalizeEmail(s string) (string, error) {
	s = strings.TrimSpace(s)
	parsed, err := mail.ParseAddress(s)
	if err != nil || parsed.Address != s || len(s) > maxEmail || strings.ContainsAny(s, " \"<>") {
		return "", fmt.Errorf("%w: that is not an email address", ErrInvalid)
	}
	at := strings.LastIndexByte(s, '@')
	return s[:at] + strings.ToLower(s[at:]), nil
}

// emailKey is the same for addresses that differ by case alone.
func emailKey(email string) string { return strings.ToLower(email) }

const (
	createUserSQL = `
INSERT INTO users (uuid, email, email_key, password, password_changed_at, created_at) VALUES ($1, $2, $3, $4, $5, $5)
ON CONFLICT (email_key) DO NOTHING`
	addMemberSQL = `
INSERT INTO memberships (user_uuid, organization_uuid, role, created_at) VALUES ($1, $2, $3, $4)`
	findByEmailSQL = `SELECT uuid FROM users WHERE email_key = $1`
)

// CreateUser makes a user who is a member of an organisation. A user who exists
// becomes a member and keeps the password; existed says so, and password may then be
// empty. Only operators may: owners invite. Errors: ErrInvalid,
// ErrNoOrganization, ErrAlreadyMember, and those of CheckPassword.
func (a *Accounts) CreateUser(ctx context.Context, by Actor, org OrganizationID, email string, role Role, password string) (u User, existed bool, err error) {
	if !role.Valid() {
		return User{}, false, fmt.Errorf("%w: %q is none of owner, developer, viewer", ErrInvalid, role)
	}
	if email, err = NormalizeEmail(email); err != nil {
		return User{}, false, err
	}
	id, err := a.userByEmail(ctx, a.pool, email)
	if err != nil && !errors.Is(err, ErrNoUser) {
		return User{}, false, err
	}
	existed = err == nil
	encoded := ""
	if !existed {
		if encoded, err = a.newPassword(ctx, password, email); err != nil {
			return User{}, false, err
		}
		id = UserID(uuid.New())
	}
	err = a.doAsOperator(ctx, by, org, func(tx pgx.Tx) (Entry, error) {
		entry := Entry{
			Action: ActionAddMember, Subject: "user", SubjectID: uuid.UUID(id),
			Detail: map[string]any{"email": email, "role": string(role)},
		}
		if !existed {
			entry.Action = ActionCreateUser
			if err := a.insertUser(ctx, tx, id, email, encoded); err != nil {
				return entry, err
			}
		}
		return entry, a.addMember(ctx, tx, id, org, role)
	})
	if err != nil {
		return User{}, false, fmt.Errorf("create user: %w", err)
	}
	u, err = a.user(ctx, a.pool, id)
	return u, existed, err
}

// insertUser fails with ErrEmailTaken where the address has an account by now.
func (a *Accounts) insertUser(ctx context.Context, tx pgx.Tx, id UserID, email, encoded string) error {
	tag, err := tx.Exec(ctx, createUserSQL, id, email, emailKey(email), encoded, a.moment())
	if err != nil {
		return fmt.Errorf("insert user: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrEmailTaken
	}
	return nil
}

func (a *Accounts) addMember(ctx context.Context, tx pgx.Tx, id UserID, org OrganizationID, role Role) error {
	_, err := tx.Exec(ctx, addMemberSQL, id, org, role, a.moment())
	switch postgres.ConstraintName(err) {
	case "memberships_organization_uuid_fkey":
		return ErrNoOrganization
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

func (a *Accounts) userByEmail(ctx context.Context, q postgres.Querier, email string) (UserID, error) {
	return postgres.Find(ctx, q, "find user", ErrNoUser, pgx.RowTo[UserID], findByEmailSQL, emailKey(email))
}

// One statement, so that what it says of the user is of one moment.
const userSQL = `
SELECT u.email, u.session_epoch, u.totp_secret IS NOT NULL, u.created_at,
       (SELECT count(*) FROM recovery_codes c WHERE c.user_uuid = u.uuid AND c.used_at IS NULL),
       array_remove(array_agg(o.uuid ORDER BY o.name, o.uuid), NULL),
       array_remove(array_agg(o.name ORDER BY o.name, o.uuid), NULL),
       array_remove(array_agg(m.role ORDER BY o.name, o.uuid), NULL)
FROM users u LEFT JOIN memberships m ON m.user_uuid = u.uuid LEFT JOIN organizations o ON o.uuid = m.organization_uuid
WHERE u.uuid = $1 GROUP BY u.uuid`

func (a *Accounts) user(ctx context.Context, q postgres.Querier, id UserID) (User, error) {
	return postgres.Find(ctx, q, "find user", ErrNoUser, func(row pgx.CollectableRow) (User, error) {
		u := User{ID: id}
		var (
			organizations []OrganizationID
			names         []string
			roles         []Role
		)
		err := row.Scan(&u.Email, &u.Epoch, &u.SecondFactor, &u.CreatedAt, &u.RecoveryCodes, &organizations, &names, &roles)
		for n := range organizations {
			u.Memberships = append(u.Memberships, Membership{organizations[n], names[n], roles[n]})
		}
		return u, err
	}, userSQL, id)
}

// SessionUser is the user of a session that began under the epoch, with the current
// organisations and roles. The error is ErrSessionEnded where the session has ended.
func (a *Accounts) SessionUser(ctx context.Context, id UserID, epoch int64) (User, error) {
	u, err := a.user(ctx, a.pool, id)
	switch {
	case errors.Is(err, ErrNoUser), err == nil && u.Epoch != epoch:
		return User{}, ErrSessionEnded
	case err != nil:
		return User{}, err
	}
	return u, nil
}

package people

import (
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/internal/locale"
	"daftar/internal/mail"
	"daftar/internal/sealing"
)

// Errors about the arguments of a request.
var (
	ErrNoUser       error = accounts.NotFound("no such user")
	ErrNoInvitation error = accounts.NotFound("no such invitation, or it was used, revoked or has expired")
	ErrNoReset      error = accounts.NotFound("no such password reset, or it was used, replaced or has expired")
)

// InvitationID identifies an invitation. It is no secret and accepts nothing.
type InvitationID uuid.UUID

func (id InvitationID) String() string { return uuid.UUID(id).String() }

// ParseInvitationID reads a uuid from a form.
func ParseInvitationID(s string) (InvitationID, error) {
	return accounts.ParseID[InvitationID]("an invitation", s)
}

// Letters writes the mails of accounts.
type Letters interface {
	// Invitation has the link of an invitation.
	Invitation(i Invitation, token string) mail.Message
	// PasswordReset has the link of a reset, in the language of the page that requested it.
	PasswordReset(r PasswordReset, token string, l locale.Lang) mail.Message
	// SignUp has the link of a sign-up; without a token it says that the address has an account.
	SignUp(s SignUp, token string, l locale.Lang) mail.Message
	// PasswordChanged says that the password of an account was changed.
	PasswordChanged(email string, at time.Time) mail.Message
}

// Options of People.
type Options struct {
	// SecretKey seals the secrets of authenticator apps, devices and tickets.
	SecretKey sealing.Key
	// Now is the ledger's clock; nil is the machine's.
	Now func() time.Time
	// WallClock is the true time, which authenticator apps use; nil is Now.
	WallClock func() time.Time
	Log       zerolog.Logger
	// Letters writes the mails, which are queued under SecretKey; nil: mail is off, the
	// link of an invitation is shown to the inviter, and passwords cannot be reset.
	Letters Letters
	// PublicURL is the address of the dashboard. Passkeys belong to its host; where it is
	// neither https with a name nor localhost, there are none.
	PublicURL string
	// CheapPasswords is for tests: the cost of hashing protects nothing.
	CheapPasswords bool
}

// People is safe for concurrent use.
type People struct {
	accounts *accounts.Accounts
	pool     *pgxpool.Pool
	key      sealing.Key
	now      func() time.Time
	wall     func() time.Time
	log      zerolog.Logger

	letters Letters
	party   *webauthn.WebAuthn // nil: no passkeys

	passwords hasher
	slots     slots
}

// New keeps people in the pool's database; a decides what they may do.
func New(pool *pgxpool.Pool, a *accounts.Accounts, o Options) *People {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.WallClock == nil {
		o.WallClock = o.Now
	}
	return &People{
		accounts: a, pool: pool, key: o.SecretKey, now: o.Now, wall: o.WallClock, log: o.Log,
		letters: o.Letters, party: relyingParty(o.PublicURL),
		passwords: newHasher(o.passwordCost()), slots: slots{of: make(map[string]int)},
	}
}

// moment is the current time, to the microsecond, as the database stores it.
func (p *People) moment() time.Time { return p.now().UTC().Truncate(time.Microsecond) }

// Sealed are the secrets of users, each sealed for its user.
var Sealed = []sealing.Column{
	{
		What: "second factor of user",
		Read: `
SELECT uuid::text, uuid_send(uuid), totp_secret
FROM users
WHERE totp_secret IS NOT NULL
ORDER BY uuid`,
		Write: `UPDATE users SET totp_secret = $2 WHERE uuid = $1`,
	},
	{
		What: "unconfirmed second factor of user",
		Read: `
SELECT uuid::text, uuid_send(uuid), totp_pending
FROM users
WHERE totp_pending IS NOT NULL
ORDER BY uuid`,
		Write: `UPDATE users SET totp_pending = $2 WHERE uuid = $1`,
	},
}

package accounts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/web"
)

// Errors about the arguments of a request.
var (
	ErrNoOrganization error = NotFound("no such organisation")
	ErrNoApplication  error = NotFound("no such application")
	ErrNoToken        error = NotFound("no such access token")
	// ErrInvalid says which argument is invalid, in a sentence for the user.
	ErrInvalid = errors.New("invalid")
	// ErrRolled says that the key or secret to be rolled was replaced meanwhile.
	ErrRolled = errors.New("it was rolled already")
	// ErrCreated says that the same form was sent before and created it then.
	ErrCreated = errors.New("it was created already")
	// ErrTooManyApplications says that an organisation has as many as it may have.
	ErrTooManyApplications = errors.New("the organisation has as many applications " +
		"as it may have (DAFTAR_MAX_APPLICATIONS)")
	// ErrTestOnly says that an organisation may not have a live application.
	ErrTestOnly = errors.New("the organisation has test applications only, until the operator makes it live " +
		"(daftar org make-live)")
)

// Options of Accounts.
type Options struct {
	// SecretKey is needed only where webhook secrets are made or used.
	SecretKey SecretKey
	// Now is the ledger's clock; nil is the machine's.
	Now func() time.Time
	Log zerolog.Logger
	// EpochLimit bounds one query for the credential epoch; 0: 5 s.
	EpochLimit time.Duration
	// MaxApplications is how many an organisation may have; 0: any number.
	MaxApplications int
}

// Accounts is safe for concurrent use.
type Accounts struct {
	pool *pgxpool.Pool
	key  SecretKey
	now  func() time.Time
	log  zerolog.Logger

	cache    credentialCache
	failures web.NetworkLimits // of requests with a token that is not in force
	epochs   *epochs
	uses     useLog

	maxApplications int
}

// New keeps accounts in the pool's database.
func New(pool *pgxpool.Pool, o Options) *Accounts {
	return &Accounts{
		pool: pool, key: o.SecretKey, now: postgres.Clock(o.Now), log: o.Log, maxApplications: o.MaxApplications,
		cache: credentialCache{
			entries: make(map[pair]cachedCredential),
			keys:    make(map[Hash]domain.ApplicationID),
			tokens:  make(map[Hash]struct{}),
		},
		epochs:   newEpochs(pool, cmp.Or(o.EpochLimit, epochLimit)),
		failures: web.NewNetworkLimits(failuresPerSecond, failuresAtOnce, o.Now),
		uses:     useLog{tokens: make(map[TokenID]use), keys: make(map[Hash]use)},
	}
}

// Organization owns applications.
type Organization struct {
	ID        OrganizationID `json:"uuid"       label:"organisation"`
	Name      string         `json:"name"       label:"name"`
	CreatedAt time.Time      `json:"created_at" label:"created"`
	// TestOnly says that its owner opened it, and that it cannot have live applications yet.
	TestOnly bool `json:"test_only"  label:"tests only"`
}

// Application creates intents. Its key and secret are not part of it.
type Application struct {
	ID           domain.ApplicationID
	Organization OrganizationID
	Name         string
	Mode         domain.Mode // never changes
	Active       bool
	WebhookURL   *string
	CreatedAt    time.Time
	// CheckoutsStoppedAt is when its checkouts were stopped, by the database's clock: since
	// then no attempt to pay one of its intents begins. Nil: attempts may begin.
	CheckoutsStoppedAt *time.Time
}

// ApplicationColumns are those of the table applications.
var ApplicationColumns = postgres.Columns[Application]{
	postgres.Of("uuid", func(a *Application) any { return &a.ID }),
	postgres.Of("organization_uuid", func(a *Application) any { return &a.Organization }),
	postgres.Of("name", func(a *Application) any { return &a.Name }),
	postgres.Of("mode", func(a *Application) any { return &a.Mode }),
	postgres.Of("active", func(a *Application) any { return &a.Active }),
	postgres.Of("webhook_url", func(a *Application) any { return &a.WebhookURL }),
	postgres.Of("created_at", func(a *Application) any { return &a.CreatedAt }),
	postgres.Of("checkouts_stopped_at", func(a *Application) any { return &a.CheckoutsStoppedAt }),
}

// Token is an access token without its value.
type Token struct {
	ID           TokenID
	Organization OrganizationID
	Name         string
	Ending       string // the last characters of its value
	Scopes       []Scope
	Networks     web.NetworkSet // empty: any address
	ExpiresAt    *time.Time
	RevokedAt    *time.Time
	LastUsedAt   *time.Time // to about a quarter of a minute
	LastUsedFrom string     // the client's address
	CreatedAt    time.Time
}

var organizationColumns = postgres.Columns[Organization]{
	postgres.Of("uuid", func(o *Organization) any { return &o.ID }),
	postgres.Of("name", func(o *Organization) any { return &o.Name }),
	postgres.Of("created_at", func(o *Organization) any { return &o.CreatedAt }),
	postgres.Of("test_only", func(o *Organization) any { return &o.TestOnly }),
}

var createOrganizationSQL = organizationColumns.Insert("organizations")

// CreateOrganization creates an organisation. Only operators may.
func (a *Accounts) CreateOrganization(ctx context.Context, by Actor, name string) (Organization, error) {
	if err := CheckName(name); err != nil {
		return Organization{}, err
	}
	o := Organization{ID: OrganizationID(uuid.New()), Name: name, CreatedAt: a.now()}
	err := a.DoAsOperator(ctx, by, o.ID, func(tx pgx.Tx) (Entry, error) {
		return InsertOrganization(ctx, tx, o)
	})
	if err != nil {
		return Organization{}, fmt.Errorf("create organisation: %w", err)
	}
	return o, nil
}

// InsertOrganization inserts an organisation, in a transaction that decides that it may exist. The
// entry is what the caller records.
func InsertOrganization(ctx context.Context, tx pgx.Tx, o Organization) (Entry, error) {
	if _, err := tx.Exec(ctx, createOrganizationSQL, organizationColumns.Fields(&o)...); err != nil {
		return Entry{}, fmt.Errorf("insert organisation: %w", err)
	}
	return Entry{
		Action: ActionCreateOrganization, Subject: "organization", SubjectID: uuid.UUID(o.ID),
		Detail: map[string]any{"name": o.Name},
	}, nil
}

var makeLiveSQL = `
UPDATE organizations
SET test_only = false
WHERE uuid = $1
RETURNING ` + organizationColumns.List("")

// MakeLive lets an organisation that its owner opened have live applications. Only operators may.
// Errors: ErrNoOrganization, and those of DoAsOperator.
func (a *Accounts) MakeLive(ctx context.Context, by Actor, id OrganizationID) (o Organization, err error) {
	err = a.DoAsOperator(ctx, by, id, func(tx pgx.Tx) (Entry, error) {
		o, err = postgres.Find(ctx, tx, "make organisation live", ErrNoOrganization, organizationColumns.Scan,
			makeLiveSQL, id)
		return Entry{Action: ActionMakeLive, Subject: "organization", SubjectID: uuid.UUID(id)}, err
	})
	if err != nil {
		return Organization{}, fmt.Errorf("make organisation live: %w", err)
	}
	return o, nil
}

var listOrganizationsSQL = `
SELECT ` + organizationColumns.List("o.") + `,
       (SELECT count(*) FROM applications WHERE organization_uuid = o.uuid AND mode = 'live'),
       (SELECT count(*) FROM applications WHERE organization_uuid = o.uuid AND mode = 'test')
FROM organizations o
ORDER BY o.created_at, o.uuid`

// ListedOrganization is an organisation with the number of its applications of each mode.
type ListedOrganization struct {
	Organization

	Live int `json:"live_applications" label:"live applications"`
	Test int `json:"test_applications" label:"test applications"`
}

// Organizations lists all organisations, the oldest first. It is for operators.
func (a *Accounts) Organizations(ctx context.Context) ([]ListedOrganization, error) {
	scan := func(row pgx.CollectableRow) (o ListedOrganization, err error) {
		err = row.Scan(organizationColumns.Fields(&o.Organization, &o.Live, &o.Test)...)
		return o, err
	}
	return postgres.List(ctx, a.pool, "list organisations", scan, listOrganizationsSQL)
}

var findOrganizationSQL = `
SELECT ` + organizationColumns.List("") + `
FROM organizations
WHERE uuid = $1`

// Organization finds an organisation; ErrNoOrganization where there is none.
func (a *Accounts) Organization(ctx context.Context, id OrganizationID) (Organization, error) {
	return FindOrganization(ctx, a.pool, id)
}

// FindOrganization is Organization through q, for example in a transaction.
func FindOrganization(ctx context.Context, q postgres.Querier, id OrganizationID) (Organization, error) {
	return postgres.Find(ctx, q, "find organisation", ErrNoOrganization, organizationColumns.Scan,
		findOrganizationSQL, id)
}

// maxName is the length of names in code points.
const maxName = 255

// CheckName checks a name. The error is ErrInvalid where it is empty, too long or has
// characters that cannot be stored.
func CheckName(name string) error {
	switch n := len([]rune(name)); {
	case n == 0:
		return fmt.Errorf("%w: the name is empty", ErrInvalid)
	case n > maxName:
		return fmt.Errorf("%w: the name has %d characters; at most %d fit", ErrInvalid, n, maxName)
	}
	return CheckText("name", name)
}

// useLog collects when credentials were last used, for Run to store. A key is
// identified by its hash: a request with a rolled key is no use of its successor.
type useLog struct {
	sync.Mutex
	tokens map[TokenID]use
	keys   map[Hash]use
}

package webhooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/domain"
)

// The states of a delivery.
const (
	StatePending   = "pending"
	StateDelivered = "delivered"
	StateFailed    = "failed" // all tries are used up; it can be resent
	StateHeld      = "held"   // the endpoint is disabled or gone; it can be replayed
)

// Errors about what somebody asked for.
var (
	ErrNoDelivery    = errors.New("no such delivery")
	ErrNoApplication = accounts.ErrNoApplication
	ErrNoURL         = errors.New("the application has no webhook URL")
	ErrDisabled      = errors.New("the application's webhook endpoint is disabled")
)

// Tenant says whose deliveries a caller may touch. The zero Tenant may touch
// none: those of others do not exist for it.
type Tenant struct {
	all          bool
	organization accounts.OrganizationID
}

// Operator may touch everybody's.
func Operator() Tenant { return Tenant{all: true} }

// TenantOf may touch those of one organisation.
func TenantOf(id accounts.OrganizationID) Tenant { return Tenant{organization: id} }

// Delivery is how the telling of an event stands.
type Delivery struct {
	ID            DeliveryID
	Event         string
	Application   domain.ApplicationID
	State         string
	Attempts      int
	NextAttemptAt *time.Time       // nil unless pending
	LastStatus    *int             // nil where the last try had no answer
	Intent        *domain.IntentID // nil for a test
	Sequence      int
	OccurredAt    time.Time
	Cursor        int64 // for Filter.Before
}

// Deliveries is for those who look after webhooks. It sends nothing itself: what
// it makes due is sent by a Dispatcher at once.
type Deliveries struct {
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
	now      func() time.Time
}

// NewDeliveries needs accounts for whatever changes something, and for Await,
// which signs. A nil clock is the machine's.
func NewDeliveries(pool *pgxpool.Pool, a *accounts.Accounts, now func() time.Time) *Deliveries {
	if now == nil {
		now = time.Now
	}
	return &Deliveries{pool: pool, accounts: a, now: now}
}

// moment is the present time as the database keeps it.
func (d *Deliveries) moment() time.Time { return d.now().UTC().Truncate(time.Microsecond) }

// Filter says which deliveries to list; what is left out does not matter.
type Filter struct {
	Tenant      Tenant
	Intent      *domain.IntentID
	Application *domain.ApplicationID
	State       string
	Before      int64 // a Cursor: those after it in the list
	Limit       int   // 0 is 100, and there are never more than 1000
}

const (
	deliveryColumns = `
d.uuid, d.event, d.application_uuid, d.state, d.attempts, d.next_attempt_at, d.last_status, d.intent_uuid,
coalesce(d.sequence, 0), d.occurred_at, d.ordinal`
	listSQL = `
SELECT ` + deliveryColumns + `
FROM webhook_deliveries d JOIN applications a ON a.uuid = d.application_uuid
WHERE ($1 OR a.organization_uuid = $2) AND ($3::uuid IS NULL OR d.intent_uuid = $3)
  AND ($4::uuid IS NULL OR d.application_uuid = $4) AND ($5 = '' OR d.state = $5) AND ($6 = 0 OR d.ordinal < $6)
ORDER BY d.ordinal DESC LIMIT $7`
)

// List lists deliveries, the latest first.
func (d *Deliveries) List(ctx context.Context, f Filter) ([]Delivery, error) {
	limit := min(f.Limit, 1000)
	if limit <= 0 {
		limit = 100
	}
	var intent, application *[16]byte
	if f.Intent != nil {
		intent = (*[16]byte)(f.Intent)
	}
	if f.Application != nil {
		application = (*[16]byte)(f.Application)
	}
	rows, err := d.pool.Query(ctx, listSQL, f.Tenant.all, [16]byte(f.Tenant.organization), intent, application, f.State, f.Before, limit)
	if err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	all, err := pgx.CollectRows(rows, scanDelivery)
	if err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	return all, nil
}

func scanDelivery(row pgx.CollectableRow) (Delivery, error) { return scanDeliveryAnd(row) }

// scanDeliveryAnd reads a delivery and what comes after its columns.
func scanDeliveryAnd(row pgx.CollectableRow, more ...any) (Delivery, error) {
	var (
		v               Delivery
		id, application [16]byte
		intent          *[16]byte
	)
	err := row.Scan(append([]any{
		&id, &v.Event, &application, &v.State, &v.Attempts, &v.NextAttemptAt, &v.LastStatus, &intent,
		&v.Sequence, &v.OccurredAt, &v.Cursor,
	}, more...)...)
	v.ID, v.Application, v.Intent, v.OccurredAt = id, application, (*domain.IntentID)(intent), v.OccurredAt.UTC()
	return v, err
}

// Try is one attempt at a delivery.
type Try struct {
	Attempt  int           `json:"attempt"`
	At       time.Time     `json:"at"`
	Duration time.Duration `json:"-"`
	Status   *int          `json:"status"`
	Error    string        `json:"error"`  // its kind; empty where the try succeeded
	Answer   string        `json:"answer"` // its beginning; others wrote it
}

const triesSQL = `
SELECT t.attempt, t.at, t.duration, t.status, t.error, t.answer
FROM webhook_deliveries d JOIN applications a ON a.uuid = d.application_uuid
     LEFT JOIN webhook_tries t ON t.delivery_uuid = d.uuid
WHERE d.uuid = $3 AND ($1 OR a.organization_uuid = $2) ORDER BY t.attempt`

// Tries is the log of a delivery, in its order. The error is ErrNoDelivery where
// the tenant has no such delivery.
func (d *Deliveries) Tries(ctx context.Context, of Tenant, id DeliveryID) ([]Try, error) {
	rows, err := d.pool.Query(ctx, triesSQL, of.all, [16]byte(of.organization), [16]byte(id))
	if err != nil {
		return nil, fmt.Errorf("list tries: %w", err)
	}
	found := false
	tries := []Try{}
	var (
		attempt, status *int
		at              *time.Time
		duration        *time.Duration
		kind, answer    *string
	)
	_, err = pgx.ForEachRow(rows, []any{&attempt, &at, &duration, &status, &kind, &answer}, func() error {
		found = true
		if attempt != nil {
			tries = append(tries, Try{*attempt, at.UTC(), *duration, status, *kind, *answer})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list tries: %w", err)
	}
	if !found {
		return nil, ErrNoDelivery
	}
	return tries, nil
}

// The endpoint may have no row where nothing was ever recorded for it.
const endpointSQL = `
SELECT a.organization_uuid, a.name, a.webhook_url IS NOT NULL, coalesce(e.disabled_at IS NOT NULL AND e.url = a.webhook_url, false)
FROM applications a LEFT JOIN webhook_endpoints e ON e.application_uuid = a.uuid
WHERE a.uuid = $3 AND ($1 OR a.organization_uuid = $2)`

// endpoint is where webhooks of an application go, if anywhere.
type endpoint struct {
	organization     accounts.OrganizationID
	name             string // of the application
	hasURL, disabled bool
}

// reader is a pool or a transaction.
type reader interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// endpoint finds the one of an application. The error is ErrNoApplication where
// the tenant has no such application.
func (d *Deliveries) endpoint(ctx context.Context, from reader, of Tenant, id domain.ApplicationID) (endpoint, error) {
	var e endpoint
	var organization [16]byte
	err := from.QueryRow(ctx, endpointSQL, of.all, [16]byte(of.organization), [16]byte(id)).
		Scan(&organization, &e.name, &e.hasURL, &e.disabled)
	if errors.Is(err, pgx.ErrNoRows) {
		return endpoint{}, ErrNoApplication
	}
	if err != nil {
		return endpoint{}, fmt.Errorf("find endpoint: %w", err)
	}
	e.organization = organization
	return e, nil
}

package webhooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// The states of a delivery.
const (
	StatePending   = "pending"
	StateDelivered = "delivered"
	StateFailed    = "failed" // all tries are used up; it can be resent
	StateHeld      = "held"   // the endpoint is disabled or gone; it can be replayed
)

// Errors about the request.
var (
	ErrNoDelivery    = errors.New("no such delivery")
	ErrNoApplication = accounts.ErrNoApplication
	ErrNoURL         = errors.New("the application has no webhook URL")
	ErrDisabled      = errors.New("the application's webhook endpoint is disabled")
)

// Tenant is the scope of a caller: the deliveries of one organisation, or of all.
// The zero Tenant has none. What is out of scope does not exist for the caller.
type Tenant struct {
	all          bool
	organization accounts.OrganizationID
}

// Operator is the scope of the command line: all organisations.
func Operator() Tenant { return Tenant{all: true} }

// TenantOf is the scope of one organisation.
func TenantOf(id accounts.OrganizationID) Tenant { return Tenant{organization: id} }

// Delivery is one event on its way to one endpoint.
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
	// Of the intent, empty for a test.
	Reference         domain.Reference
	MerchantReference domain.MerchantReference
	// LastError is the kind of the last try's error; empty where the try succeeded or none was
	// made. Only List and Find set it.
	LastError string
}

// Deliveries lists deliveries and makes them due again. It sends nothing itself: a
// Dispatcher sends what is due at once.
type Deliveries struct {
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
	now      func() time.Time
}

// NewDeliveries makes Deliveries. Changes are authorised and recorded by accounts,
// which also has the secrets that Await signs with. A nil clock is the machine's.
func NewDeliveries(pool *pgxpool.Pool, a *accounts.Accounts, now func() time.Time) *Deliveries {
	return &Deliveries{pool: pool, accounts: a, now: postgres.Clock(now)}
}

// Filter selects the deliveries to list; a zero field selects all.
type Filter struct {
	Tenant      Tenant
	Intent      *domain.IntentID
	Application *domain.ApplicationID
	State       string
	Before      int64 // a Cursor: those after it in the list
	Limit       int   // 0 is 100, and there are never more than 1000
	// Only Page reads these: the type of webhook, and the time of the event (From inclusive, To
	// exclusive).
	Event    string
	From, To time.Time
}

var deliveryColumns = postgres.Columns[Delivery]{
	postgres.Of("uuid", func(d *Delivery) any { return &d.ID }),
	postgres.Of("event", func(d *Delivery) any { return &d.Event }),
	postgres.Of("application_uuid", func(d *Delivery) any { return &d.Application }),
	postgres.Of("state", func(d *Delivery) any { return &d.State }),
	postgres.Of("attempts", func(d *Delivery) any { return &d.Attempts }),
	postgres.Of("next_attempt_at", func(d *Delivery) any { return &d.NextAttemptAt }),
	postgres.Of("last_status", func(d *Delivery) any { return &d.LastStatus }),
	postgres.Of("intent_uuid", func(d *Delivery) any { return &d.Intent }),
	postgres.Of("sequence", func(d *Delivery) any { return (*zeroNull)(&d.Sequence) }),
	postgres.Of("occurred_at", func(d *Delivery) any { return &d.OccurredAt }),
	postgres.Of("ordinal", func(d *Delivery) any { return &d.Cursor }),
	postgres.Of("reference", func(d *Delivery) any { return &d.Reference }),
	postgres.Of("merchant_reference", func(d *Delivery) any { return &d.MerchantReference }),
}

func scanDelivery(row pgx.CollectableRow) (Delivery, error) {
	var d Delivery
	err := row.Scan(deliveryColumns.Fields(&d, &d.LastError)...)
	return d, err
}

// fullRows is webhook_deliveries with the references of the intents, which the row of a delivery
// that arrived does not keep.
const fullRows = `(
    SELECT w.uuid, w.ordinal, w.application_uuid, w.event, w.intent_uuid, w.sequence,
           coalesce(i.reference, w.reference) AS reference,
           coalesce(i.merchant_reference, w.merchant_reference) AS merchant_reference,
           w.occurred_at, w.state, w.attempts, w.next_attempt_at, w.last_status, w.late, w.refund,
           w.try_error
    FROM webhook_deliveries w
    LEFT JOIN LATERAL (
        SELECT reference, merchant_reference
        FROM intents
        WHERE uuid = w.intent_uuid
          AND w.reference = ''
        OFFSET 0) i ON true)`

var (
	deliveriesSQL = `
SELECT ` + deliveryColumns.List("d.") + `,
       coalesce(
           d.try_error,
           (SELECT t.error
            FROM webhook_tries t
            WHERE t.delivery_uuid = d.uuid
              AND t.attempt = d.attempts),
           '')
FROM ` + fullRows + ` d
JOIN applications a ON a.uuid = d.application_uuid
WHERE ($1 OR a.organization_uuid = $2)`
	findDeliverySQL = deliveriesSQL + `
  AND d.uuid = $3`
	listSQL = deliveriesSQL + `
  AND ($3::uuid[] IS NULL OR d.uuid = ANY ($3))
  AND ($4::uuid IS NULL OR d.application_uuid = $4)
  AND ($5 = '' OR d.state = $5)
  AND ($6 = 0 OR d.ordinal < $6 AND d.ordinal / 128 <= $6::bigint / 128)
ORDER BY d.ordinal / 128 DESC, d.ordinal DESC
LIMIT $7`
)

// List lists deliveries, the latest first.
func (d *Deliveries) List(ctx context.Context, f Filter) ([]Delivery, error) {
	limit := min(f.Limit, 1000)
	if limit <= 0 {
		limit = 100
	}
	var ids []DeliveryID
	if f.Intent != nil {
		var err error
		if ids, err = d.idsOf(ctx, *f.Intent); err != nil {
			return nil, err
		}
	}
	return postgres.List(ctx, d.pool, "list deliveries", scanDelivery, listSQL, postgres.PlanEachTime,
		f.Tenant.all, f.Tenant.organization, ids, f.Application, f.State, f.Before, limit)
}

// Find is one delivery; ErrNoDelivery where the tenant has no such delivery.
func (d *Deliveries) Find(ctx context.Context, of Tenant, id DeliveryID) (Delivery, error) {
	return postgres.Find(ctx, d.pool, "find delivery", ErrNoDelivery, scanDelivery,
		findDeliverySQL, of.all, of.organization, id)
}

const (
	versionSQL   = `SELECT version FROM intents WHERE uuid = $1`
	deliveredSQL = `
SELECT EXISTS (SELECT
               FROM webhook_deliveries
               WHERE uuid = ANY ($1)
                 AND event = $2
                 AND state = '` + StateDelivered + `')`
)

// idsOf are the ids of all deliveries that an intent can have: no index finds them.
func (d *Deliveries) idsOf(ctx context.Context, of domain.IntentID) ([]DeliveryID, error) {
	last, err := postgres.Find(ctx, d.pool, "find version of intent", nil, pgx.RowTo[int], versionSQL, of)
	ids := make([]DeliveryID, last)
	for n := range ids {
		ids[n] = IDOf(uuid.UUID(of), n+1)
	}
	return ids, err
}

// Delivered reports whether the merchant's endpoint took a webhook of that type about the intent.
func (d *Deliveries) Delivered(ctx context.Context, of domain.IntentID,
	event string,
) (delivered bool, err error) {
	ids, err := d.idsOf(ctx, of)
	if err != nil {
		return false, err
	}
	if err = d.pool.QueryRow(ctx, deliveredSQL, ids, event).Scan(&delivered); err != nil {
		return false, fmt.Errorf("find delivered webhook: %w", err)
	}
	return delivered, nil
}

// Try is one attempt at a delivery.
type Try struct {
	Attempt  int           `json:"attempt"`
	At       time.Time     `json:"at"`
	Duration time.Duration `json:"-"`
	Status   *int          `json:"status"`
	Error    string        `json:"error"`  // its kind; empty where the try succeeded
	Answer   string        `json:"answer"` // its beginning; untrusted
}

var tryColumns = postgres.Columns[Try]{
	postgres.Of("attempt", func(t *Try) any { return &t.Attempt }),
	postgres.Of("at", func(t *Try) any { return &t.At }),
	postgres.Of("duration", func(t *Try) any { return &t.Duration }),
	postgres.Of("status", func(t *Try) any { return &t.Status }),
	postgres.Of("error", func(t *Try) any { return &t.Error }),
	postgres.Of("answer", func(t *Try) any { return &t.Answer }),
}

var triesSQL = `
SELECT ` + tryColumns.List("") + `
FROM webhook_log
WHERE delivery_uuid = $1
ORDER BY attempt`

// Tries is the log of a delivery, in its order. The error is ErrNoDelivery where
// the tenant has no such delivery.
func (d *Deliveries) Tries(ctx context.Context, of Tenant, id DeliveryID) ([]Try, error) {
	if _, err := d.Find(ctx, of, id); err != nil {
		return nil, err
	}
	return postgres.List(ctx, d.pool, "list tries", tryColumns.Scan, triesSQL, id)
}

// The endpoint may have no row where nothing was ever recorded for it.
const endpointSQL = `
SELECT a.organization_uuid, a.name, a.webhook_url IS NOT NULL,
       coalesce(e.disabled_at IS NOT NULL AND e.url = a.webhook_url, false)
FROM applications a
LEFT JOIN webhook_endpoints e ON e.application_uuid = a.uuid
WHERE a.uuid = $3
  AND ($1 OR a.organization_uuid = $2)`

type endpoint struct {
	Organization     accounts.OrganizationID
	Name             string // of the application
	HasURL, Disabled bool
}

// endpoint finds the endpoint of an application. The error is ErrNoApplication where
// the tenant has no such application.
func (d *Deliveries) endpoint(ctx context.Context, from postgres.Querier, of Tenant,
	id domain.ApplicationID,
) (endpoint, error) {
	return postgres.Find(ctx, from, "find endpoint", ErrNoApplication, pgx.RowToStructByPos[endpoint],
		endpointSQL, of.all, of.organization, id)
}

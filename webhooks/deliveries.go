package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
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

// MarshalJSON writes what the commands promise of a delivery.
func (v Delivery) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		UUID          DeliveryID `json:"uuid"`
		Event         string     `json:"event"`
		Application   uuid.UUID  `json:"application_uuid"`
		State         string     `json:"state"`
		Attempts      int        `json:"attempts"`
		NextAttemptAt *time.Time `json:"next_attempt_at"`
		LastStatus    *int       `json:"last_status"`
	}{v.ID, v.Event, uuid.UUID(v.Application), v.State, v.Attempts, v.NextAttemptAt, v.LastStatus})
}

// Deliveries is for those who look after webhooks. It sends nothing itself: what
// it makes due is sent by a Dispatcher at once.
type Deliveries struct {
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
	now      func() time.Time
}

// NewDeliveries needs accounts only for Pending, which signs. A nil clock is the
// machine's.
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

func scanDelivery(row pgx.CollectableRow) (Delivery, error) {
	var (
		v               Delivery
		id, application [16]byte
		intent          *[16]byte
	)
	err := row.Scan(&id, &v.Event, &application, &v.State, &v.Attempts, &v.NextAttemptAt, &v.LastStatus, &intent,
		&v.Sequence, &v.OccurredAt, &v.Cursor)
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
SELECT a.webhook_url IS NOT NULL, coalesce(e.disabled_at IS NOT NULL AND e.url = a.webhook_url, false)
FROM applications a LEFT JOIN webhook_endpoints e ON e.application_uuid = a.uuid
WHERE a.uuid = $3 AND ($1 OR a.organization_uuid = $2)`

// endpoint says whether webhooks of the application go anywhere. The error is
// ErrNoApplication where the tenant has no such application.
func (d *Deliveries) endpoint(ctx context.Context, of Tenant, id domain.ApplicationID) (hasURL, disabled bool, err error) {
	err = d.pool.QueryRow(ctx, endpointSQL, of.all, [16]byte(of.organization), [16]byte(id)).Scan(&hasURL, &disabled)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, false, ErrNoApplication
	}
	if err != nil {
		return false, false, fmt.Errorf("find endpoint: %w", err)
	}
	return hasURL, disabled, nil
}

const (
	findApplicationSQL = `
SELECT d.application_uuid FROM webhook_deliveries d JOIN applications a ON a.uuid = d.application_uuid
WHERE d.uuid = $3 AND ($1 OR a.organization_uuid = $2)`
	resendSQL = `
UPDATE webhook_deliveries d SET state = 'pending', step = 0, next_attempt_at = $2 WHERE d.uuid = $1
RETURNING ` + deliveryColumns
)

// Resend makes a delivery due again, whatever became of it, with the whole
// schedule before it and the same webhook-id. Errors: ErrNoDelivery, ErrNoURL,
// ErrDisabled.
func (d *Deliveries) Resend(ctx context.Context, of Tenant, id DeliveryID) (Delivery, error) {
	var application [16]byte
	err := d.pool.QueryRow(ctx, findApplicationSQL, of.all, [16]byte(of.organization), [16]byte(id)).Scan(&application)
	if errors.Is(err, pgx.ErrNoRows) {
		return Delivery{}, ErrNoDelivery
	}
	if err != nil {
		return Delivery{}, fmt.Errorf("find delivery: %w", err)
	}
	hasURL, disabled, err := d.endpoint(ctx, of, application)
	switch {
	case err != nil:
		return Delivery{}, err
	case !hasURL:
		return Delivery{}, ErrNoURL
	case disabled:
		return Delivery{}, ErrDisabled
	}
	rows, err := d.pool.Query(ctx, resendSQL, [16]byte(id), d.moment())
	if err != nil {
		return Delivery{}, fmt.Errorf("resend delivery: %w", err)
	}
	v, err := pgx.CollectExactlyOneRow(rows, scanDelivery)
	if err != nil {
		return Delivery{}, fmt.Errorf("resend delivery: %w", err)
	}
	return v, d.notify(ctx)
}

// notify wakes the dispatchers of all servers.
func (d *Deliveries) notify(ctx context.Context) error {
	if _, err := d.pool.Exec(ctx, notifySQL); err != nil {
		return fmt.Errorf("notify dispatchers: %w", err)
	}
	return nil
}

// testLock keeps the ordinals of tests in the order of their commits, on which
// Pending relies.
const (
	testLock    = 0x7765_6274 // any number that nobody else uses
	lockTestSQL = `SELECT pg_advisory_xact_lock($1)`
	ensureSQL   = `INSERT INTO webhook_endpoints (application_uuid) VALUES ($1) ON CONFLICT DO NOTHING`
	sendTestSQL = `
INSERT INTO webhook_deliveries AS d (uuid, application_uuid, event, occurred_at, state, next_attempt_at)
VALUES ($1, $2, '` + TypeTest + `', $3, $4, $5)
RETURNING ` + deliveryColumns
)

// SendTest records an event that says nothing but that webhooks arrive. Without
// a URL it is held, and only whoever asks for Pending sees it. Errors:
// ErrNoApplication, ErrDisabled.
func (d *Deliveries) SendTest(ctx context.Context, of Tenant, id domain.ApplicationID) (Delivery, error) {
	hasURL, disabled, err := d.endpoint(ctx, of, id)
	if err != nil {
		return Delivery{}, err
	}
	if disabled {
		return Delivery{}, ErrDisabled
	}
	state, at := StateHeld, d.moment()
	var next *time.Time
	if hasURL {
		state, next = StatePending, &at
	}
	var v Delivery
	err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockTestSQL, testLock); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, ensureSQL, [16]byte(id)); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, sendTestSQL, [16]byte(uuid.New()), [16]byte(id), at, state, next)
		if err != nil {
			return err
		}
		v, err = pgx.CollectExactlyOneRow(rows, scanDelivery)
		return err
	})
	if err != nil {
		return Delivery{}, fmt.Errorf("send test: %w", err)
	}
	return v, d.notify(ctx)
}

const enableSQL = `
UPDATE webhook_endpoints e
SET failures = 0, failing_since = NULL, probes = 0, probe_at = NULL, disabled_at = NULL, disabled_for = ''
FROM applications a
WHERE e.application_uuid = $3 AND a.uuid = e.application_uuid AND ($1 OR a.organization_uuid = $2)`

// Enable has webhooks go to the application's endpoint again. What is held stays
// so until Replay: after days of silence the merchant may not want it any more.
func (d *Deliveries) Enable(ctx context.Context, of Tenant, id domain.ApplicationID) error {
	if _, _, err := d.endpoint(ctx, of, id); err != nil {
		return err
	}
	if _, err := d.pool.Exec(ctx, enableSQL, of.all, [16]byte(of.organization), [16]byte(id)); err != nil {
		return fmt.Errorf("enable endpoint: %w", err)
	}
	return nil
}

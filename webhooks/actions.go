package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// The actions of this package in the audit trail.
const (
	ActionTest   accounts.Action = "webhook.test"
	ActionResend accounts.Action = "webhook.resend"
	ActionReplay accounts.Action = "webhook.replay"
	ActionEnable accounts.Action = "webhook.enable"
)

// do runs act, which changes something about an application's webhooks, and records the
// action, in one transaction. It needs SendWebhooks, or ResendWebhooks for ActionResend.
func (d *Deliveries) do(ctx context.Context, by accounts.Actor, of Tenant, id domain.ApplicationID,
	what accounts.Action,
	act func(tx pgx.Tx, e endpoint) (detail map[string]any, err error),
) error {
	// The application's organisation decides which permission the actor needs.
	found, err := d.endpoint(ctx, d.pool, of, id)
	if err != nil {
		return err
	}
	needs := accounts.SendWebhooks
	if what == ActionResend {
		needs = accounts.ResendWebhooks
	}
	err = d.accounts.Do(ctx, by, found.Organization, needs, func(tx pgx.Tx) (accounts.Entry, error) {
		e, err := d.endpoint(ctx, tx, of, id)
		if err != nil {
			return accounts.Entry{}, err
		}
		detail, err := act(tx, e)
		if detail == nil {
			detail = make(map[string]any)
		}
		detail["name"] = e.Name
		return accounts.Entry{Action: what, Subject: "application", SubjectID: uuid.UUID(id), Detail: detail}, err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

var resendSQL = `
UPDATE webhook_deliveries
SET state = 'pending', step = 0, next_attempt_at = $2
WHERE uuid = $1
RETURNING ` + deliveryColumns.List("")

// Resend makes a delivery due again, whatever its state, with the whole schedule
// and the same webhook-id. Errors: ErrNoDelivery, ErrNoURL,
// ErrDisabled, and those of accounts.Do.
func (d *Deliveries) Resend(ctx context.Context, by accounts.Actor, of Tenant,
	id DeliveryID,
) (Delivery, error) {
	v, err := d.Find(ctx, of, id)
	if err != nil {
		return Delivery{}, err
	}
	err = d.do(ctx, by, of, v.Application, ActionResend, func(tx pgx.Tx, e endpoint) (map[string]any, error) {
		switch {
		case !e.HasURL:
			return nil, ErrNoURL
		case e.Disabled:
			return nil, ErrDisabled
		}
		resent, err := postgres.Find(ctx, tx, "resend delivery", ErrNoDelivery, deliveryColumns.Scan,
			resendSQL, id, d.now())
		if err != nil {
			return nil, err
		}
		v = resent
		return map[string]any{"delivery": id.String(), "event": v.Event}, wake(ctx, tx)
	})
	return v, err
}

// wake makes the dispatchers of all servers look for due deliveries once the
// transaction is committed.
func wake(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, notifySQL); err != nil {
		return fmt.Errorf("notify dispatchers: %w", err)
	}
	return nil
}

// testLock keeps the ordinals of tests in the order of their commits, on which
// Await relies.
const (
	testLock    = 0x7765_6274 // any number that no other lock uses
	lockTestSQL = `SELECT pg_advisory_xact_lock($1)`
	ensureSQL   = `
INSERT INTO webhook_endpoints (application_uuid)
VALUES ($1)
ON CONFLICT DO NOTHING`
)

var sendTestSQL = `
INSERT INTO webhook_deliveries (uuid, application_uuid, event, occurred_at, state, next_attempt_at)
VALUES ($1, $2, '` + TypeTest + `', $3, $4, $5)
RETURNING ` + deliveryColumns.List("")

// SendTest records a test delivery. Without a URL it is held, and only Await
// returns it. Errors: ErrNoApplication, ErrDisabled, and those of accounts.Do.
func (d *Deliveries) SendTest(ctx context.Context, by accounts.Actor, of Tenant,
	id domain.ApplicationID,
) (Delivery, error) {
	var v Delivery
	err := d.do(ctx, by, of, id, ActionTest, func(tx pgx.Tx, e endpoint) (map[string]any, error) {
		if e.Disabled {
			return nil, ErrDisabled
		}
		state, at := StateHeld, d.now()
		var next *time.Time
		if e.HasURL {
			state, next = StatePending, &at
		}
		if _, err := tx.Exec(ctx, lockTestSQL, testLock); err != nil {
			return nil, err
		}
		if _, err := tx.Exec(ctx, ensureSQL, id); err != nil {
			return nil, err
		}
		test, err := postgres.Find(ctx, tx, "insert test", nil, deliveryColumns.Scan,
			sendTestSQL, DeliveryID(uuid.New()), id, at, state, next)
		if err != nil {
			return nil, err
		}
		v = test
		return map[string]any{"delivery": v.ID.String()}, wake(ctx, tx)
	})
	return v, err
}

// Enable sends webhooks to the application's endpoint again. Held deliveries stay
// held until Replay: after days the merchant may not want them any more.
// Errors: ErrNoApplication, and those of accounts.Do.
func (d *Deliveries) Enable(ctx context.Context, by accounts.Actor, of Tenant,
	id domain.ApplicationID,
) error {
	return d.do(ctx, by, of, id, ActionEnable, func(tx pgx.Tx, _ endpoint) (map[string]any, error) {
		return nil, writeHealth(ctx, tx, id, health{})
	})
}

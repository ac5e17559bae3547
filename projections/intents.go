package projections

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
)

// Intent is a row of the read model: an intent as merchants see it.
type Intent struct {
	ID                domain.IntentID
	Application       domain.ApplicationID
	Version           int
	Reference         domain.Reference
	MerchantReference domain.MerchantReference
	Amount            domain.Money
	Status            domain.Status
	Description       string
	CustomerID        *string
	ReturnURL         *string
	Metadata          domain.Metadata
	ExpiresAt         time.Time
	CheckoutPath      string // below the public address
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// IntentOf is the row that shows an intent.
func IntentOf(i domain.Intent) Intent {
	return Intent{
		ID: i.ID, Application: i.Application, Version: i.Version, Reference: i.Reference,
		MerchantReference: i.MerchantReference, Amount: i.Amount, Status: i.Status,
		Description: i.Description, CustomerID: i.CustomerID, ReturnURL: i.ReturnURL,
		Metadata: i.Metadata, ExpiresAt: i.ExpiresAt, CheckoutPath: CheckoutPath(i.ID, i.CheckoutToken),
		CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
	}
}

// CheckoutPath is where the checkout page of an intent is, below the public
// address. Only the token in it is secret.
func CheckoutPath(id domain.IntentID, token domain.CheckoutToken) string {
	return "/pay/" + id.String() + "/" + string(token)
}

// Overdue says whether the intent must not be shown as it is: its time has run
// out and no event says so yet.
func (i Intent) Overdue(now time.Time) bool {
	return i.Status == domain.StatusRequiresPaymentMethod && !now.Before(i.ExpiresAt)
}

// customer is the column of that name, in the API's shape.
type customer struct {
	ExternalID *string `json:"external_id"`
}

// Intents reads the table.
type Intents struct{ pool *pgxpool.Pool }

// NewIntents reads through the pool, which stays the caller's.
func NewIntents(pool *pgxpool.Pool) *Intents { return &Intents{pool: pool} }

// Found is what Find saw in one snapshot.
type Found struct {
	Intent Intent
	Exists bool
	// Epoch is the credential epoch that stood when the row was read.
	Epoch int64
}

const findIntentSQL = `
SELECT c.epoch, i.application_uuid, i.version, i.reference, i.merchant_reference, i.amount, i.currency,
       i.status, i.description, i.customer, i.return_url, i.metadata, i.expires_at, i.checkout_url,
       i.created_at, i.updated_at
FROM credential_epoch c LEFT JOIN intents i ON i.uuid = $1`

// Find reads one intent, and in the same glance the epoch that tells whether
// the asker's credential still counts.
func (p *Intents) Find(ctx context.Context, id domain.IntentID) (Found, error) {
	rows, err := p.pool.Query(ctx, findIntentSQL, [16]byte(id))
	if err != nil {
		return Found{}, fmt.Errorf("find intent: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (Found, error) {
		return scanFound(row, id)
	})
	if err != nil {
		return Found{}, fmt.Errorf("find intent: %w", err)
	}
	return found, nil
}

// scanFound reads a row whose columns, but for the epoch, are null where there
// is no intent.
func scanFound(row pgx.CollectableRow, id domain.IntentID) (Found, error) {
	if values := row.RawValues(); values[1] == nil {
		var f Found
		err := row.Scan(&f.Epoch, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil)
		return f, err
	}
	f := Found{Exists: true}
	var err error
	f.Intent, err = scanIntent(row, id, &f.Epoch)
	return f, err
}

// scanIntent reads the columns of an intent, after those that first names.
func scanIntent(row pgx.CollectableRow, id domain.IntentID, first ...any) (Intent, error) {
	i := Intent{ID: id}
	var (
		application      [16]byte
		currency, status string
		who, metadata    []byte
	)
	err := row.Scan(append(first, &application, &i.Version, &i.Reference, &i.MerchantReference, &i.Amount.Minor, &currency,
		&status, &i.Description, &who, &i.ReturnURL, &metadata, &i.ExpiresAt, &i.CheckoutPath,
		&i.CreatedAt, &i.UpdatedAt)...)
	if err != nil {
		return Intent{}, err
	}
	var c customer
	if err := json.Unmarshal(who, &c); err != nil {
		return Intent{}, fmt.Errorf("read customer: %w", err)
	}
	if metadata != nil {
		if err := i.Metadata.UnmarshalJSON(metadata); err != nil {
			return Intent{}, err
		}
	}
	i.Application, i.Status, i.CustomerID = application, domain.Status(status), c.ExternalID
	i.Amount.Currency = domain.Currency(currency)
	i.ExpiresAt, i.CreatedAt, i.UpdatedAt = i.ExpiresAt.UTC(), i.CreatedAt.UTC(), i.UpdatedAt.UTC()
	return i, nil
}

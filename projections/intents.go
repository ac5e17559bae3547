package projections

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

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
	return domain.Intent{Status: i.Status, ExpiresAt: i.ExpiresAt}.Overdue(now)
}

// customer is the column of that name, in the API's shape.
type customer struct {
	ExternalID *string `json:"external_id"`
}

// stored is a row as the table has it: an intent whose customer and metadata
// have not been read yet.
type stored struct {
	Intent
	customer, metadata []byte // JSON text; metadata may be nil
}

// scanStored reads the columns of an intent but for its id, after the columns
// for which first has places.
func scanStored(row pgx.CollectableRow, first ...any) (stored, error) {
	var s stored
	var (
		application      [16]byte
		currency, status string
	)
	i := &s.Intent
	err := row.Scan(append(first, &application, &i.Version, &i.Reference, &i.MerchantReference, &i.Amount.Minor, &currency,
		&status, &i.Description, &s.customer, &i.ReturnURL, &s.metadata, &i.ExpiresAt, &i.CheckoutPath,
		&i.CreatedAt, &i.UpdatedAt)...)
	if err != nil {
		return stored{}, err
	}
	i.Application, i.Status = application, domain.Status(status)
	i.Amount.Currency = domain.Currency(currency)
	i.ExpiresAt, i.CreatedAt, i.UpdatedAt = i.ExpiresAt.UTC(), i.CreatedAt.UTC(), i.UpdatedAt.UTC()
	return s, nil
}

// scanIntent is scanStored, read to the end.
func scanIntent(row pgx.CollectableRow, first ...any) (Intent, error) {
	s, err := scanStored(row, first...)
	if err != nil {
		return Intent{}, err
	}
	var c customer
	if err := json.Unmarshal(s.customer, &c); err != nil {
		return Intent{}, fmt.Errorf("read customer: %w", err)
	}
	s.CustomerID = c.ExternalID
	if s.metadata != nil {
		if err := s.Metadata.UnmarshalJSON(s.metadata); err != nil {
			return Intent{}, err
		}
	}
	return s.Intent, nil
}

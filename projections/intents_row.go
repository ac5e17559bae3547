package projections

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

var intentColumns = postgres.Columns[Intent]{
	postgres.Typed("uuid", "uuid", func(i *Intent) *[16]byte { return (*[16]byte)(&i.ID) }),
	postgres.Typed("application_uuid", "uuid", func(i *Intent) *[16]byte { return (*[16]byte)(&i.Application) }),
	postgres.Typed("version", "int4", func(i *Intent) *int { return &i.Version }),
	postgres.Typed("reference", "text", func(i *Intent) *string { return (*string)(&i.Reference) }),
	postgres.Typed("merchant_reference", "text", func(i *Intent) *string {
		return (*string)(&i.MerchantReference)
	}),
	postgres.Typed("amount", "int8", func(i *Intent) *int64 { return &i.Amount.Minor }),
	postgres.Typed("currency", "text", func(i *Intent) *string { return (*string)(&i.Amount.Currency) }),
	postgres.Typed("status", "text", func(i *Intent) *string { return (*string)(&i.Status) }),
	postgres.Typed("description", "text", func(i *Intent) *string { return &i.Description }),
	postgres.Typed("customer", "json", func(i *Intent) *customerJSON { return &customerJSON{&i.CustomerID} }),
	postgres.Typed("return_url", "text", func(i *Intent) **string { return &i.ReturnURL }),
	postgres.Typed("metadata", "json", func(i *Intent) *metadataJSON { return (*metadataJSON)(&i.Metadata) }),
	postgres.Typed("expires_at", "timestamptz", func(i *Intent) *time.Time { return &i.ExpiresAt }),
	postgres.Typed("checkout_url", "text", func(i *Intent) *string { return &i.CheckoutPath }),
	postgres.Typed("created_at", "timestamptz", func(i *Intent) *time.Time { return &i.CreatedAt }),
	postgres.Typed("updated_at", "timestamptz", func(i *Intent) *time.Time { return &i.UpdatedAt }),
}

// customerJSON is the column customer, JSON in the API's shape.
type customerJSON struct{ id **string }

type customer struct {
	ExternalID *string `json:"external_id"`
}

// MarshalJSON implements json.Marshaler.
func (c customerJSON) MarshalJSON() ([]byte, error) { return json.Marshal(customer{*c.id}, escapes) }

// Scan implements sql.Scanner.
func (c customerJSON) Scan(text any) error {
	var read customer
	err := readText(text, &read)
	*c.id = read.ExternalID
	return err
}

// metadataJSON is the column metadata, JSON that is null if none was sent.
type metadataJSON domain.Metadata //nolint:recvcheck // reading needs a pointer, writing does not

// MarshalJSON implements json.Marshaler.
func (m metadataJSON) MarshalJSON() ([]byte, error) { return json.Marshal(domain.Metadata(m), escapes) }

// Scan implements sql.Scanner.
func (m *metadataJSON) Scan(text any) error {
	if *m = nil; text == nil {
		return nil
	}
	return readText(text, (*domain.Metadata)(m))
}

// escapes are those with which the first rows were written: rows are compared by their bytes.
var escapes = json.JoinOptions(jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true))

func readText(text, into any) error {
	bytes, is := text.([]byte)
	if !is {
		return fmt.Errorf("read JSON of a %T", text)
	}
	return json.Unmarshal(bytes, into)
}

// scanIntent reads the columns of an intent, which may all be null, and then others.
func scanIntent(row pgx.CollectableRow, others ...any) (i Intent, err error) {
	if row.RawValues()[0] == nil {
		return i, row.Scan(append(make([]any, len(intentColumns)), others...)...)
	}
	err = intentColumns.Read(row, &i, others...)
	return i, err
}

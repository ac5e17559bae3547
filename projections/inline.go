package projections

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Inline writes the intents table within the ledger's append statement.
type Inline struct{}

// The row of a later event carries all columns, of which only those that can
// change are written: no index covers them, so the update stays on its page.
const writeIntentsSQL = `shown AS (
    INSERT INTO intents (uuid, application_uuid, version, reference, merchant_reference, amount, currency,
                         status, description, customer, return_url, metadata, expires_at, checkout_url,
                         created_at, updated_at)
    SELECT t.stream_id, r.application_uuid, r.version, r.reference, r.merchant_reference, r.amount, r.currency,
           r.status, r.description, r.customer::json, r.return_url, r.metadata::json, r.expires_at, r.checkout_url,
           r.created_at, r.updated_at
    FROM unnest($10::uuid[], $11::int4[], $12::text[], $13::text[], $14::int8[], $15::text[],
                $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::timestamptz[], $22::text[],
                $23::timestamptz[], $24::timestamptz[])
         WITH ORDINALITY AS r(application_uuid, version, reference, merchant_reference, amount, currency,
                              status, description, customer, return_url, metadata, expires_at, checkout_url,
                              created_at, updated_at, append)
         JOIN taken t USING (append)
    ON CONFLICT (uuid) DO UPDATE
    SET version = excluded.version, status = excluded.status, updated_at = excluded.updated_at
    WHERE intents.version < excluded.version
)`

// Statement implements eventstore.Inline.
func (Inline) Statement() string { return writeIntentsSQL }

// Arguments implements eventstore.Inline. Each row is an Intent.
func (Inline) Arguments(rows []any) []any {
	n := len(rows)
	var (
		applications = make([][16]byte, n)
		versions     = make([]int32, n)
		references   = make([]string, n)
		merchants    = make([]string, n)
		amounts      = make([]int64, n)
		currencies   = make([]string, n)
		statuses     = make([]string, n)
		descriptions = make([]string, n)
		customers    = make([]string, n)
		returns      = make([]*string, n)
		metadata     = make([]*string, n)
		expires      = make([]time.Time, n)
		paths        = make([]string, n)
		created      = make([]time.Time, n)
		updated      = make([]time.Time, n)
	)
	for k, row := range rows {
		i, ok := row.(Intent)
		if !ok {
			panic(fmt.Sprintf("projections: append with a row of %T", row))
		}
		applications[k], versions[k] = i.Application, int32(i.Version)
		references[k], merchants[k] = string(i.Reference), string(i.MerchantReference)
		amounts[k], currencies[k], statuses[k] = i.Amount.Minor, string(i.Amount.Currency), string(i.Status)
		descriptions[k], customers[k] = i.Description, i.customerJSON()
		returns[k], metadata[k] = i.ReturnURL, i.metadataJSON()
		expires[k], paths[k] = i.ExpiresAt, i.CheckoutPath
		created[k], updated[k] = i.CreatedAt, i.UpdatedAt
	}
	return []any{
		applications, versions, references, merchants, amounts, currencies, statuses, descriptions,
		customers, returns, metadata, expires, paths, created, updated,
	}
}

func (i Intent) customerJSON() string {
	return mustJSON(customer{ExternalID: i.CustomerID})
}

// metadataJSON is null where none were sent.
func (i Intent) metadataJSON() *string {
	if i.Metadata == nil {
		return nil
	}
	text := mustJSON(i.Metadata)
	return &text
}

// metadataText is metadataJSON as bytes, nil where that is null.
func (i Intent) metadataText() []byte {
	if text := i.metadataJSON(); text != nil {
		return []byte(*text)
	}
	return nil
}

// mustJSON writes values of strings, which cannot fail. Rows are compared by their
// bytes, so the escapes stay those with which the first rows were written.
func mustJSON(v any) string {
	text, err := json.Marshal(v, jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true))
	if err != nil {
		panic(fmt.Sprintf("projections: write JSON: %v", err))
	}
	return string(text)
}

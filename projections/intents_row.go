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

// intentRow is a row of intents as the table has it.
type intentRow struct {
	id, application              [16]byte
	version                      int32
	reference, merchantReference string
	amount                       int64
	currency, status             string
	description                  string
	customer                     []byte   // JSON, in the API's shape
	decoded                      customer // customer as read by intent; a field saves an allocation
	returnURL                    *string
	metadata                     []byte // JSON; nil if none was sent
	expiresAt                    time.Time
	checkoutPath                 string
	createdAt, updatedAt         time.Time
}

var intentColumns = postgres.Columns[intentRow]{
	postgres.Typed("uuid", "uuid", func(r *intentRow) *[16]byte { return &r.id }),
	postgres.Typed("application_uuid", "uuid", func(r *intentRow) *[16]byte { return &r.application }),
	postgres.Typed("version", "int4", func(r *intentRow) *int32 { return &r.version }),
	postgres.Typed("reference", "text", func(r *intentRow) *string { return &r.reference }),
	postgres.Typed("merchant_reference", "text", func(r *intentRow) *string { return &r.merchantReference }),
	postgres.Typed("amount", "int8", func(r *intentRow) *int64 { return &r.amount }),
	postgres.Typed("currency", "text", func(r *intentRow) *string { return &r.currency }),
	postgres.Typed("status", "text", func(r *intentRow) *string { return &r.status }),
	postgres.Typed("description", "text", func(r *intentRow) *string { return &r.description }),
	postgres.Typed("customer", "json", func(r *intentRow) *[]byte { return &r.customer }),
	postgres.Typed("return_url", "text", func(r *intentRow) **string { return &r.returnURL }),
	postgres.Typed("metadata", "json", func(r *intentRow) *[]byte { return &r.metadata }),
	postgres.Typed("expires_at", "timestamptz", func(r *intentRow) *time.Time { return &r.expiresAt }),
	postgres.Typed("checkout_url", "text", func(r *intentRow) *string { return &r.checkoutPath }),
	postgres.Typed("created_at", "timestamptz", func(r *intentRow) *time.Time { return &r.createdAt }),
	postgres.Typed("updated_at", "timestamptz", func(r *intentRow) *time.Time { return &r.updatedAt }),
}

// customer is the JSON of the column customer.
type customer struct {
	ExternalID *string `json:"external_id"`
}

func rowOf(i Intent) intentRow {
	r := intentRow{
		id:                i.ID,
		application:       i.Application,
		version:           int32(i.Version),
		reference:         string(i.Reference),
		merchantReference: string(i.MerchantReference),
		amount:            i.Amount.Minor,
		currency:          string(i.Amount.Currency),
		status:            string(i.Status),
		description:       i.Description,
		customer:          mustJSON(customer{ExternalID: i.CustomerID}),
		returnURL:         i.ReturnURL,
		expiresAt:         i.ExpiresAt,
		checkoutPath:      i.CheckoutPath,
		createdAt:         i.CreatedAt,
		updatedAt:         i.UpdatedAt,
	}
	if i.Metadata != nil {
		r.metadata = mustJSON(i.Metadata)
	}
	return r
}

// mustJSON writes values of strings, which cannot fail. Rows are compared by their
// bytes, so the escapes stay those with which the first rows were written.
func mustJSON(v any) []byte {
	text, err := json.Marshal(v, jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true))
	if err != nil {
		panic(fmt.Sprintf("projections: write JSON: %v", err))
	}
	return text
}

// intent reads the row.
func (r *intentRow) intent() (Intent, error) {
	i := Intent{
		ID:                r.id,
		Application:       r.application,
		Version:           int(r.version),
		Reference:         domain.Reference(r.reference),
		MerchantReference: domain.MerchantReference(r.merchantReference),
		Amount:            domain.Money{Minor: r.amount, Currency: domain.Currency(r.currency)},
		Status:            domain.Status(r.status),
		Description:       r.description,
		ReturnURL:         r.returnURL,
		ExpiresAt:         r.expiresAt.UTC(),
		CheckoutPath:      r.checkoutPath,
		CreatedAt:         r.createdAt.UTC(),
		UpdatedAt:         r.updatedAt.UTC(),
	}
	if err := json.Unmarshal(r.customer, &r.decoded); err != nil {
		return Intent{}, fmt.Errorf("read customer: %w", err)
	}
	i.CustomerID = r.decoded.ExternalID
	if r.metadata != nil {
		if err := json.Unmarshal(r.metadata, &i.Metadata); err != nil {
			return Intent{}, fmt.Errorf("read metadata: %w", err)
		}
	}
	return i, nil
}

// scanIntent reads the columns of an intent, which may all be null, and then others.
func scanIntent(row pgx.CollectableRow, others ...any) (Intent, error) {
	if row.RawValues()[0] == nil {
		return Intent{}, row.Scan(append(make([]any, len(intentColumns)), others...)...)
	}
	var r intentRow
	if err := intentColumns.Read(row, &r, others...); err != nil {
		return Intent{}, err
	}
	return r.intent()
}

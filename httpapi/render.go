package httpapi

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/projections"
)

// resource is an intent as the API shows it: the fields of the specification's table, all of
// them, in its order.
type resource struct {
	UUID              uuid.UUID                `json:"uuid"`
	Reference         domain.Reference         `json:"reference"`
	MerchantReference domain.MerchantReference `json:"merchant_reference"`
	Amount            int64                    `json:"amount"`
	Currency          domain.Currency          `json:"currency"`
	Status            domain.Status            `json:"status"`
	Description       string                   `json:"description"`
	Customer          customer                 `json:"customer"`
	ReturnURL         *string                  `json:"return_url"`
	Metadata          domain.Metadata          `json:"metadata"`
	ExpiresAt         locale.Instant           `json:"expires_at"`
	CheckoutURL       string                   `json:"checkout_url"`
	CreatedAt         locale.Instant           `json:"created_at"`
	UpdatedAt         locale.Instant           `json:"updated_at"`
}

type customer struct {
	ExternalID *string `json:"external_id"`
}

// resourceOf is the resource of an intent. The address of its checkout page is publicURL, which
// has no trailing slash, and the intent's path.
func resourceOf(i projections.Intent, publicURL string) resource {
	return resource{
		UUID:              uuid.UUID(i.ID),
		Reference:         i.Reference,
		MerchantReference: i.MerchantReference,
		Amount:            i.Amount.Minor,
		Currency:          i.Amount.Currency,
		Status:            i.Status,
		Description:       i.Description,
		Customer:          customer{i.CustomerID},
		ReturnURL:         i.ReturnURL,
		Metadata:          i.Metadata,
		ExpiresAt:         locale.Instant(i.ExpiresAt),
		CheckoutURL:       publicURL + i.CheckoutPath,
		CreatedAt:         locale.Instant(i.CreatedAt),
		UpdatedAt:         locale.Instant(i.UpdatedAt),
	}
}

// MarshalIntent is the API's resource of an intent as JSON, without escapes for HTML: a merchant
// reads back what it sent. There is an error only for a text that is not UTF-8, which no accepted
// request contains.
func MarshalIntent(i projections.Intent, publicURL string) ([]byte, error) {
	text, err := json.Marshal(resourceOf(i, publicURL))
	if err != nil {
		return nil, fmt.Errorf("write intent %s: %w", i.ID, err)
	}
	return text, nil
}

// data is the body of an answer: one resource, or a list of them.
type data[T any] struct {
	Data T `json:"data"`
}

// answerWith is an answer with a body of JSON. Its errors are those of MarshalIntent.
func answerWith(status int, header http.Header, body any) (answer, error) {
	text, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		return answer{}, fmt.Errorf("write answer: %w", err)
	}
	return answer{status, header, text}, nil
}

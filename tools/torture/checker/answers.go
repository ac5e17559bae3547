package checker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"daftar/tools/torture/history"
)

// resource is an intent as the API shows it.
type resource struct {
	UUID              string          `json:"uuid"`
	Reference         string          `json:"reference"`
	MerchantReference string          `json:"merchant_reference"`
	Amount            int64           `json:"amount"`
	Currency          string          `json:"currency"`
	Status            string          `json:"status"`
	Description       string          `json:"description"`
	Customer          customer        `json:"customer"`
	ReturnURL         *string         `json:"return_url"`
	Metadata          json.RawMessage `json:"metadata"`
	ExpiresAt         time.Time       `json:"expires_at"`
	CheckoutURL       string          `json:"checkout_url"`
	CreatedAt         time.Time       `json:"created_at"`
	UpdatedAt         time.Time       `json:"updated_at"`
}

type customer struct {
	ExternalID *string `json:"external_id"`
}

// answer is a decoded answer of the API.
type answer struct {
	resource
	id    uuid.UUID
	shown bool  // the answer is an intent
	err   error // it should be an intent, but cannot be decoded
}

// readAll decodes records on all processors.
func readAll[R, V any](recorded []R, read func(*R) V) []V {
	all := make([]V, len(recorded))
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for n := w; n < len(recorded); n += workers {
				all[n] = read(&recorded[n])
			}
		})
	}
	wg.Wait()
	return all
}

// readAnswer decodes an answer if it shows an intent.
func readAnswer(q *history.Request) answer {
	if q.Kind == history.Pay || (q.Status != 200 && q.Status != 201) {
		return answer{}
	}
	var a answer
	body := struct {
		Data *resource `json:"data"`
	}{&a.resource}
	if a.err = json.Unmarshal(q.Answer, &body); a.err == nil {
		a.id, a.err = uuid.Parse(a.UUID)
	}
	if a.err != nil {
		a.err = fmt.Errorf("answer %.200q: %w", q.Answer, a.err)
	}
	a.shown = a.err == nil
	return a
}

// order is the body of a create.
type order struct {
	MerchantReference string          `json:"merchant_reference"`
	Amount            int64           `json:"amount"`
	Currency          string          `json:"currency"`
	Description       string          `json:"description"`
	Customer          customer        `json:"customer"`
	ReturnURL         *string         `json:"return_url"`
	Metadata          json.RawMessage `json:"metadata"`
	ExpiresAt         *time.Time      `json:"expires_at"`
}

// field is a value that must be the same in two places.
type field struct{ name, is, want string }

// differs describes the first field that differs; empty: none does.
func differs(fields []field) string {
	for _, f := range fields {
		if f.is != f.want {
			return fmt.Sprintf("%s is %q, not %q", f.name, f.is, f.want)
		}
	}
	return ""
}

// againstLog compares the immutable fields of an intent with its first event.
func (r resource) againstLog(id uuid.UUID, c created) string {
	why := differs([]field{
		{"reference", r.Reference, c.Reference},
		{"merchant_reference", r.MerchantReference, c.MerchantReference},
		{"currency", r.Currency, c.Currency},
		{"description", r.Description, c.Description},
		{"customer", text(r.Customer.ExternalID), text(c.CustomerID)},
		{"return_url", text(r.ReturnURL), text(c.ReturnURL)},
	})
	switch {
	case why != "":
		return why
	case !sameMetadata(r.Metadata, c.Metadata):
		return fmt.Sprintf("metadata is %s, not %s", r.Metadata, c.Metadata)
	case r.Amount != c.Amount:
		return fmt.Sprintf("amount is %d, not %d", r.Amount, c.Amount)
	case !r.ExpiresAt.Equal(c.ExpiresAt):
		return fmt.Sprintf("expires_at is %v, not %v", r.ExpiresAt, c.ExpiresAt)
	case !r.CreatedAt.Equal(c.At):
		return fmt.Sprintf("created_at is %v, not %v", r.CreatedAt, c.At)
	case !strings.HasSuffix(r.CheckoutURL, c.path(id)):
		return "checkout_url does not lead to the intent"
	}
	return ""
}

// againstOrder compares a created intent with the body of the request.
func (r resource) againstOrder(sent []byte) string {
	var o order
	if err := json.Unmarshal(sent, &o); err != nil {
		return "what was sent cannot be read: " + err.Error()
	}
	why := differs([]field{
		{"merchant_reference", r.MerchantReference, o.MerchantReference},
		{"currency", r.Currency, o.Currency},
		{"description", r.Description, o.Description},
		{"customer", text(r.Customer.ExternalID), text(o.Customer.ExternalID)},
		{"return_url", text(r.ReturnURL), text(o.ReturnURL)},
	})
	switch {
	case why != "":
		return why
	case !sameMetadata(r.Metadata, o.Metadata):
		return fmt.Sprintf("metadata is %s, not %s", r.Metadata, o.Metadata)
	case r.Amount != o.Amount:
		return fmt.Sprintf("amount is %d, not %d", r.Amount, o.Amount)
	case o.ExpiresAt != nil && !r.ExpiresAt.Equal(o.ExpiresAt.Truncate(time.Microsecond)):
		return fmt.Sprintf("expires_at is %v, not %v", r.ExpiresAt, *o.ExpiresAt)
	}
	return ""
}

// text distinguishes null from every string.
func text(s *string) string {
	if s == nil {
		return "null"
	}
	return "=" + *s
}

// sameMetadata compares the pairs in their order. The same string may be escaped in several
// ways, so different texts are decoded before they count as different.
func sameMetadata(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	return pairs(a) == pairs(b)
}

func pairs(raw json.RawMessage) string {
	if len(raw) == 0 {
		raw = []byte("null") // the field was omitted
	}
	var b strings.Builder
	d := json.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := d.Token()
		if err != nil {
			return b.String()
		}
		fmt.Fprintf(&b, "%T %v\n", token, token)
	}
}

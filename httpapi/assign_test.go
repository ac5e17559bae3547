package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"daftar/internal/postgres/pgtest"
)

// A create cannot set the fields that the service decides.
func TestCreateIgnoresFieldsOfTheService(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	taken := uuid.NewString()
	got := s.create(t, s.merchant, bodyWith(
		"uuid", `"`+taken+`"`,
		"reference", `"aaaaaaaaaa"`,
		"status", `"succeeded"`,
		"checkout_url", `"https://evil.example"`,
		"application", `"`+taken+`"`,
		"created_at", `"2020-01-01T00:00:00Z"`,
		"updated_at", `"2020-01-01T00:00:00Z"`,
		"late", "true",
		"version", "7",
	))
	if got.status != http.StatusCreated || got.field(t, "status") != "requires_payment_method" {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	for field, sent := range map[string]any{
		"uuid": taken, "reference": "aaaaaaaaaa", "checkout_url": "https://evil.example",
		"created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z",
	} {
		if got.field(t, field) == sent {
			t.Errorf("the %s is the one that was sent", field)
		}
	}
}

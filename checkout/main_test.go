package checkout_test

import (
	"net/http"
	"testing"

	"daftar/internal/postgres/pgtest"
)

func TestMain(m *testing.M) {
	// httptest.Server.Close closes the idle connections of all tests; a request of another test
	// that is about to use one would fail.
	http.DefaultTransport.(*http.Transport).DisableKeepAlives = true
	pgtest.Main(m)
}

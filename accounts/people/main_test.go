package people_test

import (
	"net/http"
	"testing"

	"daftar/internal/postgres/pgtest"
)

func TestMain(m *testing.M) {
	// httptest.Server.Close cuts the idle connections of all tests; a request of another
	// that is about to use one fails.
	http.DefaultTransport.(*http.Transport).DisableKeepAlives = true
	pgtest.Main(m)
}

package webhooks_test

import (
	"context"
	"fmt"
	"io"
	"log" //nolint:depguard // net/http takes no other for its errors
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/internal/postgres"
	"daftar/webhooks"
)

// helperEnv makes the test binary a server that only dispatches, on the database
// that it names.
const helperEnv = "DAFTAR_TEST_DISPATCH"

func helper(url string) {
	ctx := context.Background()
	pool, err := postgres.Open(ctx, url, postgres.Options{SetServiceRole: true, MaxConns: 4})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	webhooks.New(webhooks.Config{
		Pool: pool, Accounts: accounts.New(pool, accounts.Options{SecretKey: key}), Log: zerolog.Nop(),
		AllowPrivate: true, Now: time.Now,
	}).Run(ctx)
}

// newTLSServer has a certificate that no client trusts, and does not log clients' TLS errors.
func newTLSServer(h http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	return s
}

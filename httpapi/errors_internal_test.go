package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"daftar/accounts"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/ledger"
	"daftar/projections"
)

const secretDetail = "password=hunter2 at db-7"

// errorRows are all kinds of error that a request can have.
var errorRows = []struct {
	rule   string
	err    error
	status int
	body   string
	header map[string]string
}{
	{"access token", accounts.ErrUnauthenticated, 401, `{"message":"Unauthenticated."}`,
		map[string]string{"WWW-Authenticate": `Bearer realm="daftar"`}},
	{"no API key", accounts.ErrMissingAPIKey, 401, `{"error":"Missing X-API-Key header."}`,
		map[string]string{"WWW-Authenticate": `Bearer realm="daftar"`}},
	{"API key", accounts.ErrInvalidAPIKey, 401, `{"error":"Invalid API key or inactive application."}`,
		map[string]string{"WWW-Authenticate": `Bearer realm="daftar"`}},
	{"other application", errForbidden, 403,
		`{"message":"This payment intent belongs to another application."}`, nil},
	{"unknown intent", ledger.ErrNotFound, 404, `{"message":"Not found."}`, nil},
	{"unknown path", errNoRoute, 404, `{"message":"Not found."}`, nil},
	{"method", errNoMethod, 405, `{"message":"Method not allowed."}`, nil},
	{"slow body", errSlowBody, 408, `{"message":"The body did not arrive in time."}`, nil},
	{"race lost", ledger.ErrContention, 409,
		`{"message":"This merchant_reference is being changed by other requests. Please try again."}`, nil},
	{"attempt under way", domain.RefusedAttemptOpen, 409,
		`{"message":"A payment attempt is under way. Please try again when it has ended."}`, nil},
	{"paid", domain.RefusedPaid, 409, `{"message":"This payment intent is paid."}`, nil},
	{"lists are behind", projections.ErrBehind, 503,
		`{"message":"The service is busy. Nothing was done; please try again."}`,
		map[string]string{"Retry-After": "1"}},
	{"being changed", errBeingChanged, 503,
		`{"message":"This payment intent is just being changed. Please try again."}`,
		map[string]string{"Retry-After": "1"}},
	{"large body", errBodyTooLarge, 413, `{"message":"The body must be at most 128 KiB."}`, nil},
	{"Content-Type", errNotJSON, 415,
		`{"message":"The Content-Type must be application/json, in UTF-8."}`, nil},
	{"Content-Encoding", errEncoded, 415,
		`{"message":"The body must be sent without a Content-Encoding."}`, nil},
	{"rate", errTooMany, 429, `{"message":"Too many requests. Please slow down."}`,
		map[string]string{"Retry-After": "1"}},
	{"listeners", errTooManyListeners, 429,
		`{"message":"Too many requests are waiting for webhooks. Please try again when one has ended."}`,
		map[string]string{"Retry-After": "4"}},
	{"guesses", accounts.Throttled{RetryAfter: 1500 * time.Millisecond}, 429,
		`{"message":"Too many requests with wrong access tokens came from your network. ` +
			`Please check yours, and try again."}`, map[string]string{"Retry-After": "2"}},
	{"malformed", &MalformedError{Sentence: "No."}, 400, `{"message":"No."}`, nil},
	{"violations", &InvalidError{Violations: []Violation{
		{Field: "amount", Sentences: []string{"One.", "Two."}},
		{Field: `metadata.a"b`, Sentences: []string{"Three."}},
	}}, 422, `{"message":"One. (and 2 more errors)",` +
		`"errors":{"amount":["One.","Two."],"metadata.a\"b":["Three."]}}`, nil},
	{"overload", eventstore.ErrOverloaded, 503,
		`{"message":"The service is busy. Nothing was done; please try again."}`,
		map[string]string{"Retry-After": "1"}},
	{"credentials keep changing", accounts.ErrStaleCredential, 503,
		`{"message":"The service is busy. Nothing was done; please try again."}`,
		map[string]string{"Retry-After": "1"}},
	{"credentials keep changing under the ledger", ledger.ErrStaleCredential, 503,
		`{"message":"The service is busy. Nothing was done; please try again."}`,
		map[string]string{"Retry-After": "1"}},
	{"store unavailable", eventstore.ErrUnavailable, 503, unavailable, map[string]string{"Retry-After": "1"}},
	{"reads closed", projections.ErrClosed, 503, unavailable, map[string]string{"Retry-After": "1"}},
	{"store closed", eventstore.ErrClosed, 503, unavailable, map[string]string{"Retry-After": "1"}},
	{"unknown outcome", eventstore.ErrOutcomeUnknown, 503,
		`{"message":"It is not known yet whether this was done. ` +
			`Please send the same request again: it is never done twice."}`, map[string]string{"Retry-After": "1"}},
	{"time is up", context.DeadlineExceeded, 503, unavailable, map[string]string{"Retry-After": "1"}},
	{"caller gone", context.Canceled, 503, unavailable, map[string]string{"Retry-After": "1"}},
	{"connection broke", io.ErrUnexpectedEOF, 503, unavailable, map[string]string{"Retry-After": "1"}},
	{"server stops", &pgconn.PgError{Code: "57P01", Message: secretDetail}, 503, unavailable,
		map[string]string{"Retry-After": "1"}},
	{"disk full", &pgconn.PgError{Code: "53100", Message: secretDetail}, 503, unavailable,
		map[string]string{"Retry-After": "1"}},
	{"serialization failure", &pgconn.PgError{Code: "40001", Message: secretDetail}, 503, unavailable,
		map[string]string{"Retry-After": "1"}},
	{"bad data", &pgconn.PgError{Code: "22021", Message: secretDetail}, 500, internal, nil},
	{"missing table", &pgconn.PgError{Code: "42P01", Message: secretDetail}, 500, internal, nil},
	{"an unexpected refusal", domain.RefusedMalformed, 500, internal, nil},
	{"anything else", errors.New(secretDetail), 500, internal, nil},
}

const (
	unavailable = `{"message":"The service is not available at the moment. Please send the same request again."}`
	internal    = `{"message":"Something went wrong on our side."}`
)

func TestErrorTable(t *testing.T) {
	t.Parallel()
	for _, row := range errorRows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			a, _ := answerTo(fmt.Errorf("do something with %s: %w", secretDetail, row.err))
			if a.status != row.status || string(a.body) != row.body {
				t.Errorf("got  %d %s\nwant %d %s", a.status, a.body, row.status, row.body)
			}
			if len(a.header) != len(row.header) {
				t.Errorf("headers %v, want %v", a.header, row.header)
			}
			for name, want := range row.header {
				if got := a.header.Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if strings.Contains(string(a.body), "hunter2") {
				t.Error("the answer shows internal detail")
			}
		})
	}
}

func TestMessageCountsSentences(t *testing.T) {
	t.Parallel()
	one := Violation{Field: "a", Sentences: []string{"First."}}
	two := Violation{Field: "b", Sentences: []string{"Second.", "Third."}}
	for _, row := range []struct {
		violations []Violation
		want       string
	}{
		{[]Violation{one}, "First."},
		{[]Violation{two}, "Second. (and 1 more error)"},
		{[]Violation{one, two}, "First. (and 2 more errors)"},
	} {
		e := &InvalidError{Violations: row.violations}
		if got := e.Message(); got != row.want {
			t.Errorf("message %q, want %q", got, row.want)
		}
	}
}

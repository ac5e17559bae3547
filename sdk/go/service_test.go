package daftar_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	daftar "daftar/sdk/go"
)

const (
	key    = "pk_key-of-the-tests"
	token  = "at_token-of-the-tests"
	uuid   = "8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11"
	intent = `{"data":{"uuid":"` + uuid + `","status":"succeeded","amount":5000}}`
	refund = `{"data":{"uuid":"` + uuid + `","status":"pending","amount":1500}}`
)

var (
	order = daftar.CreatePaymentIntent{
		MerchantReference: "order-1", Amount: 5000, Currency: "LYD", Description: "قهوة",
	}
	part = daftar.CreateRefund{RefundReference: "refund-1", Amount: daftar.Amount(1500)}
)

// asked is a request that came to the service.
type asked struct {
	*http.Request

	body string
}

// service answers requests one after the other, the last way again and again, and keeps them.
type service struct {
	*httptest.Server

	mu      sync.Mutex
	answers []http.HandlerFunc
	asked   []asked
}

func serve(t *testing.T, answers ...http.HandlerFunc) *service {
	t.Helper()
	s := &service{answers: answers}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	s.mu.Lock()
	s.asked = append(s.asked, asked{r, string(body)})
	answer := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	s.mu.Unlock()
	answer(w, r)
}

func (s *service) requests() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *service) config() daftar.Config {
	return daftar.Config{BaseURL: s.URL + "/api/v1", APIKey: key, AccessToken: token}
}

// says is an answer of the API, with headers in pairs.
func says(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for n := 0; n < len(headers); n += 2 {
			w.Header().Set(headers[n], headers[n+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// cut ends the connection after a part of an answer.
func cut(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	io.WriteString(w, intent[:20])
	panic(http.ErrAbortHandler)
}

// dropped ends the connection without an answer.
func dropped(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// clock is a clock that waits move.
type clock struct {
	now   time.Time
	waits []time.Duration
}

// start is when the clocks of the tests start.
var start = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func (c *clock) wait(ctx context.Context, d time.Duration) error {
	c.waits = append(c.waits, d)
	c.now = c.now.Add(d)
	return ctx.Err()
}

// client returns a client whose waits take no time, and are as long as chance makes them: 0 to 1.
func client(t *testing.T, c daftar.Config, chance float64) (*daftar.Client, *clock) {
	t.Helper()
	made, err := daftar.NewClient(c)
	if err != nil {
		t.Fatal(err)
	}
	k := &clock{now: start}
	made.SetClock(func() time.Time { return k.now }, k.wait, func() float64 { return chance })
	return made, k
}

// calls are all methods that send a request.
var calls = map[string]func(context.Context, *daftar.Client) error{
	"create": func(ctx context.Context, c *daftar.Client) error {
		created, err := c.CreatePaymentIntent(ctx, order)
		return nothing(created == nil, err)
	},
	"retrieve": func(ctx context.Context, c *daftar.Client) error {
		found, err := c.RetrievePaymentIntent(ctx, uuid)
		return nothing(found == nil, err)
	},
	"expire": func(ctx context.Context, c *daftar.Client) error {
		ended, err := c.ExpirePaymentIntent(ctx, uuid)
		return nothing(ended == nil, err)
	},
	"refund": func(ctx context.Context, c *daftar.Client) error {
		created, err := c.CreateRefund(ctx, uuid, part)
		return nothing(created == nil, err)
	},
	"retrieve refund": func(ctx context.Context, c *daftar.Client) error {
		found, err := c.RetrieveRefund(ctx, uuid)
		return nothing(found == nil, err)
	},
}

// nothing is the error of a call that must return a value or an error, and not both.
func nothing(isNil bool, err error) error {
	if isNil != (err != nil) {
		return fmt.Errorf("a value: %t, and an error: %w", !isNil, err)
	}
	return err
}

// mustHideCredentials fails the test where a text has one of the credentials.
func mustHideCredentials(t *testing.T, what, text string) {
	t.Helper()
	for _, secret := range []string{"key-of-the-tests", "token-of-the-tests"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s shows a credential: %s", what, text)
		}
	}
}

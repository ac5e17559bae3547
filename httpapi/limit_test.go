package httpapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
)

func TestParseRate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]httpapi.Rate{
		"off":              {},
		"50/s":             {50, 50},
		"3000/m":           {50, 3000},
		"36/h":             {0.01, 36},
		"50/s,burst=200":   {50, 200},
		"999999/s,burst=1": {999999, 1},
	} {
		if got, err := httpapi.ParseRate(text); err != nil || got != want {
			t.Errorf("%q: got %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "0/s", "50", "50/", "/s", "50/d", "-1/s", "1.5/s", "50 /s", " 50/s", "50/s,burst=0", "50/s,burst=",
		"50/s burst=9", "1000000/s", "50/S", "fast", "٥٠/s", "50/s,burst=1,burst=2",
	} {
		if got, err := httpapi.ParseRate(text); !errors.Is(err, httpapi.ErrRateForm) {
			t.Errorf("%q: got %+v, %v; want a refusal", text, got, err)
		}
	}
}

// limited is a service whose applications may send two requests at once and one
// a second, by the returned clock.
func limited(t *testing.T, url string) (*service, *time.Time, *prometheus.Registry) {
	t.Helper()
	now := time.Now()
	registry := prometheus.NewRegistry()
	s := serve(t, url, func(c *httpapi.Config) {
		c.Rate = httpapi.Rate{PerSecond: 1, Burst: 2}
		c.Now = func() time.Time { return now }
		c.Registerer = registry
	})
	return s, &now, registry
}

func (r reply) limits() string {
	return fmt.Sprintf("%d %s | %s | %s",
		r.status, r.header.Get("RateLimit-Policy"), r.header.Get("RateLimit"), r.header.Get("Retry-After"))
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	s, now, registry := limited(t, pgtest.Database(t).ServiceURL())
	const policy = ` "application";q=2;w=2 | "application";`
	for n, want := range []string{
		"404" + policy + "r=1;t=1 | ",
		"404" + policy + "r=0;t=1 | ",
		"429" + policy + "r=0;t=1 | 1",
		"429" + policy + "r=0;t=1 | 1",
	} {
		if got := s.retrieve(t, s.merchant, uuid.NewString()).limits(); got != want {
			t.Errorf("request %d is answered with\n%s, want\n%s", n+1, got, want)
		}
	}
	other := s.newApplication(t, s.merchant.app.Organization)
	if got, want := s.create(t, other, bodyWith()).limits(), "201"+policy+"r=1;t=1 | "; got != want {
		t.Errorf("another application is answered with\n%s, want\n%s", got, want)
	}
	*now = now.Add(time.Second)
	if got := s.retrieve(t, s.merchant, uuid.NewString()); got.status != 404 {
		t.Errorf("a second later the answer is %d", got.status)
	}
	families, err := registry.Gather()
	if err != nil || len(families) != 1 {
		t.Fatalf("%d metrics, %v", len(families), err)
	}
	name, got := families[0].GetName(), families[0].GetMetric()[0].GetCounter().GetValue()
	if name != "daftar_api_rate_limited_total" || got != 2 {
		t.Errorf("%s is %v, want 2 refused requests", name, got)
	}
}

// An answer to a caller without valid credentials has no headers of an application's rate, and
// its request does not count against that rate.
func TestRateLimitWithoutValidCredentials(t *testing.T) {
	t.Parallel()
	s, _, _ := limited(t, pgtest.Database(t).ServiceURL())
	wrongToken, wrongKey := s.merchant, s.merchant
	wrongToken.token = "at_nonsense"
	wrongKey.app.APIKey = "pk_nonsense"
	for range 3 {
		for _, m := range []merchant{wrongToken, wrongKey} {
			if got := s.retrieve(t, m, uuid.NewString()).limits(); got != "401  |  | " {
				t.Errorf("answered with %s", got)
			}
		}
	}
	if got := s.retrieve(t, s.merchant, uuid.NewString()); got.status != http.StatusNotFound {
		t.Errorf("the application itself is answered with %d", got.status)
	}
	// A key that was rolled, on the server that has it in memory.
	s.rollKey(t, s.merchant)
	if got := s.retrieve(t, s.merchant, uuid.NewString()).limits(); got != "401  |  | " {
		t.Errorf("with a rolled key: %s", got)
	}
}

// A request over the limit needs no query: it is refused at once while the database does not
// answer.
func TestRateLimitCostsNoQuery(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t, pgtest.Database(t).ServiceURL())
	s, _, _ := limited(t, proxy.URL())
	for range 2 {
		s.retrieve(t, s.merchant, uuid.NewString())
	}
	proxy.Stall()
	defer proxy.Pass()
	// A request with a query would wait for the database and get 503.
	for _, got := range []reply{
		s.retrieve(t, s.merchant, uuid.NewString()),
		s.create(t, s.merchant, bodyWith()),
		s.create(t, s.merchant, "{"),
	} {
		if got.status != http.StatusTooManyRequests {
			t.Errorf("answered with %d %s", got.status, got.body)
		}
	}
}

func TestNoRateLimitSetsNoHeaders(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	for range 20 {
		if got := s.retrieve(t, s.merchant, uuid.NewString()).limits(); got != "404  |  | " {
			t.Fatalf("answered with %s", got)
		}
	}
}

package webhooks_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// arrival is a request that an endpoint got.
type arrival struct {
	Path   string
	Header http.Header
	Body   string
	At     time.Time
}

func (a arrival) id() string { return a.Header.Get("webhook-id") }

// endpoint is a merchant's server. It answers 200 until the test sets another answer.
type endpoint struct {
	*httptest.Server
	mu       sync.Mutex
	arrivals []arrival
	answer   http.HandlerFunc
}

func newEndpoint(t testing.TB) *endpoint {
	e := &endpoint{}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	e.mu.Lock()
	e.arrivals = append(e.arrivals, arrival{
		Path: r.URL.Path, Header: r.Header.Clone(), Body: string(text), At: time.Now(),
	})
	answer := e.answer
	e.mu.Unlock()
	if answer != nil {
		answer(rw, r)
	}
}

func (e *endpoint) got() []arrival {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]arrival(nil), e.arrivals...)
}

func (e *endpoint) answers(h http.HandlerFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answer = h
}

// status answers with a status and nothing else.
func status(code int) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(code) }
}

// hang does not answer before the sender cancels the request.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

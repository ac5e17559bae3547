package acquirertest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"

	"daftar/payments/acquirer/fake"
)

// Nowhere is an address that refuses connections: nothing listens at port 1. A port that was
// closed a moment ago may belong to another test by now.
const Nowhere = "http://127.0.0.1:1"

// Server is a fake on loopback.
type Server struct {
	*httptest.Server

	t        testing.TB
	fake     http.Handler
	api      string
	requests atomic.Int64
	plan     fake.Plan

	mu    sync.Mutex
	hold  *hold
	alter func([]byte) []byte
}

// hold is a request that is not answered until its caller goes away.
type hold struct {
	carriedOut bool
	reached    chan struct{}
}

// NewServer serves a fake until the end of the test. The adapter's requests have paths that
// begin with api; those of payers and of control do not.
func NewServer(t testing.TB, api string, h http.Handler) *Server {
	t.Helper()
	s := &Server{t: t, fake: h, api: api}
	s.plan.HangFor = 1 // as short as possible: tests of long waits use Hold
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

// Requests is how many requests of the adapter have come in.
func (s *Server) Requests() int { return int(s.requests.Load()) }

// Fault makes the next request of the adapter fail, for fakes whose control cannot.
func (s *Server) Fault(f fake.Fault) { s.plan.Add("", f) }

// Hold makes the next request of the adapter wait until its caller goes away, carried out or
// not. The channel is closed when it waits.
func (s *Server) Hold(carriedOut bool) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold = &hold{carriedOut, make(chan struct{})}
	return s.hold.reached
}

// Alter changes the bodies of the answers to the adapter from now on.
func (s *Server) Alter(alter func([]byte) []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.alter = alter
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, s.api) {
		s.fake.ServeHTTP(w, r)
		return
	}
	s.requests.Add(1)
	// On a connection that was used before, net/http itself sends a GET again when it breaks.
	w.Header().Set("Connection", "close")
	// Read now, because otherwise the server does not notice that the caller goes away.
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	held, alter := s.hold, s.alter
	s.hold = nil
	s.mu.Unlock()
	if held != nil {
		if held.carriedOut {
			s.fake.ServeHTTP(httptest.NewRecorder(), r)
		}
		close(held.reached)
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	}
	s.plan.Around("", func(w http.ResponseWriter, r *http.Request) {
		if alter == nil {
			s.fake.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		s.fake.ServeHTTP(answer, r)
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(alter(answer.Body.Bytes()))
	})(w, r)
}

// Control sends a control request: a GET where there is no body, otherwise a POST. It reads the
// answer if into is not nil.
func (s *Server) Control(path, body string, into any) {
	s.t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	res, err := s.Client().Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= http.StatusMultipleChoices {
		s.t.Fatalf("%s %s: %d %s, %v", path, body, res.StatusCode, answer, err)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(answer, into); err != nil {
		s.t.Fatal(err)
	}
}

// Books returns the fake's entry for the reference; the zero Payment where it has none.
func (s *Server) Books(reference string) fake.Payment {
	s.t.Helper()
	var ledger struct {
		Payments []fake.Payment `json:"payments"`
	}
	s.Control("/control/ledger", "", &ledger)
	for _, p := range ledger.Payments {
		if p.Reference == reference {
			return p
		}
	}
	return fake.Payment{}
}

// Answering starts an acquirer that always gives the same answer, and returns its address.
func Answering(t testing.TB, status int, kind, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

package lypay_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
)

// planFault plans a fault for the next call of a name.
func (w *world) planFault(call, fault string) {
	w.t.Helper()
	w.Control("/control/faults", `{"call":"`+call+`","faults":["`+fault+`"]}`, nil)
}

// script is a bank with a fixed answer to each path.
type script struct {
	mu     sync.Mutex
	lines  map[string]reply // by method and path
	asked  []string         // method, path and query
	bodies []string
	header http.Header // of the last request
}

type reply struct {
	status int
	kind   string // "": JSON
	body   string
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.RequestURI())
	s.bodies = append(s.bodies, string(body))
	s.header = r.Header.Clone()
	line, ok := s.lines[r.Method+" "+r.URL.Path]
	if !ok {
		line = reply{status: http.StatusNotFound, body: `{"message":"Not found."}`}
	}
	if line.kind == "" {
		line.kind = "application/json"
	}
	w.Header().Set("Content-Type", line.kind)
	w.WriteHeader(line.status)
	_, _ = io.WriteString(w, line.body)
}

// scripted opens an account at a bank that answers as the script says.
func scripted(t *testing.T, lines map[string]reply) (acquirer.Acquirer, *script) {
	t.Helper()
	s := &script{lines: lines}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return open(t, server.URL, acquirertest.NewClock(), settings), s
}

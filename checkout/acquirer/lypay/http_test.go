package lypay_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"daftar/checkout/acquirer"

	"github.com/go-json-experiment/json"
)

// control calls the fake as a developer with curl would.
func (w *world) control(method, path, body string, want int, into any) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.server.URL+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	res, err := w.server.Client().Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		w.t.Fatalf("%s %s: %d %s, %v, want %d", method, path, res.StatusCode, answer, err, want)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(answer, into); err != nil {
		w.t.Fatal(err)
	}
}

// faulty has the next calls of a name go wrong.
func (w *world) faulty(call, fault string) {
	w.t.Helper()
	w.control(http.MethodPost, "/control/faults", `{"call":"`+call+`","faults":["`+fault+`"]}`, http.StatusNoContent, nil)
}

// script is a bank that answers each path with what stands there.
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
	return open(t, server.URL, &clock{now: someday}, settings), s
}

package openapi_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"daftar/httpapi"
)

// witness is a proxy between a client and the API that checks both against openapi.yaml and records
// what it saw.
type witness struct {
	described *description
	server    *httptest.Server

	mu             sync.Mutex
	passed         int                 // requests
	seen           map[string]int      // "createPaymentIntent 201" -> how often
	bodies         map[string]struct{} // of refusals
	faults         []string
	refusedAllowed []string // refused although the document allows it
}

// plainHeaders are the headers of any HTTP answer, which the document leaves out.
var plainHeaders = []string{"Content-Length", "Content-Type", "Date"}

// observe starts a witness in front of a service. Tamper may change answers on their way from the
// service to the witness.
func observe(t *testing.T, s *service, tamper func(*http.Response)) *witness {
	t.Helper()
	target, err := url.Parse(s.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	w := &witness{described: describe(t), seen: map[string]int{}, bodies: map[string]struct{}{}}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.URL.RawQuery = r.In.URL.RawQuery // also one that cannot be parsed
		},
		ModifyResponse: func(answer *http.Response) error { return w.judge(answer, tamper) },
	}
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(rw, r.Body, 1<<20))
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadGateway)
			return
		}
		r.Body, r.GetBody = io.NopCloser(bytes.NewReader(body)), func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(body)), nil
		}
		proxy.ServeHTTP(rw, r)
	}))
	t.Cleanup(w.server.Close)
	return w
}

// send sends a request directly, without the witness, and returns the answer.
func (w *witness) send(t *testing.T, m merchant,
	method, path, body string, header http.Header,
) (status int, answered string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, w.server.URL+httpapi.Prefix+path,
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Authorization", "Bearer "+m.token)
	if m.apiKey != "" {
		r.Header.Set("X-API-Key", m.apiKey)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(r.Header, header)
	answer, err := w.server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// judge checks a request and its answer together.
func (w *witness) judge(answer *http.Response, tamper func(*http.Response)) error {
	if tamper != nil {
		tamper(answer)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	answer.Header.Set("Content-Length", strconv.Itoa(len(body)))
	asked, status := []*http.Request{answer.Request}, answer.StatusCode
	if status == http.StatusMethodNotAllowed {
		asked = w.described.described(answer.Request)
	}
	w.mu.Lock()
	w.passed++
	if status >= http.StatusBadRequest {
		w.bodies[string(body)] = struct{}{}
	}
	w.mu.Unlock()
	for _, r := range asked {
		w.note(r, answer, body)
	}
	return nil
}

// note records an answer and its faults as those of one operation.
func (w *witness) note(r *http.Request, answer *http.Response, body []byte) {
	name, faults, status := "", []string(nil), answer.StatusCode
	operation := w.described.operation(r)
	valid := operation != nil && w.described.allows(r)
	if operation != nil {
		name = operation.OperationId
		faults = w.compare(r, answer, body, valid)
	} else if status != http.StatusNotFound {
		faults = append(faults, fmt.Sprintf(
			"%s %s is not described, and is answered with %d", r.Method, r.URL.Path, status))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, faults...)
	w.seen[name+" "+strconv.Itoa(status)]++
	refused := []int{http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity}
	if valid && slices.Contains(refused, status) {
		w.refusedAllowed = append(w.refusedAllowed, string(body))
	}
}

// compare returns the differences between an answer and the description of its operation.
func (w *witness) compare(r *http.Request, answer *http.Response, body []byte, valid bool) []string {
	status := answer.StatusCode
	faults := w.described.faults(r, status, answer.Header, body)
	if !valid && status < http.StatusBadRequest {
		faults = append(faults, fmt.Sprintf(
			"%s %s breaks openapi.yaml, and is answered with %d %s", r.Method, r.URL.Path, status, body))
	}
	known := slices.Clone(plainHeaders)
	for name := range w.described.headers(r, status) {
		known = append(known, http.CanonicalHeaderKey(name))
	}
	for name := range answer.Header {
		if !slices.Contains(known, name) {
			faults = append(faults, fmt.Sprintf(
				"%s %s is answered with %d and a header %s that openapi.yaml does not have",
				r.Method, r.URL.Path, status, name))
		}
	}
	return faults
}

// found are the faults so far.
func (w *witness) found() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.faults)
}

func (w *witness) mustFindNothing(t *testing.T) {
	t.Helper()
	for _, fault := range w.found() {
		t.Errorf("witness: %s", fault)
	}
}

package httpapi_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// witness stands between a client that nobody here wrote and the API, holds both
// to openapi.yaml, and keeps what it saw.
type witness struct {
	described *description
	server    *httptest.Server

	mu     sync.Mutex
	seen   map[string]int // "createPaymentIntent 201" -> how often
	faults []string
	beyond []string // refused although the document allows it
}

// plainHeaders are those of any HTTP answer, which the document leaves unsaid.
var plainHeaders = []string{"Content-Length", "Content-Type", "Date"}

// observe starts a witness of what a server is asked. Tamper may change answers
// on their way from the server to the witness.
func observe(t *testing.T, server string, tamper func(*http.Response)) *witness {
	t.Helper()
	target, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	w := &witness{described: describe(t), seen: map[string]int{}}
	proxy := &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(target) },
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

// judge looks at a request and its answer together.
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
	r := answer.Request
	status := answer.StatusCode

	var faults []string
	operation := w.described.operation(r.Method, r.URL.Path)
	valid := operation != "" && w.described.allows(r)
	switch {
	case operation == "" && status != http.StatusMethodNotAllowed && status != http.StatusNotFound:
		faults = append(faults, fmt.Sprintf("%s %s is not described, and is answered with %d", r.Method, r.URL.Path, status))
	case operation != "":
		faults = w.described.faults(r, status, answer.Header, body)
		if !valid && status < http.StatusBadRequest {
			faults = append(faults, fmt.Sprintf("%s breaks openapi.yaml, and is answered with %d %s", operation, status, body))
		}
		known := plainHeaders
		for name := range w.described.headers(r, status) {
			known = append(slices.Clip(known), http.CanonicalHeaderKey(name))
		}
		for name := range answer.Header {
			if !slices.Contains(known, name) {
				faults = append(faults, fmt.Sprintf("%s is answered with %d and a header %s that openapi.yaml does not have", operation, status, name))
			}
		}
	}

	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, faults...)
	w.seen[operation+" "+strconv.Itoa(status)]++
	if valid && slices.Contains([]int{http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity}, status) {
		w.beyond = append(w.beyond, string(body))
	}
	return nil
}

// operation is the id of what a request asks for; "" where nothing describes it.
func (d *description) operation(method, path string) string {
	for template, item := range d.model.Paths.PathItems.FromOldest() {
		if operation, ok := item.GetOperations().Get(lower(method)); ok && matches(template, path) {
			return operation.OperationId
		}
	}
	return ""
}

// allows says whether a request is one that the document allows.
func (d *description) allows(r *http.Request) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	sent := r.Clone(r.Context())
	// The proxy has sent the body; it is kept for this.
	if r.GetBody != nil {
		sent.Body, _ = r.GetBody()
	}
	ok, _ := d.validator.ValidateHttpRequestSync(sent)
	return ok
}

// answers are the operations and statuses that the document describes.
func (d *description) answers() (all []string) {
	for _, item := range d.model.Paths.PathItems.FromOldest() {
		for _, operation := range item.GetOperations().FromOldest() {
			for status := range operation.Responses.Codes.FromOldest() {
				all = append(all, operation.OperationId+" "+status)
			}
		}
	}
	return all
}

// found is what was wrong so far.
func (w *witness) found() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.faults)
}

func (w *witness) mustBeContent(t *testing.T) {
	t.Helper()
	for _, fault := range w.found() {
		t.Errorf("witness: %s", fault)
	}
}

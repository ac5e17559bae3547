package web_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"daftar/internal/web"
)

func TestComponentWrapsRequests(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var seen string
	sorry := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }
	var answered []int
	component := web.Component{
		Name: "counter", Log: zerolog.New(&log), Panicked: sorry,
		Answered: func(r *http.Request, id string, a *web.Recorder, took time.Duration) {
			if id != seen || took <= 0 {
				t.Errorf("%s: answered as %q after %s", r.URL.Path, id, took)
			}
			answered = append(answered, a.Status)
		},
	}
	h := component.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = web.RequestID(r.Context())
		switch r.URL.Path {
		case "/fine":
			w.WriteHeader(http.StatusOK)
		case "/broken":
			panic("the drawer is stuck")
		case "/torn":
			panic(http.ErrAbortHandler)
		}
	}))
	ask := func(path string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path+"?token=hidden", nil))
		if id := answer.Header().Get("X-Request-Id"); id == "" || id != seen {
			t.Errorf("%s: the answer has the id %q, the handler saw %q", path, id, seen)
		}
		return answer
	}
	if got := ask("/fine").Code; got != http.StatusOK || log.Len() > 0 {
		t.Errorf("status %d, log %s", got, log.String())
	}
	if got := ask("/broken").Code; got != http.StatusInternalServerError {
		t.Errorf("status %d after a panic", got)
	}
	text := log.String()
	if !strings.Contains(text, "the drawer is stuck") || !strings.Contains(text, seen) ||
		strings.Contains(text, "hidden") {
		t.Errorf("the log says %s", text)
	}
	if !slices.Equal(answered, []int{http.StatusOK, http.StatusInternalServerError}) {
		t.Errorf("Answered was called for %v", answered)
	}
	defer func() {
		if cause := recover(); cause != http.ErrAbortHandler { //nolint:errorlint // net/http compares this value
			t.Errorf("recovered %v: an abort on purpose must reach the server", cause)
		}
	}()
	ask("/torn")
}

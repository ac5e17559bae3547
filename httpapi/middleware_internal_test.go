package httpapi

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"
)

// wrapped is a handler with what all requests need.
func wrapped(c Config, h http.HandlerFunc) http.Handler { return (&api{Config: c}).wrap(h) }

var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func TestRequestIDIsAcceptedOrMade(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		rule   string
		sent   []string
		accept bool
	}{
		{"plain", []string{"a.B_9-"}, true},
		{"uuid", []string{uuid.NewString()}, true},
		{"64 characters", []string{strings.Repeat("x", 64)}, true},
		{"none", nil, false},
		{"empty", []string{""}, false},
		{"65 characters", []string{strings.Repeat("x", 65)}, false},
		{"space", []string{"a b"}, false},
		{"line break", []string{"a\nb"}, false},
		{"other letters", []string{"طلب"}, false},
		{"quote", []string{`a"b`}, false},
		{"two", []string{"a", "b"}, false},
	} {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			if row.sent != nil {
				r.Header["X-Request-Id"] = row.sent
			}
			w := httptest.NewRecorder()
			wrapped(Config{Deadline: time.Minute}, http.NotFound).ServeHTTP(w, r)
			got := w.Header().Get("X-Request-Id")
			if row.accept && got != row.sent[0] {
				t.Errorf("id %q, want the one that was sent", got)
			}
			if !row.accept && !uuidForm.MatchString(got) {
				t.Errorf("id %q, want a new uuid", got)
			}
		})
	}
}

func TestPanicIsAnsweredAndLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := wrapped(Config{Log: zerolog.New(&log), Deadline: time.Minute},
		func(http.ResponseWriter, *http.Request) { panic(secretDetail) })
	r := httptest.NewRequest(http.MethodGet, "/x?token=secret", nil)
	r.Header.Set("X-Request-Id", "id-1")
	r.Header.Set("Authorization", "Bearer at_secret")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 500 || w.Body.String() != internal {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	for name, want := range map[string]string{"X-Request-Id": "id-1", "Content-Type": "application/json"} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	logged := log.String()
	for _, want := range []string{secretDetail, `"request_id":"id-1"`, `"stack"`, `"status":500`} {
		if !strings.Contains(logged, want) {
			t.Errorf("the log lacks %s:\n%s", want, logged)
		}
	}
	for _, never := range []string{"at_secret", "token=secret"} {
		if strings.Contains(logged, never) {
			t.Errorf("the log shows %s", never)
		}
	}
}

// A half-sent answer must not look like a complete one.
func TestPanicAfterTheFirstByteBreaksTheConnection(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(wrapped(Config{Deadline: time.Minute},
		func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			panic("late")
		}))
	t.Cleanup(server.Close)
	answer, err := server.Client().Get(server.URL)
	if err != nil {
		return // broken off before the header was read
	}
	defer answer.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(answer.Body); err == nil {
		t.Errorf("the answer came to its end: %q", body.String())
	}
}

func TestRequestsHaveADeadline(t *testing.T) {
	t.Parallel()
	var left time.Duration
	h := wrapped(Config{Deadline: 5 * time.Second},
		func(_ http.ResponseWriter, r *http.Request) {
			if deadline, ok := r.Context().Deadline(); ok {
				left = time.Until(deadline)
			}
		})
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	if left <= 0 || left > 5*time.Second {
		t.Errorf("%v left, want at most 5 s", left)
	}
	if got := shareOfBody(5 * time.Second); got != 4*time.Second {
		t.Errorf("of five seconds a body may take %s, want four: the rest is for the answer", got)
	}
}

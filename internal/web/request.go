package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/domain"
)

const headerRequestID = "X-Request-Id"

// requestIDKey is where the context keeps the request's id.
type requestIDKey struct{}

// RequestID is the id that a Component gave to a request; empty outside of one.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// Component is a part of the server: the API, the checkout or the dashboard.
type Component struct {
	Name string // for the log
	Log  zerolog.Logger
	// Panicked answers a request whose handler panicked before it answered.
	Panicked http.HandlerFunc
	// Deadline is how long a request may take in all. 0 leaves it to the handlers.
	Deadline time.Duration
	// CallersID takes the X-Request-Id of the caller where it is well formed.
	CallersID bool
	// LogPaths logs every request, with its path, at debug level. Some parts have
	// secrets in their paths.
	LogPaths bool
	// Answered is called for every request when its answer is complete; may be nil.
	Answered func(r *http.Request, id string, a *Recorder, took time.Duration)
}

// Wrap gives every request an id, which the answer repeats in X-Request-Id, a
// deadline, and an answer even if the handler panics. A panic after the answer has
// begun breaks the connection, so that no client mistakes half an answer for a whole
// one.
func (c Component) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		id := ""
		if c.CallersID {
			id = callersID(r.Header)
		}
		if id == "" {
			id = uuid.NewString()
		}
		w.Header().Set(headerRequestID, id)
		ctx := context.WithValue(r.Context(), requestIDKey{}, id)
		if c.Deadline > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, c.Deadline)
			defer cancel()
		}
		recorder := RecorderOf(w)
		if recorder == nil {
			recorder = &Recorder{ResponseWriter: w}
			w = recorder
		}
		c.recoverPanic(next, recorder, w, r.WithContext(ctx))
		if c.Answered != nil {
			c.Answered(r, id, recorder, time.Since(began))
		}
		if c.LogPaths {
			c.Log.Debug().Str("request_id", id).Str("method", r.Method).Str("path", r.URL.Path).
				Int("status", recorder.Status).Int("bytes", recorder.Bytes).
				Dur("took", time.Since(began)).Msg("request")
		}
	})
}

// recoverPanic calls the handler. It logs a panic and answers for it.
func (c Component) recoverPanic(
	next http.Handler, recorder *Recorder, w http.ResponseWriter, r *http.Request,
) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(cause)
		}
		c.Log.Error().Str("request_id", RequestID(r.Context())).Str("panic", fmt.Sprint(cause)).
			Bytes("stack", debug.Stack()).Msg("panic in the " + c.Name)
		if recorder.Status != 0 {
			panic(http.ErrAbortHandler)
		}
		c.Panicked(w, r)
	}()
	next.ServeHTTP(w, r)
}

var callersForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// callersID is the caller's request id where it is safe to log, store and echo: 1 to
// 64 of letters, digits, dot, underscore and dash, and no access token. It is empty
// otherwise.
func callersID(h http.Header) string {
	sent := h.Values(headerRequestID)
	if len(sent) != 1 || strings.HasPrefix(sent[0], "at_") || !callersForm.MatchString(sent[0]) {
		return ""
	}
	return sent[0]
}

// Recorder remembers what was answered, for the logs, the metrics and the traces.
type Recorder struct {
	http.ResponseWriter
	Route  string // its pattern; empty where no route was taken
	Status int    // 0 while the answer has not begun
	Bytes  int
	// What handlers of the API set: whose request it is and which intent it is about, if they
	// know, and the body of a refusal, as it may be stored.
	Application domain.ApplicationID
	Intent      domain.IntentID
	Refusal     []byte
}

// RecorderOf finds the Recorder that w writes to, through writers with Unwrap; nil
// where there is none.
func RecorderOf(w http.ResponseWriter) *Recorder {
	for {
		switch at := w.(type) {
		case *Recorder:
			return at
		case interface{ Unwrap() http.ResponseWriter }:
			w = at.Unwrap()
		default:
			return nil
		}
	}
}

// WriteHeader implements http.ResponseWriter.
func (r *Recorder) WriteHeader(status int) {
	if r.Status == 0 && status >= http.StatusOK {
		r.Status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (r *Recorder) Write(b []byte) (int, error) {
	if r.Status == 0 {
		r.Status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.Bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *Recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

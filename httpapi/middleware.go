package httpapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"
)

const headerRequestID = "X-Request-Id"

// answer is a response that is complete before any of it is sent, so that a
// failure on the way never leaves half of one behind.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) send(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	// The caller may be gone; there is nobody left to tell.
	_, _ = w.Write(a.body)
}

// requestIDKey is where the context keeps the request's id.
type requestIDKey struct{}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// framed puts around every request what all answers have in common, those of
// unknown paths and of panics too.
func (a *api) framed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		id := incomingRequestID(r.Header)
		if id == "" {
			id = uuid.NewString()
		}
		h := w.Header()
		h.Set(headerRequestID, id)
		h.Set("Content-Type", "application/json")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")

		ctx, cancel := context.WithTimeout(context.WithValue(r.Context(), requestIDKey{}, id), a.deadline)
		defer cancel()
		beginBodyDeadline(w, r, began.Add(a.slowBody))
		seen := &observed{ResponseWriter: w}
		a.recovering(next, seen, r.WithContext(ctx))
		a.log.Debug().Str("request_id", id).Str("method", r.Method).Str("path", r.URL.Path).
			Int("status", seen.status).Int("bytes", seen.bytes).Dur("took", time.Since(began)).Msg("request")
	})
}

// recovering turns a panic into an answer. If one has begun already, the
// connection is broken off instead, so that nobody takes a part for the whole.
func (a *api) recovering(next http.Handler, w *observed, r *http.Request) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(cause)
		}
		a.log.Error().Str("request_id", requestID(r.Context())).Str("panic", fmt.Sprint(cause)).
			Bytes("stack", debug.Stack()).Msg("panic while answering a request")
		if w.status != 0 {
			panic(http.ErrAbortHandler)
		}
		reply, _ := answerTo(errPanic)
		reply.send(w)
	}()
	next.ServeHTTP(w, r)
}

// refuse answers with an error and logs it where its row says so.
func (a *api) refuse(w http.ResponseWriter, r *http.Request, err error) {
	reply, level := answerTo(err)
	if reply.status == http.StatusUnauthorized {
		unannounce(w.Header())
	}
	if level > zerolog.DebugLevel {
		a.log.WithLevel(level).Err(err).Str("request_id", requestID(r.Context())).
			Str("method", r.Method).Str("path", r.URL.Path).Int("status", reply.status).Msg("request refused")
	}
	reply.send(w)
}

// incomingRequestID takes the caller's id where it is one that can be logged,
// stored and echoed without a thought: 1 to 64 of letters, digits, dot, underscore
// and dash, and no access token. It is empty otherwise.
func incomingRequestID(h http.Header) string {
	sent := h.Values(headerRequestID)
	if len(sent) != 1 || len(sent[0]) > 64 || strings.HasPrefix(sent[0], "at_") {
		return ""
	}
	for _, c := range []byte(sent[0]) {
		if !isWordByte(c) {
			return ""
		}
	}
	return sent[0]
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-'
}

// observed remembers what was answered.
type observed struct {
	http.ResponseWriter
	status int
	bytes  int
}

func (o *observed) WriteHeader(status int) {
	if o.status == 0 {
		o.status = status
	}
	o.ResponseWriter.WriteHeader(status)
}

func (o *observed) Write(b []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	n, err := o.ResponseWriter.Write(b)
	o.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (o *observed) Unwrap() http.ResponseWriter { return o.ResponseWriter }

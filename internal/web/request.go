package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/google/uuid"
	"github.com/rs/zerolog"
)

// requestIDKey is where the context keeps the request's id.
type requestIDKey struct{}

// RequestID is the id that Framed gave to a request; empty outside of one.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// Framed gives every request of a part of the service an id, which the answer
// tells in X-Request-Id, and an answer even where the code panics: that of sorry.
// Addresses are not logged; some are secrets.
func Framed(part string, log zerolog.Logger, sorry http.HandlerFunc, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := uuid.NewString()
		w.Header().Set("X-Request-Id", id)
		r = r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id))
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(cause)
			}
			log.Error().Str("request_id", id).Str("panic", fmt.Sprint(cause)).Bytes("stack", debug.Stack()).
				Msg("panic in the " + part)
			sorry(w, r)
		}()
		next.ServeHTTP(w, r)
	})
}

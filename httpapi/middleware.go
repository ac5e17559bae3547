package httpapi

import (
	"errors"
	"maps"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/internal/web"
)

// answer is a response that is complete before any of it is sent, so that a
// failure never leaves a half-sent response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) send(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	// An error means that the caller is gone.
	_, _ = w.Write(a.body)
}

// wrap adds what all requests need, also those of unknown paths: the log, the deadlines and the
// recovery from a panic.
func (a *api) wrap(next http.Handler) http.Handler {
	component := web.Component{
		Name: "API", Log: a.Log, Deadline: a.Deadline, CallersID: true, LogPaths: true,
		Answered: a.answered,
		Panicked: func(w http.ResponseWriter, r *http.Request) {
			reply, _ := answerTo(errPanic)
			noteRefusal(w, r, errPanic, reply)
			reply.send(w)
		},
	}
	return component.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		beginBodyDeadline(w, r, time.Now().Add(shareOfBody(a.Deadline)))
		next.ServeHTTP(w, r)
	}))
}

// refuse answers with an error and logs it at the level of its row, if that is above debug.
func (a *api) refuse(w http.ResponseWriter, r *http.Request, err error) {
	reply, level := answerTo(err)
	noteRefusal(w, r, err, reply)
	if reply.status == http.StatusUnauthorized {
		clearRateHeaders(w.Header())
	}
	if errors.Is(err, accounts.ErrUnauthenticated) {
		reply.header.Set(headerChallenge, challengeOf(r.Header))
	}
	if level > zerolog.DebugLevel {
		a.Log.WithLevel(level).Err(err).Str("request_id", web.RequestID(r.Context())).
			Str("method", r.Method).Str("path", r.URL.Path).Int("status", reply.status).
			Msg("request refused")
	}
	reply.send(w)
}

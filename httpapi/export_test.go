package httpapi

import (
	"bytes"
	"net/http"
	"time"

	"daftar/accounts"
)

// MaxListenersApplication is how many requests of an application wait for webhooks.
const MaxListenersApplication = maxListenersApplication

// Listeners are who waits for webhooks.
type Listeners = listeners

func (l *listeners) Enter(c accounts.Credential) bool { return l.enter(c) }

func (l *listeners) Leave(c accounts.Credential) { l.leave(c) }

// AnswerTo shows the error table to tests.
func AnswerTo(err error) (status int, header http.Header, body string) {
	a, _ := answerTo(err)
	return a.status, a.header, string(a.body)
}

// Wrap gives the requests of a test's handler what all have in common.
func Wrap(c Config, next http.Handler) http.Handler {
	c.slowBody = shareOfBody(c.Deadline)
	return (&api{Config: c}).wrap(next)
}

// OpenAPI is the API's description, which document serves.
func OpenAPI() []byte { return bytes.Clone(openAPI) }

// SetSlowBody changes how long a body may take.
func (c *Config) SetSlowBody(limit time.Duration) { c.slowBody = limit }

// ShareOfBody shows how much of a request's time its body may take.
var ShareOfBody = shareOfBody

// Differing shows which fields of a repeated request are reported.
var Differing = differing

// The refusals that are decided in this package.
var (
	ErrForbidden        = errForbidden
	ErrBeingChanged     = errBeingChanged
	ErrNoRoute          = errNoRoute
	ErrNoMethod         = errNoMethod
	ErrSlowBody         = errSlowBody
	ErrBodyTooLarge     = errBodyTooLarge
	ErrNotJSON          = errNotJSON
	ErrEncoded          = errEncoded
	ErrTooMany          = errTooMany
	ErrTooManyListeners = errTooManyListeners
)

// MaxBody is the size limit of a request.
const MaxBody = maxBody

// Beginning shows how much of a text is kept.
var Beginning = beginning

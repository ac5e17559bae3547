package httpapi

import (
	"bytes"
	"net/http"
	"time"

	"daftar/accounts"
)

// MaxListenersApplication is how many requests of an application wait for webhooks.
const MaxListenersApplication = maxListenersApplication

// Listeners counts the requests that wait for webhooks.
type Listeners = listeners

func (l *listeners) Enter(c accounts.Credential) bool { return l.enter(c) }

func (l *listeners) Leave(c accounts.Credential) { l.leave(c) }

// AnswerTo shows the error table to tests.
func AnswerTo(err error) (status int, header http.Header, body string) {
	a, _ := answerTo(err)
	return a.status, a.header, string(a.body)
}

// Wrap wraps a test's handler like the API's own.
func Wrap(c Config, next http.Handler) http.Handler {
	c.slowBody = shareOfBody(c.Deadline)
	return (&api{Config: c}).wrap(next)
}

// OpenAPI is the API's description, with its placeholders.
func OpenAPI() []byte { return bytes.Clone(openAPI) }

// SetSlowBody changes how long a body may take.
func (c *Config) SetSlowBody(limit time.Duration) { c.slowBody = limit }

// ShareOfBody is the part of a request's time that its body may take.
var ShareOfBody = shareOfBody

// Differing names the fields of a repeated request that differ.
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

// Truncate cuts a text to its size in the log.
var Truncate = truncate

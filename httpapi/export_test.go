package httpapi

import "net/http"

// AnswerTo shows the error table to tests.
func AnswerTo(err error) (status int, header http.Header, body string) {
	a, _ := answerTo(err)
	return a.status, a.header, string(a.body)
}

// Framed puts the common frame around a handler of the test's.
func Framed(c Config, next http.Handler) http.Handler {
	a := &api{log: c.Log, deadline: c.Deadline}
	return a.framed(next)
}

// Differing shows which fields of a repeated request are reported.
var Differing = differing

// The refusals that are decided in this package.
var (
	ErrForbidden    = errForbidden
	ErrNoRoute      = errNoRoute
	ErrNoMethod     = errNoMethod
	ErrSlowBody     = errSlowBody
	ErrBodyTooLarge = errBodyTooLarge
	ErrNotJSON      = errNotJSON
	ErrEncoded      = errEncoded
	ErrTooMany      = errTooMany
)

// MaxBody is the size limit of a request.
const MaxBody = maxBody

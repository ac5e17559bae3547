// Package web is what each part of the server does with a request before its handlers
// get it, and with the answer: Component gives it an id, a deadline and a Recorder, answers
// a panic and logs it; SecurityHeaders protects pages; Proxies finds the client's address,
// and NetworkLimits counts by it.
//
// Nothing here uses a database. A panic of a handler is logged and answered.
package web

// Package web is what each part of the server does with a request before its handlers
// see it, and with the answer: Part gives it a number, a deadline and a record, answers
// a panic and logs it; SecurityHeaders protects pages; Proxies finds the client's
// address, and NetworkLimits counts by it.
//
// Nothing here uses a database. A panic of a handler is logged and answered.
package web

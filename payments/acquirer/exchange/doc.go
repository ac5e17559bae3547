// Package exchange sends adapters' requests to an acquirer over HTTP: one request, one
// answer in JSON.
//
// # Promise
//
// An error wraps acquirer.ErrNotSent only where no connection was ever handed to the
// request: the acquirer has certainly not seen it. No redirect is followed, no proxy is
// used, and nothing larger than 1 MiB is read. Neither an error nor a log repeats a
// header or a body: both hold credentials.
//
// # Failure
//
// An answer of any status is an Answer as long as it is JSON; the adapter decides what it
// means. Anything else (HTML of a gateway, a body cut short, nothing) is an error, and the
// outcome is unknown.
//
// # Ownership
//
// A Client owns its connections, which Close ends. Credentials are the caller's.
package exchange

// Package ops is what operators see of a running server: its log, and the
// address with /healthz, /readyz and /metrics.
//
// Card numbers, and credentials of the forms that this service issues, are kept out of
// the log, whatever the source. This package does not know other secrets: the code that
// has them must not log them.
//
// The address has no authentication and is meant for a private network. It shows
// nothing of any merchant or customer.
package ops

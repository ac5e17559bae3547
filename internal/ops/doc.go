// Package ops is what operators see of a running server: its log, and the
// address with /healthz, /readyz and /metrics.
//
// The address has no authentication and is meant for a private network. It tells
// nothing about any merchant or customer.
package ops

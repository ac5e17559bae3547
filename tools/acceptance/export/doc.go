// Package export has tests only: package export of the product against a NATS server,
// which they stop, kill, wipe and fill behind its back.
package export

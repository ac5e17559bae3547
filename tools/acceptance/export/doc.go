// Package export has tests only: they test package export of the product with a NATS server, which
// they stop, kill, wipe and write to meanwhile.
package export

// Package acquirertest is what the tests of adapters share: a clock that stands still, the
// fake on loopback, the address that it sends messages to, and acquirers that are unreachable
// or faulty.
//
// # Promise
//
// Server is between an adapter and its fake. It counts the adapter's requests, so that a test
// can check acquirer.ErrNotSent against what was sent, loses answers of fakes that cannot do it
// themselves, and changes answers on their way. Everything is on loopback and waits for signals,
// never for time to pass.
//
// # Failure
//
// A message that does not come within a minute fails the test. So does a control request that
// fails.
//
// # Ownership
//
// Each test makes what it needs; the end of the test ends it. A fake ends before its server:
// NewServer is called first, or the fake's Close comes in a later Cleanup.
package acquirertest

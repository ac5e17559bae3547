// Package conformance tests every adapter of an acquirer: one table of behaviours, run for each
// method of the adapter against its fake over HTTP. An adapter's folder has a test that calls Run
// with the fake, and a Driver that causes payers' actions and faults there.
//
// # Promise
//
// An adapter that passes keeps the port's promises (package acquirer): an error is no refusal,
// nothing is paid twice, a forged message proves nothing, no secret is in an error. Table writes
// the behaviours as docs/acquirers.md has them.
//
// # Failure
//
// A behaviour that a capability rules out is not run, and the log says why. Everything else that
// is not as the table says fails the test.
//
// # Ownership
//
// Each behaviour has a separate World: a fake, an account with it, a clock, an inbox. The end of
// the test ends them.
package conformance

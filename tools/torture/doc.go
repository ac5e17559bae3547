// Package torture runs the service for a while and breaks everything around it. Then
// package checker checks whether a promise was broken.
//
// # What runs
//
// A private PostgreSQL; four servers as processes, each with a toxiproxy between it and
// the database; the sandbox and the fakes of two real acquirers as processes, each behind a
// toxiproxy. Everything else is in this process: a front door that distributes requests
// like a load balancer, merchants that create and read, payers that use the checkout page,
// an operator that settles attempts without inquiry, and webhook endpoints of every
// behaviour.
//
// Three of the servers, a, b and c, are killed again and again. The fourth, early, is never
// killed, so that its memory can be watched over the whole run. The clock of its ledger is
// six minutes behind (F9): the specification requires expires_at to be more than five
// minutes ahead, so an intent that early creates may expire within seconds. This affects
// nothing else: each server's workers use their own clock, and only the other three expire
// intents.
//
// With Config.Promotions there are two PostgreSQL servers, a primary and its synchronous
// standby, which swap roles again and again (promotions.go). The servers know both, each
// over its own toxiproxy.
//
// # What it promises
//
// The schedule of faults is a function of the seed. Which requests a fault affects is not:
// to examine a failed run, read its kept directory, or repeat its seed until it fails again.
//
// Every request, webhook and fault is in a history.Run. A run passes only if all verdicts
// are good, all limits were met, and every counter shows that each fault did happen.
//
// # When it fails
//
// Run returns an error if the suite itself could not work: PostgreSQL is not installed, a
// port is in use, the program does not start. If the service broke a promise, Run returns no
// error but a Report that is not OK, and keeps the run's directory with all logs and
// report.json.
//
// # Ownership
//
// Run owns all processes, goroutines, files and mounts that it makes, and ends them before
// it returns. Its children die with this process, even if it is killed; only a mounted tmpfs
// (F8, as root) would then remain.
package torture

// Package torture runs the service for a while and breaks everything around it,
// then has package checker find out whether a promise was broken.
//
// # What runs
//
// A private PostgreSQL, four servers as processes, each with a toxiproxy between
// itself and the database, the sandbox and the fakes of two real acquirers as
// processes behind others, and in this process everything outside: a front door
// that shares requests out as a load balancer would, merchants that create and
// read, payers that go through the checkout page, an operator who settles what
// nobody can ask about, and webhook endpoints of every behaviour.
//
// Three of the servers, a, b and c, are killed all the time. The fourth, early,
// is never killed, so that its memory can be watched over the whole run, and its
// ledger's clock is six minutes behind (F9): the specification wants expires_at
// more than five minutes ahead, and so an intent that it creates may expire within
// seconds. Nobody else notices: each server's workers go by their own clock, and
// only the three look at intents that expire.
//
// With Config.Promotions there are two PostgreSQL servers, a primary and its synchronous
// standby, which change places again and again (promotions.go); servers know both, and
// each has a toxiproxy to each.
//
// # What it promises
//
// The schedule of faults is a function of the seed. How the faults meet the
// requests is not: a run that failed is repeated with its seed until it fails
// again, or its kept directory is read.
//
// Every request, webhook and fault is in a history.Run. A run passes only if all
// verdicts are good, all marks were reached, and every counter says that what was
// meant to be tried did happen.
//
// # When it fails
//
// Run returns an error where the suite itself could not work: PostgreSQL is not
// installed, a port is taken, the program does not start. That the service broke a
// promise is no error but a Report that is not OK; the run's directory is kept
// then, with all logs and report.json.
//
// # Who owns what
//
// Run owns all processes, goroutines, files and mounts that it makes, and ends
// them before it returns. Its children die with this process, also when that is
// killed; only a mounted tmpfs (F8, as root) would then be left behind.
package torture

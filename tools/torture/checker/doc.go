// Package checker decides whether a run of the fault suite kept every promise.
//
// # What it promises
//
// Check holds the database, after a run has become quiet, against what was seen
// from outside (package history), and gives one verdict for each invariant:
//
//	I1   acknowledged intents are there, as they were acknowledged
//	I2   one intent for each application and merchant reference
//	I3   streams: one created, which is first, at most one success, no gap
//	I4   only transitions that the specification has
//	I5   intents shows what the events come to, byte for byte
//	I6   positions have no gap, and no group missed an event
//	I7   each event reached each healthy endpoint, signed
//	I8   an event that was delivered twice was delivered twice for a reason
//	I9   what the acquirer took is what the ledger says was paid
//	I10  each reference is linearizable
//	I11  nobody sees less than was seen before
//	I12  nobody gets anything of somebody else's
//	I13  the log cannot be and was not rewritten
//	I14  no secret in the logs or in the database
//	I15  servers do not grow
//
// I1 to I4, I9 and I13 read the log with statements of their own, not through the
// code that is being checked; I4 folds with package domain, which is the
// specification's transitions in code, and holds that to a table of its own.
//
// A verdict over nothing is not OK: a run that never met the thing proves nothing.
// Detail names the first few things that are wrong and how many there are.
//
// Continuous is a cheap part of I1 to I6 for while the run goes on. What it finds
// is certain, whatever is under way; what it does not find may still be wrong.
//
// # When it fails
//
// An error means that the checker could not look: the database is out of reach, or a
// file of the run cannot be read. It is no verdict.
//
// # Who owns what
//
// The run and the pool stay the caller's. The pool needs the rights of the tables'
// owner and four connections. Check writes nothing: what it tries in order to see
// it refused is rolled back.
package checker

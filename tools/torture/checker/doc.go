// Package checker checks whether the service kept every promise in a run of the fault suite.
//
// # What it promises
//
// After a run has become quiet, Check compares the database with what clients observed
// (package history), and returns one verdict for each invariant:
//
//	I1   acknowledged intents are there, as they were acknowledged
//	I2   one intent for each application and merchant reference
//	I3   streams: one created, which is first, at most one success, no gap
//	I4   only transitions that the specification has
//	I5   intents shows what the events come to, byte for byte
//	I6   positions have no gap, and no group missed an event
//	I7   each event reached each healthy endpoint, signed
//	I8   an event that was delivered twice was delivered twice for a reason
//	I9   what the acquirer took is what the ledger recorded as paid
//	I10  each reference is linearizable
//	I11  no read shows an older state than an earlier read
//	I12  no application gets data of another
//	I13  the log cannot be and was not rewritten
//	I14  no secret in the logs or in the database
//	I15  servers do not grow
//	I16  the books are what the log says: what is due is what was taken, less what was given
//	     back, settled and kept as fees
//
// I1 to I4, I9, I13 and I16 read the log with the checker's own statements, not through the code
// that is being checked. I4 folds with package domain, which implements the specification's
// transitions, and checks the result against the checker's own table of them.
//
// A verdict that looked at nothing is not OK, because such a run proves nothing. Detail
// names the first few violations and how many there are.
//
// Continuous checks a cheap part of I1 to I6 during the run. What it finds is certainly
// wrong; what it does not find may still be wrong.
//
// # When it fails
//
// An error means that the checker could not check: the database cannot be reached, or a file
// of the run cannot be read. It is not a verdict.
//
// # Ownership
//
// The run and the pool stay the caller's. The pool needs the rights of the tables' owner and
// four connections. Check writes nothing: the forbidden statements that it tries are rolled
// back.
package checker

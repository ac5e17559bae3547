// Package witness holds a transparency log to what it has signed, from another machine.
//
// # What it promises
//
// A Witness remembers the newest checkpoint of one log that it has cosigned, in a file.
// It cosigns a larger one only with a consistency proof from there, and remembers it
// before anybody gets the cosignature: of two histories it cosigns one. Cosignatures
// are those of c2sp.org/tlog-cosignature, Ed25519. Follow asks the log over HTTP;
// Handler takes what the log submits, as c2sp.org/tlog-witness has it, and serves the
// newest cosigned checkpoint. The log's key is the one that was given or, without one,
// the first that the log showed.
//
// # What it cannot promise
//
// It sees no event: that a log's events are those in its tree, daftar audit verify
// tells, which takes a checkpoint of the witness. A history that was rewritten before
// the witness saw the log for the first time is the only one that it knows.
//
// # When it fails
//
// A log that is caught is a *Finding: its error names both checkpoints, and both signed
// notes are in files beside the state. The state stays as it was. Everything else, a
// log out of reach or an answer without a good signature, is an error of one try, and
// the next try may succeed. A file that another process uses, or that was changed by
// hand, is refused by Open.
//
// # Who owns what
//
// A Witness owns its file and the lock beside it until Close. It may be used by several
// goroutines.
package witness

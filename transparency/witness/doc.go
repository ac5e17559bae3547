// Package witness checks from another machine that a transparency log keeps what it has signed.
//
// # What it promises
//
// A Witness remembers the newest checkpoint of one log that it has cosigned, in a file.
// It cosigns a larger one only with a consistency proof from the remembered one, and remembers it
// before anyone gets the cosignature: of two histories it cosigns one. Cosignatures
// are those of c2sp.org/tlog-cosignature, Ed25519. Follow reads the log over HTTP;
// Handler accepts submissions of the log (c2sp.org/tlog-witness) and serves the
// newest cosigned checkpoint. The log's key is the given one or, without one,
// the first that the log showed.
//
// # What it cannot promise
//
// It sees no events: daftar audit verify, with a checkpoint of the witness, checks that a log's
// events are those in its tree. A history that was rewritten before
// the witness saw the log for the first time is the only one that it knows.
//
// # When it fails
//
// If the log has signed contradicting checkpoints, the error is a *Finding: it names both
// checkpoints, and both signed notes are in files next to the state. The state is not changed.
// All other failures, a log out of reach or an answer without a valid signature, are errors of
// one try, and the next try may succeed. Open refuses a file that another process uses, or that
// was changed by hand.
//
// # Who owns what
//
// A Witness owns its file and the lock next to it until Close. It is safe for concurrent use.
package witness

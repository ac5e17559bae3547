// Package transparency lets an auditor who does not trust the operator find out whether
// an event of the ledger was changed, removed or inserted.
//
// # What it promises
//
// A group of the feed hashes every event into a Merkle tree (RFC 6962, stored as tiles
// of height 8). A Notary signs the tree's size and root, a checkpoint, at the latest
// one second after new events have come to the tree, and publishes it. An auditor who
// keeps a checkpoint can later prove that the log still contains everything that it
// contained then, and nothing else in between: Verify does so with access to the
// database, Proof.Check with a single file.
//
// A checkpoint is signed only of events that extend those of the one before: a Notary
// remembers that one, hashes the events behind it itself, and has the stored tree prove
// the same. It is served only when it is on disk, and with it all events below.
// Witnesses are asked to cosign it; package witness is one. The bytes of a leaf are
// specified in docs/transparency.md and frozen.
//
// Checkpoints older than an hour are thinned to one in five minutes, by a rule that the
// database enforces; the tree proves those that are gone like the others.
//
// # What it cannot promise
//
// Events that no checkpoint covers yet, those of about the last second, can be replaced
// undetected. An attacker who can write the database can make a second history that
// looks right there, and with the signing key sign it; only what remembers a checkpoint
// detects it: a running Notary, the directory, a witness, anyone who kept one. The tree
// says that an event was recorded, not that what it says is true.
//
// # When it fails
//
// An event that does not continue the tree halts the group; the ledger goes on and the
// lag shows. A log that contradicts what a Notary remembers, the directory or a witness
// is not signed any more by that Notary (ErrForked, the gauge
// daftar_transparency_forked, which also shows while the tree is gone or damaged, and that a
// server found checkpoints deleted at its start). A server refuses to start on a log that lacks what was
// published (ErrBehind). A checkpoint that cannot be written to a directory or sent to
// a URL or a witness is tried again until it can. Rows that anyone who has the service's
// password can insert are passed over, and named by CheckHealth (ErrForged).
//
// # Who owns what
//
// The tables transparency_* are this package's. The caller owns pools and runs
// Notary.Run; the tree is written by the group alone, in the feed's transaction.
package transparency

// Package transparency lets an auditor who does not trust the operator find out
// whether an event of the ledger was changed, removed or inserted.
//
// # What it promises
//
// A group of the feed hashes every event into a Merkle tree (RFC 6962, stored as
// tiles of height 8). A Notary signs the tree's size and root, a checkpoint, at
// the latest one second after new events have come to the tree, and publishes
// it. An auditor who keeps a checkpoint can later prove that the log still contains
// everything that it contained then, and nothing else in between: Verify does so
// with access to the database, Proof.Check with a single file.
//
// A checkpoint is signed only of a tree that contains the one before. It is
// served only when it is on disk, and with it all events below. The bytes of a
// leaf are specified in docs/transparency.md and frozen.
//
// # What it cannot promise
//
// Events that no checkpoint covers yet, those of about the last second, can be
// replaced undetected. An attacker who can write the database and has the signing key
// can make a second history; only a comparison with a checkpoint that was kept
// elsewhere detects it. The tree says that an event was recorded, not
// that what it says is true.
//
// # When it fails
//
// An event that does not continue the tree halts the group; the ledger goes on
// and the lag shows. A tree that contradicts a signed checkpoint is not signed
// (ErrForked, the gauge daftar_transparency_forked). A server refuses to start on
// a log that lacks what was published (ErrBehind). A checkpoint that cannot be
// written to a directory or sent to a URL is tried again until it can.
//
// # Who owns what
//
// The tables transparency_* are this package's. The caller owns pools and runs
// Notary.Run; the tree is written by the group alone, in the feed's transaction.
package transparency

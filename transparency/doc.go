// Package transparency lets an auditor who does not trust the operator find out whether
// an event of the ledger was changed, removed or inserted.
//
// # What it promises
//
// A group of the feed hashes every event into a Merkle tree (RFC 6962, stored as tiles
// of height 8). A Notary signs the tree's size and root, a checkpoint, at the latest
// one second after new events were added to the tree, and publishes it. An auditor who
// keeps a checkpoint can later prove that the log still contains everything that it
// contained then, and nothing else in between: Verify does so with access to the
// database, Proof.Check with a single file.
//
// A checkpoint is signed only if its events extend those of the previous one: a Notary
// remembers that one, hashes the later events itself, and requires the same proof from the
// stored tree. It is served only when it is on disk, together with all events that it covers.
// Witnesses are asked to cosign it; package witness is one. The bytes of a leaf are
// specified in docs/transparency.md and frozen.
//
// Checkpoints older than an hour are thinned to one in five minutes, by a rule that the
// database enforces; the tree also proves those that were deleted.
//
// # What it cannot promise
//
// Events that no checkpoint covers yet, those of about the last second, can be replaced
// undetected. An attacker who can write the database can make a second history that
// looks right there, and with the signing key sign it; only a party that remembers a
// checkpoint detects it: a running Notary, the directory, a witness, anyone who kept one. The
// tree proves that an event was recorded, not that its contents are true.
//
// # When it fails
//
// An event that does not continue the tree halts the group; the ledger continues and the
// lag shows it. A Notary signs nothing more of a log that contradicts the checkpoint that it
// remembers, the directory or a witness (ErrForked, the gauge
// daftar_transparency_forked, which is also 1 while the tree is gone or damaged, and if a
// server found checkpoints deleted at its start). A server refuses to start on a log that lacks
// published events (ErrBehind). A checkpoint that cannot be written to a directory or sent to
// a URL or a witness is tried again until it succeeds. Rows that anyone who has the service's
// password can insert are skipped, and named by CheckHealth (ErrForged).
//
// # Who owns what
//
// This package owns the tables transparency_*. The caller owns pools and calls
// Notary.Run; only the group writes the tree, in the feed's transaction.
package transparency

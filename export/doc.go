// Package export hands the log out to systems that follow it elsewhere.
//
// Line is an event as text, the same wherever the log leaves the database: in
// `daftar events export`, and as the body of a message in NATS JetStream. NATS is a
// group of the feed that publishes every event to a stream there. docs/export.md
// tells followers what they get.
//
// # What it promises
//
// The message at sequence N of the stream is the event at position N of the log:
// every event, in order, once. It holds because each message is published on the
// condition that the stream ends right before it, so that neither a message that is
// sent again, nor one that a connection lost or delayed, nor a second server that
// believes itself active can come to stand where it does not belong. The group's
// offset moves after JetStream has acknowledged a batch, so that nothing is passed
// over; the event's identity goes along as Nats-Msg-Id, so that what was stored and
// not acknowledged is recognised when it comes again, within the stream's window.
// Outside of the window the stream itself is asked what it holds at that sequence.
//
// # When it fails
//
// NATS out of reach, a stream that cannot be written or is set up in another way:
// the batch is rolled back and comes again, for as long as it takes. Only this
// group waits; its lag shows, and the server stays ready. A stream that was deleted,
// or that lost its end in a crash, is filled from the log where it ends, with the
// next event. One that is missing is made after Config.MakeAfter, not at once: NATS
// may still be deleting the files of its predecessor.
//
// A stream that holds something else than the log does at a position halts the
// group (ErrDiverged): the database was restored from a backup older than the
// stream, or somebody else writes to it. Nobody but an operator can tell which of
// the two is right.
//
// # Who owns what
//
// The stream's subjects belong to the exporter alone; whatever else an operator
// sets (limits, replicas, placement) is theirs. New makes a connection, Close ends
// it. What the stream holds is as confidential as the log.
package export

// Package export publishes the log for other systems.
//
// Line is an event as text, the same in every export: in `daftar events export`, and as
// the body of a message in NATS JetStream. NATS is a group of the feed that publishes
// every event to a stream there. docs/export.md specifies what consumers receive.
//
// # What it promises
//
// The message at sequence N of the stream is the event at position N of the log:
// every event, in order, once. Each message is published on the condition that the
// stream ends right before it: neither a repeated message, nor one that a connection
// delayed, nor one of a second active server can be stored at another sequence. The
// group's offset advances after JetStream has acknowledged a batch, so that nothing is
// skipped. The event's identity is the Nats-Msg-Id, by which the stream recognises,
// within its window, a message that it stored and whose acknowledgement was lost. After
// the window, the exporter reads what the stream has at the sequence.
//
// # When it fails
//
// Where NATS cannot be reached, or the stream cannot be written or is configured in
// another way, the batch is rolled back and tried again until it succeeds. Only this
// group waits; its lag shows it, and the server stays ready. A stream that was
// deleted, or that lost its end in a crash, is refilled from the log with the next
// event. A missing one is created after five seconds, not at once: NATS may
// still be deleting the files of its predecessor.
//
// A stream that contradicts the log at a position halts the group (ErrDiverged): the
// database was restored from a backup older than the stream, or another program
// writes to the stream. Only an operator can decide which of the two is right.
//
// # Who owns what
//
// The stream's subjects belong to the exporter alone; operators own its other
// settings (limits, replicas, placement). New opens a connection, Close closes it.
// The stream is as confidential as the log.
//
// The tests need a NATS server: tools/acceptance/export.
package export

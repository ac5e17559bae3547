// Package feed is the log as a Watermill topic: it hands every event to every
// group of consumers, once and in order, without an outbox table.
//
// # What it promises
//
// A group gets the events in the order of their positions, without a gap, and
// what its handler writes through its transaction is stored exactly
// once: those writes and the group's offset commit together. Positions have no
// gaps and become visible in their order, so that "position > offset" never
// misses an event that commits late, and the next batch is one index scan
// however long the backlog is.
//
// Several servers may run the same groups on one database. The one that gets the
// lock on a group's offset handles the batch; the others stand by and take over when the
// lock is free, at the latest with their next poll. More servers make a group
// more available, not faster.
//
// An event that is urgent for a group reaches it within milliseconds on the server that committed
// it (Committed); others come with the next urgent one or the next tick, once a second. A group may
// allow a staleness: as long as the log grows, urgent events do not make it poll more often than that.
//
// Other servers are notified of urgent events (NOTIFY, at most once a second, sent after the
// commit and from another connection, because a commit with NOTIFY takes a lock on the
// whole cluster). They read the groups' offsets a little later, and each second in any
// case: one statement for all groups. A group whose offset does not advance although there
// are events to read is woken then. So the server that has the events in memory comes first.
//
// A group takes events that its own server has just committed (Committed), or that another of its
// groups has read, from memory; all others it reads from the log. The events and their bytes are
// the same either way.
//
// While the log grows, a group works in slices of about 4 ms and pauses between them in
// proportion, so that it does not take CPU from the appends. One that can wait may be limited to
// a smaller share of its time; its lag grows under load and shrinks afterwards.
//
// # When it fails
//
// A batch whose handler fails is rolled back and handled again at once. Then it is handled
// within savepoints: tried a few times, and bisected, to find the event that fails even
// alone. That event is parked, or the group halts before it, as its Policy says; the
// events around it are handled as usual. Transient errors (the database is out of reach, a
// deadlock, a time limit, a missing table) say nothing about an event: the batch is rolled
// back as a whole and retried after 50 ms, later 1 s, until it succeeds. The
// lag and the count of rollbacks show it.
//
// No event is skipped silently: parked events and the reason of a halt are in the
// database, in the log and in the metrics.
//
// What a handler does outside of its transaction happens at least once.
//
// # What Watermill's SQL subscriber would do by itself
//
// Version 3.1.0 of watermill-sql is used with our adapters, which work around
// some of its behaviour:
//
//   - A nacked message is delivered again in the same transaction, after a sleep that
//     nothing interrupts; what the handler wrote stays, and if an SQL error aborted
//     the transaction, every further try fails until a deadline of 30 s. So no
//     message is ever nacked: the middleware rolls back to a savepoint, or rolls
//     everything back and lets the acknowledgement fail, which ends the batch.
//   - When the deadline of a message passes, or the subscriber is closed, the
//     transaction is committed with what the handler has written by then. The
//     deadline is set to ten years (0 is not accepted), the context always ends
//     before Close, and a session commits a handler's writes only together with the
//     acknowledgement. A handler that is running then loses its connection.
//   - One message at a time is in flight per group. So a message is a batch of up
//     to 1000 events: one call, one savepoint, one commit for all of them.
//   - The default adapter compares transaction ids with the oldest running one
//     in the whole cluster. An idle writer in another database would stall
//     every group, and a dump restored into a new cluster, where ids start again,
//     would hide old events and skip new ones. Positions do neither.
//   - An offset of 0 is taken for "nothing to acknowledge". Positions start at 1.
//   - A poll takes a row lock and so a transaction id, and would cost an fsync. The
//     pool commits asynchronously instead.
//   - Two polls are separated by a sleep that no wake-up ends. Here the back-off
//     manager waits, and returns 0.
//   - A poll costs four round trips in addition to the handler's: BEGIN, the read, the
//     acknowledgement, COMMIT. Here it is two: a session sends BEGIN with
//     the read, and COMMIT with the acknowledgement. Watermill uses it through
//     database/sql, handlers as a pgx.Tx.
//   - A commit that fails is only logged. Here it is part of the acknowledgement, which
//     fails too, and the group backs off as after any other failure.
//   - A group that cannot subscribe ends the router with all the others. Here it
//     waits for the database.
//
// # Who owns what
//
// The caller owns the pool and calls Run; Run owns its goroutines and one more connection,
// to LISTEN, and ends both when its context ends. Tables:
// consumer_offsets has a row per group, parked_events the events set aside.
package feed

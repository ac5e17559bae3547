// Package rebuild verifies the read models of package projections and makes them
// anew from the events, while the service runs.
//
// # What it promises
//
// Verify replays the whole log and names each field that differs from it. Replace
// keeps a table that differs as evidence until somebody accepts its loss.
//
// A rebuild goes through these phases. New tables are made beside the old ones, as
// NAME_rID. Chunks of the streams are replayed up to a position (h0); a chunk's rows
// and the count of chunks are one transaction. Then indexes are built, and what was
// appended since follows, by position. In one snapshot, in which old and new are
// brought to the same position, the new tables are held to the log and the old ones
// to the new. The last few events and the swap are one short transaction under the
// lock on appends, or under that on the group's offset where a group keeps the read
// model: what keeps the old tables up to date is stopped, so that no event is lost
// or counted twice. The swap waits 20 ms at most for those who read the old table,
// and is tried again after a pause where that is not enough.
//
// The old tables are kept as NAME_old_ID for KeepReplaced; the next rebuild of the
// read model drops them after that, or Clean. A session's advisory lock keeps two
// rebuilds of one read model apart. projection_runs says how far each is, on any
// machine; a rebuild that was interrupted, or killed, goes on where it stopped.
//
// A schema of a new version is made with the next rebuild, by the program that
// knows it. Programs of the version before go on writing, so the columns that it
// adds have defaults; after the last of them has ended, another rebuild fills in
// what they wrote meanwhile.
//
// # When it fails
//
// An error of Replace leaves the tables in use as they were. ErrRebuilding and
// ErrBlocked pass by themselves, ErrRestart and ErrNewerTable need somebody. An
// event that cannot be replayed is an error and no drift: nothing can be said of the
// tables then.
//
// # Who owns what
//
// A rebuild works on one connection of the caller's pool, needs the rights of the
// tables' owner, and owns the tables that it makes until they are swapped in.
// Verify and ReadStatus need SELECT only.
//
// The tests that need a ledger are in package projections, beside its fixtures.
package rebuild

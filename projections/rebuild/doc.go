// Package rebuild verifies the read models of package projections and builds them
// again from the events, while the service runs.
//
// # What it promises
//
// Verify replays the whole log and names each field that differs from it. Replace
// keeps a table that differs as evidence until an operator accepts its loss.
//
// A rebuild goes through these phases. New tables are made next to the old ones, as
// NAME_rID. Chunks of the streams are replayed up to a position (h0); a chunk's rows
// and the count of chunks are one transaction. Then indexes are built, and the streams with
// events appended since are replayed, by position. In one snapshot, in which old and new are
// brought to the same position, the new tables are compared with the log and the old ones
// with the new. The last few events and the swap are one short transaction under the
// lock on appends, or under that on the group's offset if a group writes the read
// model: nothing can write to the old tables meanwhile, so that no event is lost
// or counted twice. The swap waits 20 ms at most for readers of the old table,
// and is tried again after a pause if that is not enough.
//
// The old tables are kept as NAME_old_ID for KeepReplaced; after that the next rebuild of the
// read model, or Clean, drops them. A session's advisory lock prevents two concurrent
// rebuilds of one read model. projection_runs has the progress of each, on any
// machine; a rebuild that was interrupted, or killed, continues where it stopped.
//
// A new version of the schema is made by the next rebuild with a program that
// knows it. Programs of the previous version continue to write, so the columns that it
// adds have defaults; after the last of them has ended, another rebuild fills in
// the values of the rows that they wrote meanwhile.
//
// # When it fails
//
// An error of Replace leaves the tables in use as they were. ErrRebuilding and
// ErrBlocked pass by themselves, ErrRestart and ErrNewerTable need an operator. An
// event that cannot be replayed is an error and no drift: nothing can be said about the
// tables then.
//
// # Who owns what
//
// A rebuild works on one connection of the caller's pool, needs the rights of the
// tables' owner, and owns the tables that it makes until they are swapped in.
// Verify and ReadStatus need SELECT only.
//
// The tests that need a ledger are in package projections, with its fixtures.
package rebuild

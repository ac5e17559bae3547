// Package migrations brings a database to the schema that this binary needs.
//
// The SQL files are numbered from 00001 without a gap, embedded, and run one by
// one, each in a separate transaction, by goose, which records them in the table
// goose_db_version. There are no down migrations: a ledger is not rolled back, and a
// mistake is corrected by the next file. A file that has been released is never
// changed.
//
// Up may run on several servers at once: they take turns under an advisory lock.
// A server calls Check at its start. Check distinguishes a database that is behind this
// binary (ErrOutOfDate) from one that is ahead of it (ErrNewer).
package migrations

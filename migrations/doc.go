// Package migrations brings a database to the schema that this binary needs.
//
// The SQL files are numbered from 00001 without a gap, embedded, and run one by
// one, each in a transaction of its own, by goose; the table goose_db_version
// remembers them. They go forward only: a ledger is not rolled back, and a
// mistake is mended by the next file. A file that has been released is never
// changed.
//
// Up may run on several servers at once: they take turns under an advisory lock.
// Check is what a server asks at start. It tells a database that is behind this
// binary (ErrOutOfDate) from one that is ahead of it (ErrNewer).
package migrations

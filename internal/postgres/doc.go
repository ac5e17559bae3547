// Package postgres is how this module meets PostgreSQL: connection pools, the
// meaning of the server's errors, and the settings that durability depends on.
//
// Open gives a pool whose sessions run in UTC and, where the database has the
// role daftar_service, with the rights of that role only; the caller closes it.
// No error of this package contains a password. Classify turns any error of a
// query or a connection into one of a few kinds by SQLSTATE, never by text.
// CheckDurability reports whether a server keeps what it acknowledged, and CheckSettings what a
// login, a database or its encoding brings along that breaks or weakens Daftar.
//
// Where a URL names several hosts, package primary leads to the one that is the primary. A commit that
// PostgreSQL answers with the
// warning that no standby has confirmed it breaks the connection: its outcome is unknown.
// Retrier has requests wait out a restart or a promotion. Through a pooler such as PgBouncer
// a session sends its settings when it is there; one that is shared with others is refused
// (ErrSharedSessions).
//
// Id types, named types of sixteen bytes, are arguments and scan targets as they
// are: pgx treats them as uuids, lists and pointers of them too, and no connection
// needs any configuration for it. A uuid.UUID works everywhere but goes through its
// text, which shows in lists.
//
// Columns are a table's columns, each named once beside its field; where they are
// Typed, many rows are parameters of one statement. List and Find run a query for rows
// and for one row.
package postgres

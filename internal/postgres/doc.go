// Package postgres connects this module to PostgreSQL: connection pools, the
// meaning of the server's errors, and the settings that durability depends on.
//
// Open gives a pool whose sessions run in UTC and, where the database has the
// role daftar_service, with the rights of that role only; the caller closes it.
// No error of this package contains a password. Classify turns any error of a
// query or a connection into one of a few kinds by SQLSTATE, never by text.
// CheckDurability reports whether a server keeps what it acknowledged, and CheckSettings what in
// the settings of a login or a database, or in its encoding, breaks or weakens Daftar.
//
// If a URL names several hosts, package primary finds the primary among them. If PostgreSQL
// answers a commit with the warning that no standby has confirmed it, the connection is
// broken: the outcome is unknown. Retrier makes requests wait for the end of a restart or a
// promotion. Through a pooler such as PgBouncer a session sends its settings after it is
// connected; a session that is shared with other clients is refused (ErrSharedSessions).
//
// Id types, named types of sixteen bytes, are arguments and scan targets without any
// configuration: pgx treats them as uuids, lists and pointers of them too. A uuid.UUID
// works everywhere but is converted to text, which is slow in lists.
//
// Columns are a table's columns, each named once, with its field; if they are Typed, many
// rows are parameters of one statement. List and Find run a query for rows and for one row.
package postgres

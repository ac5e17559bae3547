// Package pgcluster runs a private PostgreSQL server: `daftar-dev demo` keeps one in
// its directory, tests and benchmarks remove theirs.
//
// # What it promises
//
// The server listens on 127.0.0.1 only and requires its password, which is random
// and kept in a file of mode 0600. Start returns when the server
// accepts connections, recovery after a crash included. The server ends with this
// process, also after a kill -9; the next start recovers. One process at a time
// holds a cluster's directory.
//
// # Standbys
//
// StartStandby copies a cluster and follows it by streaming replication; Promote makes
// the copy the primary, and Rewind makes the primary before it a standby. Pause freezes
// a server without ending it. Set changes settings while a server runs, such as
// synchronous_standby_names, which is empty until then: a primary does not wait for
// standbys that are still being made.
//
// # When it fails
//
// ErrNotInstalled where there is no PostgreSQL 15 or newer, ErrInUse where another
// process holds the directory, ErrRunning for a second Start. A server that does
// not start fails with the last lines of its log. No error contains the password.
//
// PostgreSQL refuses to run as root, so a process of root runs it as the user
// postgres; user.go says how that user reaches the directory. Command and Give are for
// other programs that work on its files.
//
// # Who owns what
//
// The caller owns the Cluster and ends it with Stop, Abort or Kill. The package
// owns everything in Config.Dir, and one goroutine per server, which lives as long
// as the server.
package pgcluster

// Package postgres is how this module meets PostgreSQL: connection pools, the
// meaning of the server's errors, and private clusters.
//
// Open gives a pool whose sessions run in UTC and, where the database has the
// role daftar_service, with the rights of that role only. No error of this
// package contains a password. Classify turns any error of a query or a
// connection into one of a few kinds by SQLSTATE, never by text. CheckDurability
// says whether a server keeps what it acknowledged.
//
// A Cluster is a PostgreSQL server that belongs to this process: `daftar demo`
// keeps one in its directory, tests throw theirs away. It listens on 127.0.0.1
// only and lets in nobody without its password, which is random and kept in a
// file of mode 0600. The server dies with this process, also after a kill -9;
// the next start recovers. One process at a time may hold a cluster's directory.
//
// PostgreSQL refuses to run as root, so a process of root runs it as the user
// postgres; cluster_user.go says how that user reaches the directory.
package postgres

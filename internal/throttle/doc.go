// Package throttle holds each of many askers to a rate of its own, on one server.
//
// # What it promises
//
// A Keyed keeps a token bucket for each key. Its memory is bounded: when it holds
// too many buckets it forgets those that have not been used for longest, whose
// keys begin again with a full one. It is safe for concurrent use, starts no
// goroutine and has nothing to close.
//
// # When it fails
//
// Whoever has more addresses than it remembers buckets is held back only by their
// number. Several servers do not know of each other's buckets: a limit that must
// hold for all of them together belongs into the database.
package throttle

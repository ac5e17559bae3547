// Package throttle limits the rate of each of many clients, on one server.
//
// # What it promises
//
// A Keyed keeps a token bucket for each key. Its memory is bounded: when it holds
// too many buckets it drops those that were not used for longest, whose keys begin
// again with a full one. It is safe for concurrent use, starts no
// goroutine and has nothing to close.
//
// # When it fails
//
// A client with more addresses than there are buckets is limited by their number
// only. Servers do not share buckets: a limit that must hold for all of them together
// belongs in the database.
package throttle

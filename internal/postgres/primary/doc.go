// Package primary leads the connections of a process to that of several PostgreSQL servers
// which is the primary, and away from one that was replaced without knowing.
//
// # What it promises
//
// A promotion begins a new timeline, and timelines are numbered: of two servers that take
// themselves for the primary, it is the one with the higher number. Once it was seen, no
// connection is made to the other, those that are open are closed, and Check lets nobody
// act on what was read there. docs/adr/0016-the-newest-timeline.md has the reasons.
//
// # When it fails
//
// A host that does not answer is waited for, and given up after some seconds. A process that
// reaches the old primary alone reads what that one has.
//
// # Who owns what
//
// Primary owns the connections by which it looks, from Watch until its stop. It has no part
// in any pool but the functions that Follow sets.
package primary

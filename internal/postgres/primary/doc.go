// Package primary makes the connections of a process lead to the primary among several
// PostgreSQL servers, and away from an old primary that does not know that it was replaced.
//
// # What it promises
//
// A promotion begins a new timeline, and timelines are numbered: of two servers that claim to
// be the primary, it is the one with the higher number. Once that was seen, no connection is
// made to the other server, those that are open are closed, and Check refuses what was read
// there. docs/adr/0016-the-newest-timeline.md has the reasons.
//
// # When it fails
//
// A host that does not answer is given up after some seconds. A process that reaches only the
// old primary reads what that one has.
//
// # Who owns what
//
// Primary owns the connections of its probes, from Watch until its stop. Its only part in a
// pool are the functions that Follow sets.
package primary

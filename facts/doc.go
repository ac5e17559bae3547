// Package facts is the table of the kinds of events. One row says what the rest of the service
// has to know of a kind beyond what package domain makes of it: the type of its webhook, what
// merchants and people see of it, which way money went. Webhooks, the API's history, timers,
// read models, reconciliation and the dashboard read the row, so a new kind is a row here and
// no case there (docs/how-to/add-an-event-kind.md).
//
// A test holds the table complete: every event of the sealed set has a row, and every row says
// all that it must. Named reports false for a name that this version does not know, of which
// only a later version can say what it means; Of panics for an event without a row, which the
// test rules out. The package is pure and owns nothing: the table is made once and never changes.
package facts

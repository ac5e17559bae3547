// Package projections keeps the read models that are derived from the ledger.
//
// The one read model so far is intents: a row per payment intent, which the API
// serves. It is written by the statement that appends the events, so whoever was
// answered by a write, or told by a webhook, reads what was written.
//
// A read model holds nothing that the events do not hold. Verify replays every
// stream with the rules of the domain and compares field by field; Rebuild makes
// the table anew beside the old one and puts it in its place.
package projections

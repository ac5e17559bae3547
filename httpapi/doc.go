// Package httpapi is the merchant REST API under /api/v1: POST /payment-intents,
// GET /payment-intents/{uuid}, GET /webhook-deliveries (which hands webhooks to
// developers whose machine has no public address), and the OpenAPI document that
// describes them; tests in tools/docs/openapi check every answer against it.
//
// It promises that what a merchant sent is either accepted exactly as written or
// refused with every violated field named; nothing is trimmed, normalised,
// merged or replaced on the way in. The reader of request bodies is stricter than
// encoding/json, because two different references that decode to the same
// text would be one intent.
//
// It keeps no data and writes none itself: the ledger owns intents, the
// accounts package credentials, the webhooks package deliveries. An answer is
// given only while the credential of the request is current, also where the
// ledger was not used.
//
// One table (errors.go) has the answer to each error. An error that is not the caller's fault
// is logged, and the answer shows no internal detail. Where the database is out of reach
// a request waits for it for some seconds; then the answer is 503 and nothing was half done.
package httpapi

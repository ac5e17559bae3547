// Package httpapi is the merchant REST API under /api/v1: POST /payment-intents,
// GET /payment-intents/{uuid}, GET /webhook-deliveries (which hands webhooks to
// developers whose machine has no public address), and the OpenAPI document that
// describes them, to which tests in tools/docs/openapi hold every answer.
//
// It promises that what a merchant sent is either taken exactly as written or
// refused with every violated field named; nothing is trimmed, normalised,
// merged or replaced on the way in. The reader of request bodies is strict where
// encoding/json is not, because two different references that decode to the same
// text would be one intent.
//
// It holds no state of its own and writes nothing: the ledger owns intents, the
// accounts package owns credentials, the webhooks package deliveries. An answer is
// given only while the credential that asked for it is current, also where the
// ledger was not touched.
//
// Failures are rendered by one table (errors.go). What is not the caller's fault
// is logged and answered with a sentence that shows nothing of the inside;
// where the database is out of reach a request waits for it for some seconds, and then
// the answer is 503 and nothing was half done.
package httpapi

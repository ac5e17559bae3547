// Package verifiers has no code. Its tests run the verifiers of the merchants'
// guide to webhooks, docs/webhooks.md, as they stand in it, and those of the SDKs,
// against its example and against forgeries, and hold the example to the official
// library.
package verifiers

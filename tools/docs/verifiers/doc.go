// Package verifiers has no code. Its tests run the verifiers of the merchants'
// guide to webhooks, docs/webhooks.md, as they stand in it, against its example
// and against forgeries, and hold the example to the official library. Go must
// run; another language runs where the machine has it.
package verifiers

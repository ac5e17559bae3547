// Package verifiers has no code. Its tests run the verifiers of the merchants' guide to webhooks,
// docs/webhooks.md, unchanged, and those of the SDKs, against the guide's example and against
// forgeries. They check the example with the official library.
package verifiers

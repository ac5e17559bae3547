package docs

import _ "embed" // the guide is a file next to this one

// Webhooks is the English guide to webhooks, as Markdown. It has the verifiers of
// signatures, which tests run and the dashboard shows.
//
//go:embed webhooks.md
var Webhooks string

package docs

import "embed"

// Webhooks is the English guide to webhooks, as Markdown. It has the verifiers of
// signatures, which tests run and the dashboard shows.
//
//go:embed webhooks.md
var Webhooks string

// Pictures are those of the guides, as PNG, by their paths from this folder.
//
//go:embed integrate/pictures/*.png
var Pictures embed.FS

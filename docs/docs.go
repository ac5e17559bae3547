package docs

import _ "embed" // the guides are files beside this one

// The guide to webhooks, as Markdown, in the languages of the service. The English
// edition has the verifiers, which tests run.
var (
	//go:embed webhooks.md
	WebhooksEnglish string
	//go:embed webhooks.ar.md
	WebhooksArabic string
)

// Package docs has no code. Its tests hold the documents of the repository to what they
// say: Markdown that is shown as it was meant, links that lead somewhere, and tests
// that exist where the pages about security name one as a proof. The packages below it
// write documents from the code (catalogue, operate, pages), and test the verifiers of the guide
// to webhooks (verifiers) and the API against its description (openapi). They are a module of their
// own, because readers of Markdown, YAML and OpenAPI are no part of the product.
package docs

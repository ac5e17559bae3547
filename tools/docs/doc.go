// Package docs has no code. Its tests check the documents of the repository: Markdown that renders
// as intended, links with a target, and existing tests wherever the security pages name one as a
// proof. The packages below it write documents from the code (catalogue, operate, pages), and test
// the verifiers of the webhook guide (verifiers) and the API against its description (openapi).
// They are a separate module, because the product needs no readers of Markdown, YAML and OpenAPI.
package docs

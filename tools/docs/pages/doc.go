// Command pages writes docs/site/documents: the guides, from docs/*.md, and the reference of the
// API, from httpapi/openapi.yaml, as parts of pages in both languages, the list of the pages, and a
// Postman collection. So the server needs no reader of YAML or Markdown. It fails on a description
// or a guide that it cannot read. go generate ./docs runs it in tools/docs; a test fails if the
// files are stale.
package main

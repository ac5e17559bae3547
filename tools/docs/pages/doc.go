// Command pages writes docs/site/documents: the guides, from docs/*.md, and the reference of the
// API, from httpapi/openapi.yaml and its Arabic texts in openapi.ar.yaml, as parts of pages and as
// Markdown (.txt, because it is made) in both languages, the list of the pages, an index for the
// search in each language, and a Postman collection. So the server needs no reader of YAML or
// Markdown. It fails on a description or a guide that it cannot read, and on a text of the
// description without Arabic. go generate ./docs runs it in tools/docs; a test fails if the files
// are stale.
package main

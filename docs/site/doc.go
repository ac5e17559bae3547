// Package site serves the documentation for merchants' developers under /docs: guides, the
// reference of the API and a Postman collection, in Arabic and English, to everybody. Each page is
// there as Markdown, too, at its address with .md; ProgramsPath lists those.
//
// A page contains nothing about an organisation, needs neither the database nor
// a sign-in nor a script, and is the same for every reader: only the address of the
// service is put in. The search needs a script; without one its form leads to all that it
// knows. Pages may be kept for a while and are then compared by ETag.
//
// go generate ./docs makes the parts of pages in documents from docs/*.md and
// httpapi/openapi.yaml (tools/docs/pages). They are put into their frame once, by New, with
// the types of webhooks (package facts) in the reader's language. New panics on a broken file:
// the files are embedded, so no run can repair it. Nothing fails afterwards. The package owns
// nothing that has to be given back.
package site

// Command pages writes dashboard/view/documents: the reference of the API, from
// httpapi/openapi.yaml, and the guide to webhooks, from docs/webhooks.md, as parts of
// pages in both languages. So the server needs no reader of YAML or Markdown. It fails
// on a description that it cannot read. go generate ./docs runs it in tools/docs;
// a test fails where the files are stale.
package main

// Package openapi has no code. Its tests check the API, over HTTP, against httpapi/openapi.yaml
// with third-party software: validators of requests and answers, linters, a generated client and a
// generated collection of requests. They provoke every answer that the document describes,
// including the failures, and compare each with its description.
//
// They fail if the API and the document differ, and if a tool does not find a difference that it
// should find.
package openapi

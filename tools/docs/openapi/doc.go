// Package openapi has no code. Its tests hold the API, over HTTP, to httpapi/openapi.yaml
// by third-party software: validators of requests and answers, linters, a generated
// client and a generated collection of requests. Every answer that the document
// describes is provoked, the failures too, and each must be as it is described.
//
// They fail where the API and the document differ, and where a tool that should see
// a difference does not.
package openapi

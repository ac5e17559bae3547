// Package docs holds the documents, and carries the guide whose code the dashboard shows, and the
// pictures that package site serves. It holds no code, and nothing in it can fail. The generators
// of tools/docs write the catalogue of events, the operators' lists of variables and commands, and
// the pages that package site serves; the types of the SDKs for TypeScript and Go are made from
// the API's description (make sdk installs what the former needs).
package docs

//go:generate go run -C ../tools/docs ./catalogue
//go:generate go run -C ../tools/docs ./operate
//go:generate go run -C ../tools/docs ./pages
//go:generate npm --prefix ../sdk/typescript run --silent generate
//go:generate -command types go tool -C ../tools/docs oapi-codegen -config ../../sdk/go/types.config.yaml
//go:generate types -o ../../sdk/go/types.gen.go ../../httpapi/openapi.yaml

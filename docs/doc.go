// Package docs carries the guides for merchants, so that the service can show
// them to whoever builds on it, without another host. It holds text and no code,
// and nothing in it can fail. The guides are written to be read as files, too.
package docs

//go:generate go run ./catalogue
//go:generate go run ./pages

// Command catalogue writes docs/events.md, the catalogue of stored events, from
// the code: names, versions and fields are those of the codec, meanings its
// comments, examples the golden files. It fails where one of them is missing.
// go generate ./docs runs it in tools/docs.
package main

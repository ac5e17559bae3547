// Command catalogue writes docs/events.md, the catalogue of stored events, from
// the code: names, versions and fields are those of the codec, meanings its
// comments, examples the golden files. It fails where one of them is missing; it
// is run by go generate ./docs, in that folder.
package main

// Package view is what the dashboard shows: its pages as plain structs, the templates
// that write them, the words in Arabic and English, and the stories.
//
// It promises that a page is a pure function of its struct and its language: nothing
// here reads a database, a clock or a request, and the same struct gives the same
// bytes. Rendering fails only where a template does not fit its struct, which the
// tests of all stories rule out. The embedded files are parsed at start, and a broken
// one stops the program there.
//
// Package dashboard owns the routes, the permissions and the handlers that fill in the
// structs.
package view

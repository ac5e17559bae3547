// Package view is what the dashboard shows: its pages as plain structs, the templates
// that write them, and the words in Arabic and English.
//
// It promises that a page is a pure function of its struct and its language: nothing
// here reads a database, a clock or a request, and the same struct gives the same
// bytes. Rendering fails only where a template does not fit its struct; tools/storybook
// renders every page in each of its states, and its tests fail then. The embedded files
// are parsed at start, and a broken one stops the program there.
//
// Package dashboard owns the routes, the permissions and the handlers that fill in the
// structs.
package view

// Package view has the pages of the dashboard as plain structs, the templates that render
// them, and the texts in Arabic and English.
//
// It promises that a page is a pure function of its struct and its language: nothing
// here reads a database, a clock or a request, and the same struct gives the same
// bytes. Rendering fails only if a template does not fit its struct; the tests of
// tools/storybook render every page in each of its states and would fail then. The embedded
// files are parsed at start, and a broken one stops the program.
//
// Package dashboard owns the routes, the permissions and the handlers that fill in the
// structs.
package view

package layout

import (
	"encoding/base64"
	"html/template"
)

// The mark of the service: a leaf of a ledger with the notches of the slip on which payments are
// shown.
const (
	leafShape = `<path fill="currentColor" d="M9 3h14a3 3 0 0 1 3 3v8.5a3.5 3.5 0 0 0 0 7V26a3 3 0 0 1-3 3H9` +
		`a3 3 0 0 1-3-3v-4.5a3.5 3.5 0 0 0 0-7V6a3 3 0 0 1 3-3z"/>`
	leafLines = `<path fill="none" stroke="#fffefb" stroke-width="2" ` +
		`d="M11 8.5h10M11 12.5h6M11.5 18h2M15 18h2M18.5 18h2M11 23.5h10"/>`
	leaf = ` viewBox="0 0 32 32">` + leafShape + leafLines + `</svg>`
)

//nolint:gosec // drawn above
var favicon = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(
	[]byte(`<svg xmlns="http://www.w3.org/2000/svg" color="`+lightAccent+`"`+leaf)))

// lightAccent is the colour of the service where it cannot follow the scheme: in the browser's tab.
const lightAccent = "#0b5d57"

// Leaf is the mark next to the name of the service.
func (Frame) Leaf() template.HTML {
	return `<svg class="leaf" width="20" height="20" aria-hidden="true"` + leaf
}

// Favicon is the mark in the browser's tab. It is part of the page: it costs no request.
func (Frame) Favicon() template.URL { return favicon }

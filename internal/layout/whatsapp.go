package layout

import (
	"html/template"
	"net/url"
	"strings"
)

// WhatsAppURL opens WhatsApp with a message to a number in international form, with or without its
// plus; without a number, the sender chooses to whom. The message may be any text: what a shop is
// called must not end it.
func WhatsAppURL(number, message string) template.URL {
	text := strings.ReplaceAll(url.QueryEscape(message), "+", "%20")
	address := "https://wa.me/" + url.PathEscape(strings.TrimPrefix(number, "+")) + "?text=" + text
	return template.URL(address) //nolint:gosec // escaped
}

package checkout

import (
	"html/template"
	"net/url"
	"strings"
)

// returnLink is a return URL that may stand in a link. The zero value is none.
type returnLink struct {
	URL  template.URL
	Host string // where it leads, for the customer to see; empty for app links
}

// OK reports whether there is a link.
func (l returnLink) OK() bool { return l.URL != "" }

// newReturnLink checks the merchant's return URL once more before it is marked as
// safe for a link. It was checked when the intent was created; but a link that
// runs a script would run on the page where customers type their codes, so the
// page does not rely on that. App links (lyshop://orders/1) are allowed, which is
// why html/template cannot do this check.
func newReturnLink(address string) returnLink {
	// Browsers skip blanks and control characters before and inside a scheme.
	skipped := func(r rune) bool { return r <= ' ' || r == 0x7f }
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || strings.ContainsFunc(address, skipped) {
		return returnLink{}
	}
	switch u.Scheme { // in lower case
	case "javascript", "data", "vbscript", "blob", "file":
		return returnLink{}
	case "http", "https":
		if u.Host == "" || u.User != nil {
			return returnLink{}
		}
		return returnLink{URL: template.URL(address), Host: u.Host} //nolint:gosec // checked above
	}
	return returnLink{URL: template.URL(address)} //nolint:gosec // checked above
}

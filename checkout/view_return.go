package checkout

import (
	"html/template"
	"net/url"
	"strings"

	"daftar/internal/web"
)

// returnLink is a return URL that is safe for a link. The zero value is none.
type returnLink struct {
	Address string // the merchant's exact bytes
	Host    string // where it leads, for the customer to see; empty for app links
}

// OK reports whether there is a link.
func (l returnLink) OK() bool { return l.Address != "" }

// Href is the whole attribute of a link. If the template wrote the attribute, it would
// percent-encode some of the merchant's bytes.
func (l returnLink) Href() template.HTMLAttr {
	href := `href="` + template.HTMLEscapeString(l.Address) + `"`
	return template.HTMLAttr(href) //nolint:gosec // escaped, and checked by newReturnLink
}

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
	if web.IsUnsafeScheme(u.Scheme) {
		return returnLink{}
	}
	link := returnLink{Address: address}
	if u.Scheme == "http" || u.Scheme == "https" { // url.Parse gives it in lower case
		if u.Host == "" || u.User != nil {
			return returnLink{}
		}
		link.Host = u.Host
	}
	return link
}

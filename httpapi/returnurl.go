package httpapi

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"daftar/domain"
	"daftar/internal/web"
)

// percentEncoded checks the whole text; net/url does not check queries.
var percentEncoded = regexp.MustCompile(`^(?:[^%]|%[0-9A-Fa-f]{2})*$`)

// returnURL reads the address to which the customer returns after the checkout. The text is kept
// as it was sent.
func (v *validator) returnURL(n node) *string {
	const field = "return_url"
	sent := v.optional(field, n, domain.MaxReturnURL)
	if sent == nil {
		return nil
	}
	if complaint := CheckReturnURL(*sent); complaint != "" {
		v.add(field, complaint)
	}
	return sent
}

// CheckReturnURL returns a sentence about what is wrong with a return_url, or the empty string.
// It accepts any absolute URI, app links such as lyshop://orders/1 too, that a browser and
// net/url read in the same way: what the two could read differently (a
// backslash, a tab inside the scheme) is refused.
func CheckReturnURL(s string) string {
	for _, r := range s {
		switch {
		case r == ' ' || unicode.IsSpace(r):
			return "The return_url must not contain spaces or line breaks. A space is written %20."
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Z):
			return "The return_url must not contain control characters or invisible characters."
		case strings.ContainsRune("\\\"<>^`{|}", r):
			return "The return_url contains a character that a URI must percent-encode: one of \\ \" < > ^ ` { | }."
		}
	}
	if !percentEncoded.MatchString(s) {
		return "The return_url contains a % that is not followed by two hexadecimal digits. " +
			"A percent sign is written %25."
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" {
		return "The return_url must be an absolute URI, such as https://shop.example/orders/1."
	}
	site := u.Scheme == "http" || u.Scheme == "https" // url.Parse gives it in lower case
	switch {
	case web.IsUnsafeScheme(u.Scheme):
		return "The return_url must not use the scheme " + u.Scheme + "."
	case u.User != nil:
		return "The return_url must not contain a user name or password."
	case site && (u.Opaque != "" || u.Hostname() == ""):
		return "The return_url must name a host after ://, as in https://shop.example/orders/1."
	case !portInRange(u.Port()):
		return "The return_url has a port above 65535."
	}
	return ""
}

// portInRange accepts the empty port too: https://shop.example: is a URI.
func portInRange(port string) bool {
	if port == "" {
		return true
	}
	_, err := strconv.ParseUint(port, 10, 16)
	return err == nil
}

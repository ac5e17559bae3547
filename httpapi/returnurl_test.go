package httpapi_test

import (
	"strings"
	"testing"

	"daftar/httpapi"
)

const (
	notAbsolute = "The return_url must be an absolute URI, such as https://shop.example/orders/1."
	noHost      = "The return_url must name a host after ://, as in https://shop.example/orders/1."
	withUser    = "The return_url must not contain a user name or password."
	spaces      = "The return_url must not contain spaces or line breaks. A space is written %20."
	invisible   = "The return_url must not contain control characters or invisible characters."
	port        = "The return_url has a port above 65535."

	raw = "The return_url contains a character that a URI must percent-encode: " +
		"one of \\ \" < > ^ ` { | }."
	percent = "The return_url contains a % that is not followed by two hexadecimal digits. " +
		"A percent sign is written %25."
)

func scheme(name string) string { return "The return_url must not use the scheme " + name + "." }

// returnURLs are the rules of return_url; the complaint is empty where the URL
// is accepted.
var returnURLs = []struct{ rule, url, complaint string }{
	{"https", "https://shop.example/orders/1", ""},
	{"http", "http://shop.example", ""},
	{"scheme and host in capitals", "HTTPS://SHOP.EXAMPLE/A", ""},
	{"query and fragment", "https://shop.example/?order=1&x[]=2#done", ""},
	{"percent-encoding", "https://shop.example/%D8%B7%0d%0a?x=%00", ""},
	{"Arabic path", "https://shop.example/طلب/1", ""},
	{"Arabic host", "https://متجر.ly/", ""},
	{"port", "https://shop.example:8443/", ""},
	{"highest port", "https://shop.example:65535/", ""},
	{"empty port", "https://shop.example:/", ""},
	{"IPv4", "http://192.0.2.1/", ""},
	{"IPv6", "https://[2001:db8::1]:8443/x", ""},
	{"localhost", "http://localhost:3000/cb", ""},
	{"app link", "lyshop://orders/1", ""},
	{"app link without an authority", "lyshop:orders", ""},
	{"app link that opens the app", "lyshop://", ""},
	{"app link with dots", "com.example.app:/orders/1", ""},
	{"@ outside the authority", "https://shop.example/@me?mail=a@b.example", ""},
	{"script in the query is no script", "https://shop.example/?x=javascript:alert(1)", ""},

	{"path", "/orders/1", notAbsolute},
	{"no scheme", "//evil.example/x", notAbsolute},
	{"bare host", "shop.example/orders", notAbsolute},
	{"query only", "?x=1", notAbsolute},
	{"no scheme before the colon", "://shop.example", notAbsolute},
	{"scheme that begins with a digit", "1shop://x", notAbsolute},
	{"scheme with percent-encoding", "java%73cript:alert(1)", notAbsolute},

	{"javascript", "javascript:alert(1)", scheme("javascript")},
	{"javascript in any case", "JaVaScRiPt://shop.example/%0aalert(1)", scheme("javascript")},
	{"data", "DATA:text/html,x", scheme("data")},
	{"vbscript", "vbscript:x", scheme("vbscript")},
	{"blob", "blob:https://shop.example/1", scheme("blob")},
	{"file", "file:///etc/passwd", scheme("file")},
	{"phone", "tel:0912345678", scheme("tel")},
	{"text message", "SMS:0912345678?body=x", scheme("sms")},
	{"mail", "mailto:a@shop.example", scheme("mailto")},
	{"Android intent", "intent://x#Intent;scheme=shop;end", scheme("intent")},
	{"Windows program", "ms-settings:privacy", scheme("ms-settings")},
	{"Windows search", "search-ms:query=x&crumb=location:%5C%5Cevil", scheme("search-ms")},
	{"empty", "", notAbsolute},
	{"javascript after a space", " javascript:alert(1)", spaces},
	{"javascript with a tab", "java\tscript:alert(1)", spaces},
	{"javascript with a line break", "java\nscript:alert(1)", spaces},
	{"javascript after a control character", "\x01javascript:alert(1)", invisible},

	{"https without slashes", "https:evil.example", noHost},
	{"https with one slash", "https:/evil.example", noHost},
	{"https with three slashes", "https:///evil.example", noHost},
	{"https with nothing", "https://", noHost},
	{"host missing before a port", "https://:8443/", noHost},
	{"host missing before a query", "https://?x", noHost},
	{"user and password", "https://user:secret@shop.example/", withUser},
	{"user", "https://user@shop.example/", withUser},
	{"empty user", "https://@shop.example/", withUser},
	{"user in an app link", "lyshop://user:secret@orders/1", withUser},
	{"port too high", "https://shop.example:65536/", port},
	{"invalid port", "https://shop.example:8x/", notAbsolute},
	{"two ports", "https://shop.example:80:90/", notAbsolute},
	{"IPv6 without brackets", "https://2001:db8::1/", notAbsolute},
	{"invalid IPv6", "https://[shop]/", notAbsolute},
	{"IPv6 without an end", "https://[::1/", notAbsolute},

	{"backslashes", `https:\\evil.example`, raw},
	{"backslash before the @", `https://shop.example\@evil.example`, raw},
	{"backslash in the path", `https://shop.example/a\b`, raw},
	{"quote", `https://shop.example/"x`, raw},
	{"angle brackets", "https://shop.example/<x>", raw},
	{"braces", "https://shop.example/{order}", raw},
	{"space", "https://shop.example/a b", spaces},
	{"space at the end", "https://shop.example/ ", spaces},
	{"no-break space", "https://shop.example/\u00a0", spaces},
	{"line separator", "https://shop.example/\u2028", spaces},
	{"next line", "https://shop.example/\u0085", spaces},
	{"DEL", "https://shop.example/\x7f", invisible},
	{"C1 control", "https://shop.example/\u0090", invisible},
	{"right-to-left override", "https://shop.example/\u202efdp", invisible},
	{"zero width", "https://shop\u200b.example/", invisible},
	{"percent with one digit", "https://shop.example/%4", percent},
	{"percent with no digits", "https://shop.example/%zz", percent},
	{"percent in the query", "https://shop.example/?off=50%", percent},
}

func TestReturnURL(t *testing.T) {
	t.Parallel()
	for _, row := range returnURLs {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			if got := httpapi.CheckReturnURL(row.url); got != row.complaint {
				t.Errorf("%q\ngot  %q\nwant %q", row.url, got, row.complaint)
			}
		})
	}
}

// Lengths are code points: 2048 Arabic letters are twice as many bytes.
func TestReturnURLLengthIsInCodePoints(t *testing.T) {
	t.Parallel()
	const start = "https://shop.example/"
	longest := start + strings.Repeat("ط", 2048-len(start))
	c, err := httpapi.DecodeCreate([]byte(bodyWith("return_url", `"`+longest+`"`)))
	if err != nil {
		t.Fatal(err)
	}
	if *c.ReturnURL != longest {
		t.Error("the return_url was changed")
	}
	if _, err := httpapi.DecodeCreate([]byte(bodyWith("return_url", `"`+longest+`ط"`))); err == nil {
		t.Error("2049 code points were accepted")
	}
}

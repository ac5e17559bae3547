package web

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// contentSecurityPolicy lets a page load from its own host only, and nothing
// inline. form-action 'self' also stops a browser from following a redirect from
// a posted form to another host: see LeadingPolicy.
const (
	contentSecurityPolicy = contentPolicy + "; frame-ancestors 'none'"

	contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
		"font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"
)

// FramedPolicy is the policy of a page that our own pages may show in a frame, and FramingPolicy
// that of a page that has such a frame.
const (
	FramingPolicy = contentSecurityPolicy + "; frame-src 'self'"
	FramedPolicy  = contentPolicy + "; frame-ancestors 'self'"
)

// LeadingPolicy is the policy of a page whose form may be answered with a redirect to these
// origins, and no others.
func LeadingPolicy(origins []string) string {
	const forms = "form-action 'self'"
	return strings.Replace(contentSecurityPolicy, forms,
		strings.Join(append([]string{forms}, origins...), " "), 1)
}

// AllowEmbedding sets the headers of a page that runs another company's script: only that
// company's host may add to it, on any port. Its script may style what it draws. Its frame may
// navigate to any host over the same scheme, open windows that report back, and pay: with 3-D
// Secure the frame shows the page of a bank, which only the company knows.
func AllowEmbedding(h http.Header, scriptURL string) {
	u, err := url.Parse(scriptURL)
	if err != nil || u.Host == "" {
		return
	}
	host := u.Scheme + "://" + u.Hostname() + ":*"
	h.Set("Content-Security-Policy", "default-src 'none'; "+
		"script-src 'self' "+host+"; "+
		"style-src 'self' 'unsafe-inline' "+host+"; "+
		"img-src 'self' data: "+host+"; "+
		"font-src 'self' "+host+"; "+
		"connect-src 'self' "+host+"; "+
		"frame-src "+u.Scheme+":; "+
		"form-action 'self' "+host+"; "+
		"base-uri 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	h.Set("Permissions-Policy", strings.Replace(permissionsPolicy, "payment=()", "payment=*", 1))
}

// permissionsPolicy switches off what no page of ours needs.
const permissionsPolicy = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), " +
	"microphone=(), payment=(), publickey-credentials-get=(), usb=()"

// PasskeyPermissions is the policy of a page on which people use passkeys.
var PasskeyPermissions = strings.Replace(permissionsPolicy,
	"publickey-credentials-get=()", "publickey-credentials-get=(self)", 1)

// CameraPermissions is the policy of a page that scans codes.
var CameraPermissions = strings.Replace(permissionsPolicy, "camera=()", "camera=(self)", 1)

// oneYear in seconds, for headers.
const oneYear = "31536000"

// SecurityHeaders sets on every answer the headers that protect a page. The server
// wraps all its parts in it once, so that no answer is without them. publicURL is the
// address that customers see; only if it is https does the answer ask browsers to stay
// on https, because on plain http they ignore that header.
//
// The referrer policy is same-origin, not no-referrer: with the latter browsers
// send "Origin: null" with our own forms, and the check against forged requests
// refuses them on a plain http installation. Other hosts get no referrer in either
// case, which is important because the address of a checkout is a secret.
func SecurityHeaders(publicURL string) func(http.Handler) http.Handler {
	all := http.Header{}
	all.Set("Content-Security-Policy", contentSecurityPolicy)
	all.Set("X-Content-Type-Options", "nosniff")
	all.Set("Cross-Origin-Opener-Policy", "same-origin")
	all.Set("Permissions-Policy", permissionsPolicy)
	all.Set("Referrer-Policy", "same-origin")
	all.Set("X-Robots-Tag", "noindex")
	all.Set("Cache-Control", "no-store")
	if IsHTTPS(publicURL) {
		all.Set("Strict-Transport-Security", "max-age="+oneYear)
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// All answers share these values. That is safe: Set replaces a value, and the
			// slices have no capacity for Add.
			maps.Copy(w.Header(), all)
			next.ServeHTTP(w, r)
		})
	}
}

// IsHTTPS reports whether an address begins with https.
func IsHTTPS(address string) bool {
	return len(address) >= 8 && strings.EqualFold(address[:8], "https://")
}

// SameOrigin refuses forms from other sites. It needs publicURL for older browsers that
// come through a proxy that changes the Host header: they send only Origin. It panics if
// publicURL is no absolute http or https address.
func SameOrigin(publicURL string) *http.CrossOriginProtection {
	u, err := url.Parse(publicURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		panic("web: the public URL is not an absolute http or https address")
	}
	protection := http.NewCrossOriginProtection()
	if err := protection.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
		panic("web: trust the public address: " + err.Error())
	}
	return protection
}

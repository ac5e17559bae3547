package config

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// IsWebAddress reports whether s is an http or https address without credentials, query and
// fragment, so that a path can be appended.
func IsWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && isWebServer(u) && u.User == nil && !strings.ContainsAny(s, "?#")
}

// isWebServer reports whether u has the scheme, the host and the port of one.
func isWebServer(u *url.URL) bool {
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && !strings.HasSuffix(u.Host, ":")
}

func (p *Problems) checkWebAddress(name, address string) {
	if !IsWebAddress(address) {
		p.Addf("%s: %q is no http or https address without query", name, address)
	}
}

// checkRoot refuses a web address that is more than a scheme and a host. Links, forms and
// redirects of pages begin at the root, so that below a path none of them would lead anywhere.
func (p *Problems) checkRoot(name, address string) {
	u, err := url.Parse(address)
	if err != nil || !isWebServer(u) {
		p.checkWebAddress(name, address)
		return
	}
	root := u.Scheme + "://" + u.Host
	for _, part := range []struct {
		what string
		has  bool
	}{
		{"a user", u.User != nil},
		{"a path", u.EscapedPath() != "" && u.EscapedPath() != "/"},
		{"a query", strings.Contains(address, "?")},
		{"a fragment", strings.Contains(address, "#")},
	} {
		if part.has {
			p.Addf("%s has %s, and what Daftar serves begins at the root of a host: set %s, "+
				"or a host for Daftar alone such as https://pay.example", name, part.what, root)
			return
		}
	}
}

// serverForm matches a scheme and a host as a Content-Security-Policy can name them.
var serverForm = regexp.MustCompile(`^https?://[0-9A-Za-z._-]+(:[0-9]+)?$`)

// parseServers reads addresses of web servers that browsers go to, separated by commas.
func parseServers(text string) (string, error) {
	var all []string
	for address := range strings.SplitSeq(text, ",") {
		address = strings.TrimRight(strings.TrimSpace(address), "/")
		if !serverForm.MatchString(address) || !IsWebAddress(address) {
			return "", fmt.Errorf("%q is no scheme and host such as https://pay.example", address)
		}
		all = append(all, address)
	}
	return strings.Join(all, ","), nil
}

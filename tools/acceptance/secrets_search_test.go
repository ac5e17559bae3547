package acceptance_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A place must not contain secrets, except those with a right to be there.
type place struct {
	kind string // kind says which secrets it may contain
	name string
	text string
}

// secret is a value that was issued or typed during the run.
type secret struct {
	name  string
	value string
	// may are the kinds of places that may contain it
	may []string
	// issued is the only answer that shows it: the index of a place, -1 for none.
	issued int
}

// search keeps all output of a run, and all secrets that it must not contain.
type search struct {
	t       *testing.T
	places  []place
	secrets []secret
}

func (s *search) addPlace(kind, name, text string) int {
	s.places = append(s.places, place{kind, name, text})
	return len(s.places) - 1
}

// addSecret remembers a secret that is never shown.
func (s *search) addSecret(name, value string, may ...string) {
	s.t.Helper()
	s.issue(-1, name, value, may...)
}

// minSearchLength is the minimum length in characters from which a match is not chance: four characters
// of base64 occur in a run's signatures by chance once in a hundred runs, six digits in its times
// once in six hundred.
const minSearchLength = 10

// issue remembers a secret that one answer shows, once.
func (s *search) issue(in int, name, value string, may ...string) {
	s.t.Helper()
	if len(value) < minSearchLength {
		s.t.Fatalf("the %s %q is too short to be searched for", name, value)
	}
	for n, known := range s.secrets {
		if known.value == value {
			s.secrets[n].may = append(s.secrets[n].may, may...)
			return
		}
	}
	s.secrets = append(s.secrets, secret{name, value, may, in})
}

// forms are the encodings of a secret: as it is, without its prefix, escaped for an address, in
// hexadecimal, in base64 from any byte on. Forms that are short enough to occur by chance are left
// out.
func (s secret) forms() []string {
	plain := []string{s.value}
	for _, prefix := range []string{"pk_", "at_", "whsec_"} {
		if random, ok := strings.CutPrefix(s.value, prefix); ok {
			plain = append(plain, random)
		}
	}
	forms := slices.Clone(plain)
	for _, p := range plain {
		forms = append(forms, url.QueryEscape(p), url.PathEscape(p), hex.EncodeToString([]byte(p)))
		for shift := range 3 {
			padded := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), p...))
			// The first and the last characters also encode bits of the neighbours.
			inner := padded[(shift*8+5)/6:]
			forms = append(forms, inner[:len(inner)-2])
		}
		if raw, err := hex.DecodeString(p); err == nil {
			forms = append(forms, base64.RawStdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw))
		}
		if raw, err := base64.StdEncoding.DecodeString(p); err == nil && strings.HasPrefix(s.value, "whsec_") {
			forms = append(forms, hex.EncodeToString(raw))
		}
	}
	forms = slices.DeleteFunc(forms, func(form string) bool { return len(form) < minSearchLength })
	slices.Sort(forms)
	return slices.Compact(forms)
}

// run searches every place for every secret and reports how many of each there were.
func (s *search) run() {
	s.t.Helper()
	lower := make([]string, len(s.places))
	kinds := map[string]int{}
	total := 0
	for n, p := range s.places {
		lower[n] = strings.ToLower(p.text)
		kinds[p.kind]++
		total += len(p.text)
	}
	looked := 0
	for _, secret := range s.secrets {
		for _, form := range secret.forms() {
			form = strings.ToLower(form)
			for n, p := range s.places {
				if n == secret.issued || slices.Contains(secret.may, p.kind) {
					continue
				}
				looked++
				if at := strings.Index(lower[n], form); at >= 0 {
					s.t.Errorf("the %s is in %s, %s, as %q:\n…%s…", secret.name, p.kind, p.name, form,
						p.text[max(0, at-200):min(len(p.text), at+len(form)+80)])
				}
			}
		}
	}
	s.t.Logf("%d secrets, %d places (%v, %d KiB), %d looks",
		len(s.secrets), len(s.places), kinds, total>>10, looked)
}

// mustShow checks that a place contains what it should: a search in the wrong text would find
// nothing either.
func (s *search) mustShow(kind, text string) {
	s.t.Helper()
	if !slices.ContainsFunc(s.places, func(p place) bool {
		return p.kind == kind && strings.Contains(p.text, text)
	}) {
		s.t.Errorf("no place of kind %q has %q: the search shows nothing", kind, text)
	}
}

// visitor is a browser whose every answer is searched.
type visitor struct {
	*search
	client *http.Client
	kind   string
	names  string // the cookies that were set
}

func (s *search) visitor(kind string) *visitor {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &visitor{search: s, client: &http.Client{Jar: jar, Timeout: patience}, kind: kind}
}

// ask sends one request and does not follow redirects; cookies become secrets.
func (v *visitor) ask(method, address string,
	form url.Values, header http.Header,
) (status int, body string, at int, to string) {
	v.t.Helper()
	request, err := http.NewRequestWithContext(v.t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	maps.Copy(request.Header, header)
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := v.client.Do(request)
	if err != nil {
		v.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, c := range response.Cookies() {
		if len(c.Value) > 20 {
			v.addSecret("session cookie", c.Value)
			v.names += c.Name + " "
		}
	}
	shown := response.Header.Clone()
	shown.Del("Set-Cookie")
	at = v.addPlace(v.kind, fmt.Sprintf("%s %s: %d", method, request.URL.Path, response.StatusCode),
		fmt.Sprintf("%v\n%s", shown, text))
	return response.StatusCode, string(text), at, response.Header.Get("Location")
}

// must is ask with one expected status. A request is repeated while the server is busy.
func (v *visitor) must(want int, method, address string, form url.Values) (body string, at int, to string) {
	v.t.Helper()
	status, body, at, to := v.ask(method, address, form, nil)
	for deadline := time.Now().Add(patience); status == http.StatusServiceUnavailable &&
		time.Now().Before(deadline); {
		status, body, at, to = v.ask(method, address, form, nil)
	}
	if status != want {
		v.t.Fatalf("%s %s: %d, want %d, to %s\n%s", method, address, status, want, to, body)
	}
	return body, at, to
}

// found returns the first group of a pattern, which must match.
func (s *search) found(pattern, text string) string {
	s.t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		s.t.Fatalf("no %s in %s", pattern, text)
	}
	return m[1]
}

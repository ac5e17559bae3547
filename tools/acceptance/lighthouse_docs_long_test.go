//go:build long

package acceptance_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"daftar/docs/site"
	"daftar/frontdoor"
	"daftar/internal/layout"
	"daftar/internal/web"
)

// publicScore is the least that Lighthouse may give the front door and the reference of the API in
// each category.
const publicScore = 95

// The reference and the front door on a phone, in both languages. Their server needs nothing of the
// others.
func TestLongMeasuredPublicPages(t *testing.T) {
	var documents http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		documents.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	pages := http.NewServeMux()
	pages.Handle(site.Prefix+"/", site.New(site.Config{PublicURL: server.URL, Log: zerolog.Nop()}))
	pages.Handle("/static/", layout.AssetHandler())
	front := frontdoor.New(frontdoor.Config{
		PublicURL: server.URL, Demo: &frontdoor.Demo{}, SignUp: true, Log: zerolog.Nop(),
	})
	pages.Handle(frontdoor.SheetPath, front)
	pages.Handle(frontdoor.Path, front)
	documents = web.SecurityHeaders(server.URL)(pages)
	addresses := []string{
		server.URL + "/docs/api", server.URL + "/docs/api?lang=en", server.URL + "/", server.URL + "/?lang=en",
	}
	for look := 1; len(addresses) > 0; look++ {
		var slow []string
		for _, j := range lighthouse(t, "simulate", addresses...) {
			t.Logf("%s: %v, largest text after %d ms, %d requests, %d bytes",
				j.Address, j.Scores, j.LCP, len(j.Requests), j.Bytes)
			if j.Scores["performance"] < publicScore && look < looksAtMost {
				slow = append(slow, j.Address)
				continue
			}
			for category, score := range j.Scores {
				if score < publicScore {
					t.Errorf("%s: %s is %d: %s", j.Address, category, score, strings.Join(j.Failed, "\n"))
				}
			}
		}
		addresses = slow
	}
}

//go:build long

package acceptance_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"daftar/docs/site"
	"daftar/internal/layout"
	"daftar/internal/web"
)

// referenceScore is the least that Lighthouse may give the reference of the API in each category.
const referenceScore = 95

// The reference on a phone, in both languages. Its server needs nothing of the others.
func TestLongMeasuredReference(t *testing.T) {
	var documents http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		documents.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	pages := http.NewServeMux()
	pages.Handle(site.Prefix+"/", site.New(site.Config{PublicURL: server.URL, Log: zerolog.Nop()}))
	pages.Handle("/static/", layout.AssetHandler())
	documents = web.SecurityHeaders(server.URL)(pages)
	addresses := []string{server.URL + "/docs/api", server.URL + "/docs/api?lang=en"}
	for look := 1; len(addresses) > 0; look++ {
		var slow []string
		for _, j := range lighthouse(t, "simulate", addresses...) {
			t.Logf("%s: %v, largest text after %d ms, %d requests, %d bytes",
				j.Address, j.Scores, j.LCP, len(j.Requests), j.Bytes)
			if j.Scores["performance"] < referenceScore && look < looksAtMost {
				slow = append(slow, j.Address)
				continue
			}
			for category, score := range j.Scores {
				if score < referenceScore {
					t.Errorf("%s: %s is %d: %s", j.Address, category, score, strings.Join(j.Failed, "\n"))
				}
			}
		}
		addresses = slow
	}
}

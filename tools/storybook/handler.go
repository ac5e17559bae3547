package storybook

import (
	"io"
	"mime"
	"net/http"
	"path"
	"strings"

	"daftar/tools/storybook/checkoutstories"
)

// policy is that of the checkout, except that the list may frame pages.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; " +
	"img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-src 'self'; frame-ancestors 'self'"

// Handler serves the files. It answers forms with 204, so that the page stays, and requests
// for an icon, too. A page that requests its state gets the same version every time.
func Handler(files map[string][]byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		if r.Method == http.MethodPost || r.URL.Path == "/favicon.ico" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if r.URL.Path == checkoutstories.WatchAddress {
			h.Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"version":"`+checkoutstories.Version+`"}`)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		content, found := files[name]
		if !found {
			http.NotFound(w, r)
			return
		}
		h.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		_, _ = w.Write(content)
	})
}

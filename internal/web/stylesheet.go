package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

// StylesheetPrefix begins the address of every version of the style sheet. Mount
// StylesheetHandler on it.
const StylesheetPrefix = "/static/daftar."

//go:embed daftar.css
var stylesheet []byte

var stylesheetGzip = compress(stylesheet)

// StylesheetPath is the address of this version of the style sheet. It changes
// with the content, so that browsers may keep it for ever.
var StylesheetPath = stylesheetPath()

func stylesheetPath() string {
	sum := sha256.Sum256(stylesheet)
	return StylesheetPrefix + hex.EncodeToString(sum[:8]) + ".css"
}

// Stylesheet is the text of the style sheet.
func Stylesheet() string { return string(stylesheet) }

// StylesheetHandler serves the style sheet to GET and HEAD. Under StylesheetPath
// it may be kept for a year. Under the address of another version it is served
// all the same, but not to be kept: while servers are replaced one by one, a page
// from a new one may ask an old one for its style sheet, and a customer should
// not pay on a page without style.
func StylesheetHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, StylesheetPrefix) || !strings.HasSuffix(r.URL.Path, ".css") {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/css; charset=utf-8")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Vary", "Accept-Encoding")
		h.Set("Cache-Control", "no-cache")
		if r.URL.Path == StylesheetPath {
			h.Set("Cache-Control", "public, max-age="+oneYear+", immutable")
		}
		body := stylesheet
		if acceptsGzip(r) {
			h.Set("Content-Encoding", "gzip")
			body = stylesheetGzip
		}
		h.Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(http.StatusOK)
		if r.Method == http.MethodGet {
			// A failed write means that the browser left; there is nobody to tell.
			_, _ = w.Write(body)
		}
	})
}

// acceptsGzip reports whether the request names gzip without refusing it.
func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(part, ";")
		if strings.TrimSpace(name) != "gzip" {
			continue
		}
		q, given := strings.CutPrefix(strings.TrimSpace(quality), "q=")
		if !given {
			return true
		}
		value, err := strconv.ParseFloat(q, 64)
		return err == nil && value > 0
	}
	return false
}

func compress(b []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		panic("web: compress style sheet: " + err.Error())
	}
	// A bytes.Buffer takes every write.
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// AssetPrefix begins the address of every version of the style sheet and of the
// script. Mount AssetHandler on it.
const AssetPrefix = "/static/daftar."

// asset is a file that pages load. Its address changes with the content, so that
// browsers may keep it for ever.
type asset struct {
	path, extension, contentType string
	plain, packed                []byte
}

//go:embed daftar.css
var stylesheetSource []byte

//go:embed daftar.js
var scriptSource []byte

var (
	stylesheet = newAsset(stylesheetSource, ".css", "text/css; charset=utf-8")
	script     = newAsset(scriptSource, ".js", "text/javascript; charset=utf-8")
	assets     = []asset{stylesheet, script}
)

// The addresses of this version's files.
var (
	StylesheetPath = stylesheet.path
	ScriptPath     = script.path
)

func newAsset(content []byte, extension, contentType string) asset {
	sum := sha256.Sum256(content)
	return asset{
		path: AssetPrefix + hex.EncodeToString(sum[:8]) + extension, extension: extension, contentType: contentType,
		plain: content, packed: compress(content),
	}
}

// Stylesheet is the text of the style sheet.
func Stylesheet() string { return string(stylesheet.plain) }

// Script is the text of the script.
func Script() string { return string(script.plain) }

// AssetHandler serves the style sheet and the script to GET and HEAD. Under its
// own address a file may be kept for a year. Under the address of another version
// it is served all the same, but not to be kept: while servers are replaced one by
// one, a page from a new one may ask an old one for its style sheet, and a customer
// should not pay on a page without style.
func AssetHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := slices.IndexFunc(assets, func(a asset) bool {
			return strings.HasPrefix(r.URL.Path, AssetPrefix) && strings.HasSuffix(r.URL.Path, a.extension)
		})
		if n < 0 {
			http.NotFound(w, r)
			return
		}
		a := assets[n]
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		}
		h := w.Header()
		h.Set("Content-Type", a.contentType)
		h.Set("Vary", "Accept-Encoding")
		h.Set("Cache-Control", "no-cache")
		if r.URL.Path == a.path {
			h.Set("Cache-Control", "public, max-age="+oneYear+", immutable")
		}
		body := a.plain
		if acceptsGzip(r) {
			h.Set("Content-Encoding", "gzip")
			body = a.packed
		}
		h.Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(http.StatusOK)
		if r.Method == http.MethodGet {
			// A failed write means that the browser left.
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
		panic("web: compress asset: " + err.Error())
	}
	// A bytes.Buffer takes every write.
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

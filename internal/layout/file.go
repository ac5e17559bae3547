package layout

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

// File is content that is the same for every reader, ready to be sent, plain and gzipped.
type File struct {
	contentType   string
	plain, packed []byte
	sum           string // of the content, in hex
}

// NewFile makes a File.
func NewFile(contentType string, content []byte) File {
	sum := sha256.Sum256(content)
	return File{contentType, content, compress(content), hex.EncodeToString(sum[:8])}
}

// Text is the content.
func (f File) Text() string { return string(f.plain) }

// ServeAs answers GET and HEAD with the content, or with 304 if the client has it already.
// The caller sets Cache-Control.
func (f File) ServeAs(status int, w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		h.Set("Cache-Control", "no-store")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	// Weak: the packed content has the same name.
	tag := `W/"` + f.sum + `"`
	h.Set("Content-Type", f.contentType)
	h.Set("Vary", "Accept-Encoding")
	if status == http.StatusOK {
		h.Set("ETag", tag)
		if strings.Contains(r.Header.Get("If-None-Match"), `"`+f.sum+`"`) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	body := f.plain
	if len(f.packed) < len(f.plain) && acceptsGzip(r) { // a font is packed already
		h.Set("Content-Encoding", "gzip")
		body = f.packed
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		// A failed write means that the browser left.
		_, _ = w.Write(body)
	}
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
		panic("web: compress file: " + err.Error())
	}
	// A bytes.Buffer takes every write.
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

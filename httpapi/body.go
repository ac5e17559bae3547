package httpapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
)

// maxBody is the size of a request in bytes. The largest legal one, with every
// character escaped, is below 100 KiB.
const maxBody = 128 << 10

// readBody reads the whole body of a request whose type is JSON. Its errors
// are errNotJSON, errEncoded, errBodyTooLarge, errSlowBody and *MalformedError.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if !hasJSONType(r.Header) {
		return nil, errNotJSON
	}
	if e := r.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return nil, errEncoded
	}
	if r.ContentLength > maxBody {
		return nil, errBodyTooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return nil, errBodyTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errSlowBody
	case err != nil:
		return nil, &MalformedError{"The body could not be read to its end."}
	}
	// The whole body is read, so its deadline ends.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	return body, nil
}

// shareOfBody is how much of a request's time its body may take. The last fifth is
// left for the work: a refusal needs the database too.
func shareOfBody(deadline time.Duration) time.Duration { return deadline * 4 / 5 }

// beginBodyDeadline bounds the reading of a body, which a context does not
// interrupt. The deadline also applies where no handler reads the body: the server drains it
// before it sends the answer, and a stalled body would block it for ever. Where
// the connection supports no deadline, the server's own still applies.
func beginBodyDeadline(w http.ResponseWriter, r *http.Request, end time.Time) {
	if r.Body != nil && r.Body != http.NoBody {
		_ = http.NewResponseController(w).SetReadDeadline(end)
	}
}

// hasJSONType reports whether the Content-Type is application/json, with UTF-8 as the only
// charset: JSON has no other. Some proxies repeat the header or join its values with commas;
// then each value must be application/json.
func hasJSONType(h http.Header) bool {
	sent := h.Values("Content-Type")
	for _, value := range sent {
		for one := range strings.SplitSeq(value, ",") {
			if !isJSONType(one) {
				return false
			}
		}
	}
	return len(sent) > 0
}

func isJSONType(sent string) bool {
	kind, parameters, err := mime.ParseMediaType(sent)
	if err != nil || kind != "application/json" {
		return false
	}
	charset, given := parameters["charset"]
	return !given || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")
}

package torture

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// dribble sends the headers of a request very slowly, without end.
func dribble(ctx context.Context, address string) {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return
	}
	defer func() { _ = c.Close() }()
	_, _ = io.WriteString(c, "GET /api/v1/payment-intents HTTP/1.1\r\nHost: x\r\n")
	for n := 0; wait(ctx, 200*time.Millisecond); n++ {
		if _, err := fmt.Fprintf(c, "X-Slow-%d: 1\r\n", n); err != nil {
			return
		}
	}
}

// hugeBody is what one of the hostile clients offers to send.
const hugeBody = 100 << 20

// sendHuge sends 100 MB as a create. The server must not read all of it.
func (n *nemesis) sendHuge(ctx context.Context, address string, t *tenant) {
	body := io.LimitReader(endless{}, hugeBody)
	n.sendBad(ctx, address, t, body, hugeBody, http.StatusRequestEntityTooLarge)
}

// sendDeep sends 10,000 levels of JSON, which is within the size limit.
func (n *nemesis) sendDeep(ctx context.Context, one *server, t *tenant) {
	text := `{"metadata":` + strings.Repeat(`[`, 10_000) + strings.Repeat(`]`, 10_000) + `}`
	n.sendBad(ctx, one.listen, t, strings.NewReader(text), int64(len(text)), http.StatusBadRequest)
	text = strings.Repeat(`{"a":`, 10_000) + `1` + strings.Repeat(`}`, 10_000)
	n.sendBad(ctx, one.listen, t, strings.NewReader(text), int64(len(text)), http.StatusBadRequest)
}

// sendBad sends a body that must be refused. The server may also close the connection
// without an answer, before it has read everything.
func (n *nemesis) sendBad(
	ctx context.Context, address string, t *tenant, body io.Reader, size int64, want int,
) {
	ctx, cancel := context.WithTimeout(ctx, apiLimit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/api/v1/payment-intents", body)
	if err != nil {
		return
	}
	r.ContentLength = size
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-API-Key", t.APIKey)
	r.Header.Set("Authorization", "Bearer "+t.AccessToken)
	r.Close = true
	response, err := n.client.Do(r)
	if err != nil {
		return
	}
	_ = response.Body.Close()
	n.recorder.Count("hostile requests refused", 1)
	switch response.StatusCode {
	case want, http.StatusUnprocessableEntity, http.StatusServiceUnavailable:
	default:
		n.complainf("a hostile request was answered %d, want %d", response.StatusCode, want)
	}
}

// endless is a body of white space, which is a valid start of JSON.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for n := range b {
		b[n] = ' '
	}
	return len(b), nil
}

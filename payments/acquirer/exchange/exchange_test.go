package exchange_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"daftar/payments/acquirer/exchange"
)

func TestTheLimitEndsAnExchange(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	c, err := exchange.New(server.URL, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	// On a busy machine the time may be over before there is a connection; then it was not sent.
	answer, err := c.Do(t.Context(), exchange.Request{Method: http.MethodPost, Path: "/", JSON: "?"})
	if timeout, ok := errors.AsType[net.Error](err); !ok || !timeout.Timeout() {
		t.Errorf("Do = %+v, %v, want a time-out", answer, err)
	}
}

package pgtest

import (
	"context"
	"io"
	"net"
	"testing"
)

// What a client sends after Cut or Refuse does not arrive, also before the connection is closed.
func TestNothingArrivesAfterACut(t *testing.T) {
	t.Parallel()
	p := &ProxyServer{flowing: make(chan struct{})}
	close(p.flowing)
	sent, client := net.Pipe()
	server, arrived := net.Pipe()
	uncut, cut := context.WithCancel(t.Context())
	cut()
	go func() {
		_, _ = sent.Write([]byte{0, 0, 0, 8, 1, 2, 3, 4}) // a startup message
		_ = sent.Close()
	}()
	go func() {
		p.forwardRequests(&link{client: client, server: server, uncut: uncut})
		_ = server.Close()
	}()
	if got, err := io.ReadAll(arrived); err != nil || len(got) > 0 {
		t.Errorf("%v arrived, %v", got, err)
	}
}

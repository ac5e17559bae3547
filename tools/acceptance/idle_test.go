package acceptance_test

import (
	"io"
	"net"
	"net/url"
	"testing"
	"time"

	"daftar/cmd/daftar/config"
	"daftar/internal/postgres/pgtest"
)

// An idle connection stays open as long as DAFTAR_IDLE_TIMEOUT says, and by default longer than the
// load balancers of clouds keep theirs.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	if c, err := config.Read(nil); err != nil || c.IdleTimeout <= 600*time.Second {
		t.Errorf("by default %s, %v; Google's balancers keep a connection for 600 s", c.IdleTimeout, err)
	}
	s := serve(t, pgtest.Database(t).ServiceURL(), "DAFTAR_IDLE_TIMEOUT=1s")
	u, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	// By default it would stay open longer than this.
	if err := c.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Errorf("an idle connection was not closed: %v", err)
	}
}

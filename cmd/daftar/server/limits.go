package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/net/netutil"

	"daftar/cmd/daftar/config"
	"daftar/internal/web"
)

// What a client may take of a server, on each of its addresses. A connection that
// sends nothing, or sends too slowly, is closed; so is one that does not read its answer.
const (
	readHeaderLimit = 5 * time.Second
	readLimit       = 10 * time.Second // for the request with its body
	writeLimit      = 30 * time.Second
	idleLimit       = 60 * time.Second // of clients that are no proxy; those have DAFTAR_IDLE_TIMEOUT
	// To pay.shop.example a browser sends all cookies of shop.example, sometimes 20 kB.
	// The headers of all connections together stay below half a gigabyte.
	maxHeaderBytes = 48 << 10
)

// How many connections are open at a time; more wait until one ends. An idle one
// costs some 20 KiB. The limit is far below what files and memory allow, and thousands of
// silent connections still do not keep others waiting.
const (
	maxConnections = 8192
	// The limit of one network on DAFTAR_LISTEN. Of the payers who share an address, few are
	// connected at a time.
	maxNetworkConnections  = 512
	maxOperatorConnections = 256
	maxSandboxConnections  = 1024
)

// databaseLimit is how long a request waits for the database in all, in a part of the
// server that sets no other limit.
const databaseLimit = 5 * time.Second

// newHTTPServer makes a server with the limits above on each connection.
func newHTTPServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           closeAfterChunks(h),
		ReadHeaderTimeout: readHeaderLimit,
		ReadTimeout:       readLimit,
		WriteTimeout:      writeLimit,
		IdleTimeout:       idleLimit,
		MaxHeaderBytes:    maxHeaderBytes,
	}
}

// listen claims an address that takes so many connections at a time. A bad one, or
// one that is taken, is the caller's mistake and named by its variable.
func listen(ctx context.Context, variable, address string, connections int) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, config.Errorf("%s: cannot listen on %s: %v", variable, address, errors.Unwrap(err))
	}
	return netutil.LimitListener(l, connections), nil
}

// networkLimiter closes a connection at once where its network has too many. A proxy
// has those of all its clients, so trusted addresses are not counted.
type networkLimiter struct {
	net.Listener

	most    int
	trusted func(netip.Addr) bool

	mu   sync.Mutex
	open map[string]int // by web.Networks, each with its web.Allowances
}

func limitNetworks(l net.Listener, most int, trusted func(netip.Addr) bool) net.Listener {
	return &networkLimiter{Listener: l, most: most, trusted: trusted, open: map[string]int{}}
}

// Accept implements net.Listener.
func (l *networkLimiter) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from, _ := netip.ParseAddrPort(c.RemoteAddr().String()) // what cannot be read is one network
		if l.trusted(from.Addr().Unmap()) {
			return c, nil
		}
		networks := web.Networks(from.Addr().String())
		release := sync.OnceFunc(func() { l.count(networks, -1) })
		if l.count(networks, 1) {
			return &counted{c, release}, nil
		}
		release()
		_ = c.Close() // nothing was read or written
	}
}

// count changes the numbers of open connections. It reports whether none is too high then.
func (l *networkLimiter) count(networks []string, by int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	fine := true
	for n, network := range networks {
		l.open[network] += by
		fine = fine && l.open[network] <= l.most*web.Allowances[n]
		if l.open[network] == 0 {
			delete(l.open, network)
		}
	}
	return fine
}

// counted is a connection that its networkLimiter counts until it is closed.
type counted struct {
	net.Conn

	release func()
}

// SetReadDeadline implements net.Conn. A client that is no proxy keeps an idle connection for
// idleLimit at most, however long proxies may: there are too many clients for more.
func (c *counted) SetReadDeadline(t time.Time) error {
	if latest := time.Now().Add(idleLimit); t.After(latest) {
		t = latest
	}
	return c.Conn.SetReadDeadline(t)
}

// Close implements net.Conn.
func (c *counted) Close() error {
	defer c.release()
	return c.Conn.Close()
}

// Serve serves h at an address, within the limits of every address, until ctx ends. A
// bad address is named by the flag that it came from.
func Serve(ctx context.Context, flag, address string, h http.Handler, log zerolog.Logger) error {
	l, err := listen(ctx, flag, address, maxOperatorConnections)
	if err != nil {
		return err
	}
	log.Info().Stringer("address", l.Addr()).Msg("listening")
	return serveUntil(ctx, newHTTPServer(h), l, l.Addr().String())
}

// serveUntil serves at l until ctx ends, then drains. An error names what was served.
func serveUntil(ctx context.Context, hs *http.Server, l net.Listener, what string) error {
	stopped := make(chan error, 1)
	go func() { stopped <- hs.Serve(l) }()
	select {
	case err := <-stopped:
		return fmt.Errorf("serve %s: %w", what, err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainLimit)
	defer cancel()
	return hs.Shutdown(drain)
}

// withTimeout gives every request so much time.
func withTimeout(limit time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), limit)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// closeAfterChunks ends the connection after a request in chunks. One that has a
// Content-Length too is read by its chunks, and the header is gone when it comes
// here; a proxy in front that goes by the length would take what follows for a
// request of another client (RFC 9112, 6.3).
func closeAfterChunks(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

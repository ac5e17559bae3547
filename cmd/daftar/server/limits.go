package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"

	"daftar/cmd/daftar/config"
)

// What a client may take of a server, on each of its addresses. A connection that
// says nothing, or says it byte by byte, is closed; so is one that does not read
// its answer.
const (
	readHeaderLimit = 5 * time.Second
	readLimit       = 10 * time.Second // for the request with its body
	writeLimit      = 30 * time.Second
	idleLimit       = 60 * time.Second
	maxHeaderBytes  = 16 << 10
)

// How many connections are open at a time; more wait until one ends. An idle one
// costs some 20 KiB. The limit is far from what files and memory bear, and still
// takes thousands of silent connections without keeping others waiting.
const (
	maxConnections         = 8192
	maxOperatorConnections = 256
	maxSandboxConnections  = 1024
)

// databaseLimit is how long a request waits for the database in all, where the
// part of the server that answers it has no limit of its own.
const databaseLimit = 5 * time.Second

// newHTTPServer is a server with those limits on each connection.
func newHTTPServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: closeAfterChunks(h), ReadHeaderTimeout: readHeaderLimit, ReadTimeout: readLimit, WriteTimeout: writeLimit,
		IdleTimeout: idleLimit, MaxHeaderBytes: maxHeaderBytes,
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

// within gives every request so much time.
func within(limit time.Duration, next http.Handler) http.Handler {
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

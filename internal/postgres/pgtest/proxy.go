package pgtest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	neturl "net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// trap is a fault that waits for a message; it happens once.
type trap struct {
	match func(Message) bool
	// keep returns how many bytes of the message are forwarded before the cut; nil
	// forwards it all and cuts before the reply.
	keep      func(raw []byte) int
	triggered chan struct{}
}

// cut ends the connection. The channel is closed first: as soon as the connection ends the
// client may get its answer in another way, and then the test checks whether it was cut.
func (tr *trap) cut(l *link) {
	close(tr.triggered)
	l.close()
}

// ProxyServer forwards connections to a server until the test breaks them.
type ProxyServer struct {
	target   string
	url      string
	listener net.Listener
	routines sync.WaitGroup

	mu      sync.Mutex
	flowing chan struct{}   // closed unless stalled
	uncut   context.Context // of the present connections; its end breaks them
	cut     context.CancelFunc
	traps   []*trap
	refuse  bool
	held    int // directions of connections in which something waits for Pass
}

// link is one client's connection and its counterpart to the server.
type link struct {
	client, server net.Conn
	uncut          context.Context      // its end breaks them
	muted          atomic.Pointer[trap] // set when replies must not get back any more
}

func (l *link) close() {
	_ = l.client.Close()
	_ = l.server.Close()
}

// Proxy starts a proxy in front of the database of databaseURL; it ends with the
// test. It passes everything on until one of its methods is called.
func Proxy(t testing.TB, databaseURL string) *ProxyServer {
	t.Helper()
	target, err := neturl.Parse(databaseURL)
	if err != nil {
		t.Fatal("pgtest: the proxy's target is not a URL")
	}
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("pgtest: start proxy: %v", err)
	}
	p := &ProxyServer{target: target.Host, listener: listener, flowing: make(chan struct{})}
	target.Host = listener.Addr().String()
	p.url = target.String()
	close(p.flowing)
	p.uncut, p.cut = context.WithCancel(context.Background())
	p.routines.Go(p.accept)
	t.Cleanup(func() {
		_ = p.listener.Close()
		p.Refuse()
		p.resume()
		p.routines.Wait()
	})
	return p
}

// URL is the database's URL by way of the proxy.
func (p *ProxyServer) URL() string { return p.url }

// Pass ends Stall and Refuse, and removes faults that have not happened yet.
func (p *ProxyServer) Pass() {
	p.mu.Lock()
	p.refuse, p.traps = false, nil
	p.mu.Unlock()
	p.resume()
}

// Cut breaks every open connection at once; new ones pass.
func (p *ProxyServer) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut()
	p.uncut, p.cut = context.WithCancel(context.Background())
}

// Refuse breaks every open connection and every new one.
func (p *ProxyServer) Refuse() {
	p.mu.Lock()
	p.refuse = true
	p.mu.Unlock()
	p.Cut()
}

// Stall forwards nothing any more in either direction and closes nothing: a network
// that drops everything. Pass ends it.
func (p *ProxyServer) Stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.flowing:
		p.flowing = make(chan struct{})
	default: // it stalls already
	}
}

// LoseRequest cuts the connection before the next message that matches, so the
// server never sees it. The channel is closed when that has happened.
func (p *ProxyServer) LoseRequest(match func(Message) bool) <-chan struct{} {
	return p.set(match, func([]byte) int { return 0 })
}

// LoseHalf cuts the connection in the middle of the next message that matches.
func (p *ProxyServer) LoseHalf(match func(Message) bool) <-chan struct{} {
	return p.set(match, func(raw []byte) int { return len(raw) / 2 })
}

// LoseAfter cuts the connection on which the client, all its connections
// counted, has sent n bytes from now on, and forwards those.
func (p *ProxyServer) LoseAfter(n int) <-chan struct{} {
	left := n
	return p.set(func(m Message) bool {
		if m.size > left {
			return true
		}
		left -= m.size
		return false
	}, func([]byte) int { return left })
}

// LoseReply forwards the next message that matches, lets the server finish the request
// (until ReadyForQuery), and cuts the connection without having passed on any of the
// reply. The channel is closed when that has happened. It is meant for clients that
// await one answer before the next request, as pgx does outside of its pipeline mode.
func (p *ProxyServer) LoseReply(match func(Message) bool) <-chan struct{} {
	return p.set(match, nil)
}

func (p *ProxyServer) set(match func(Message) bool, keep func([]byte) int) <-chan struct{} {
	tr := &trap{match: match, keep: keep, triggered: make(chan struct{})}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traps = append(p.traps, tr)
	return tr.triggered
}

// trigger returns the trap that the message sets off, nil if none.
func (p *ProxyServer) trigger(m Message) *trap {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, tr := range p.traps {
		if tr.match(m) {
			p.traps = append(p.traps[:i:i], p.traps[i+1:]...)
			return tr
		}
	}
	return nil
}

// flow waits while the proxy is stalled.
func (p *ProxyServer) flow() {
	p.mu.Lock()
	flowing := p.flowing
	p.held++
	p.mu.Unlock()
	<-flowing
	p.mu.Lock()
	p.held--
	p.mu.Unlock()
}

// resume ends a stall.
func (p *ProxyServer) resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.flowing:
	default:
		close(p.flowing)
	}
}

func (p *ProxyServer) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		p.routines.Go(func() { p.serve(client) })
	}
}

// serve forwards one client's messages, and the replies to them.
func (p *ProxyServer) serve(client net.Conn) {
	p.flow()
	server, err := net.Dial("tcp", p.target) //nolint:noctx // ends at once: the target is on this machine
	if err != nil {
		_ = client.Close()
		return
	}
	l := &link{client: client, server: server}
	defer l.close()
	p.mu.Lock()
	l.uncut = p.uncut
	refuse := p.refuse
	p.mu.Unlock()
	if refuse {
		return
	}
	defer context.AfterFunc(l.uncut, l.close)()

	var replies sync.WaitGroup
	defer replies.Wait()
	defer l.close()
	replies.Go(func() {
		defer l.close()
		p.forwardReplies(l)
	})
	p.forwardRequests(l)
}

func (p *ProxyServer) forwardRequests(l *link) {
	for startup := true; ; startup = false {
		raw, m, err := readMessage(l.client, startup)
		if err != nil {
			return // the client sees how the connection ended
		}
		p.flow()
		if l.uncut.Err() != nil {
			return // it is closed in a moment, which on a busy machine can be long
		}
		tr := p.trigger(m)
		if tr != nil && tr.keep != nil {
			_, _ = l.server.Write(raw[:tr.keep(raw)])
			tr.cut(l)
			return
		}
		if tr != nil {
			l.muted.Store(tr) // before the request is sent, so that no byte of the reply passes
		}
		if _, err := l.server.Write(raw); err != nil {
			return
		}
	}
}

// forwardReplies passes the server's messages on, or drops them up to ReadyForQuery.
func (p *ProxyServer) forwardReplies(l *link) {
	for {
		raw, m, err := readMessage(l.server, false)
		if err != nil {
			return
		}
		p.flow()
		switch tr := l.muted.Load(); {
		case tr == nil:
			if _, err := l.client.Write(raw); err != nil {
				return
			}
		case m.Type == 'Z': // ReadyForQuery
			tr.cut(l)
			return
		}
	}
}

const maxMessage = 64 << 20

// readMessage reads one framed message and returns it raw and parsed. The first message
// of a session has no type.
func readMessage(r io.Reader, startup bool) ([]byte, Message, error) {
	header := 5
	if startup {
		header = 4
	}
	raw := make([]byte, header)
	if _, err := io.ReadFull(r, raw); err != nil {
		return nil, Message{}, fmt.Errorf("read message: %w", err)
	}
	size := int(binary.BigEndian.Uint32(raw[header-4:])) - 4
	if size < 0 || size > maxMessage {
		return nil, Message{}, errors.New("read message: not the PostgreSQL protocol")
	}
	raw = slices.Grow(raw, size)[:header+size]
	if _, err := io.ReadFull(r, raw[header:]); err != nil {
		return nil, Message{}, fmt.Errorf("read message: %w", err)
	}
	m := Message{Body: raw[header:], size: len(raw)}
	if !startup {
		m.Type = raw[0]
	}
	return raw, m, nil
}

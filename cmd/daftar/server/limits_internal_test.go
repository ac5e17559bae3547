package server

import (
	"net"
	"net/netip"
	"testing"
	"time"
)

// arrivals is a listener that accepts connections from given addresses.
type arrivals chan string

func (a arrivals) Accept() (net.Conn, error) {
	from, more := <-a
	if !more {
		return nil, net.ErrClosed
	}
	ours, theirs := net.Pipe()
	return arrived{ours, theirs, from}, nil
}

func (arrivals) Close() error   { return nil }
func (arrivals) Addr() net.Addr { return nil }

type arrived struct {
	net.Conn

	client net.Conn
	from   string
}

func (a arrived) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(a.from))
}

// A network may have so many connections open at a time. Further ones are closed, and other
// networks are not affected. Trusted addresses are not counted.
func TestConnectionsOfANetworkAreBounded(t *testing.T) {
	t.Parallel()
	arriving := make(arrivals, 20)
	l := limitNetworks(arriving, 2, netip.Addr.IsLoopback)
	var open []net.Conn
	take := func(from ...string) {
		t.Helper()
		for _, address := range from {
			arriving <- address
		}
		arriving <- "127.0.0.1:9" // is accepted in any case, and so marks the end
		for {
			c, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			if c.RemoteAddr().String() == "127.0.0.1:9" {
				return
			}
			open = append(open, c)
		}
	}
	want := func(what string, n int) {
		t.Helper()
		if len(open) != n {
			t.Errorf("%s: %d connections are open, want %d", what, len(open), n)
		}
	}
	take("203.0.113.7:1", "203.0.113.7:2", "203.0.113.7:3", "[::ffff:203.0.113.7]:4")
	want("three of one address", 2)
	take("203.0.113.8:1", "[2001:db8:1:2::1]:1", "[2001:db8:1:2:ffff::2]:1", "[2001:db8:1:2::3]:1",
		"[2001:db8:1:3::1]:1")
	want("others, and three of one /64", 6)
	for range 2 { // closing twice counts once
		if err := open[0].Close(); err != nil {
			t.Fatal(err)
		}
	}
	take("203.0.113.7:5", "203.0.113.7:6")
	want("after one was closed", 7)
	take("127.0.0.1:1", "127.0.0.1:2", "[::1]:3", "[::ffff:127.0.0.1]:4", "127.0.0.1:5")
	want("of a proxy on this machine", 12)
}

// A connection over the limit is closed, not kept.
func TestAConnectionTooManyIsClosed(t *testing.T) {
	t.Parallel()
	raw, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limitNetworks(raw, 1, func(netip.Addr) bool { return false })
	dial := func() net.Conn {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", raw.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	dial()
	kept, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	tooMany := dial()
	ended := make(chan error, 1)
	go func() {
		_, err := l.Accept()
		ended <- err
	}()
	if n, err := tooMany.Read(make([]byte, 1)); err == nil {
		t.Errorf("one too many reads %d bytes", n)
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	dial()
	if err := <-ended; err != nil {
		t.Errorf("after one was closed: %v", err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
}

// idler is a connection that records its read deadline.
type idler struct {
	net.Conn

	from     string
	deadline time.Time
}

func (i *idler) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(i.from))
}

func (i *idler) SetReadDeadline(t time.Time) error {
	i.deadline = t
	return nil
}

type oneConnection struct {
	net.Listener

	c net.Conn
}

func (o oneConnection) Accept() (net.Conn, error) { return o.c, nil }

// A proxy may keep an idle connection for as long as the server lets it, and any other client for
// a minute; shorter deadlines, and none, are not changed.
func TestIdleConnectionsOfClientsEndSooner(t *testing.T) {
	t.Parallel()
	for from, proxy := range map[string]bool{
		"127.0.0.1:1": true, "203.0.113.7:1": false, "[2001:db8::1]:1": false,
	} {
		raw := &idler{from: from}
		c, err := limitNetworks(oneConnection{c: raw}, 2, netip.Addr.IsLoopback).Accept()
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		for deadline, want := range map[time.Time]time.Duration{
			now.Add(620 * time.Second): time.Minute,
			now.Add(10 * time.Second):  10 * time.Second,
			{}:                         -1,
		} {
			if err := c.SetReadDeadline(deadline); err != nil {
				t.Fatal(err)
			}
			if proxy || want < 0 {
				if !raw.deadline.Equal(deadline) {
					t.Errorf("%s: %v became %v", from, deadline, raw.deadline)
				}
				continue
			}
			if got := raw.deadline.Sub(now); got < want || got > want+time.Minute {
				t.Errorf("%s: a deadline in %v became one in %v", from, deadline.Sub(now), got)
			}
		}
	}
}

package freeport

import (
	"net"
	"net/netip"
	"runtime"
	"testing"
)

func TestTakenPortsAreFreeAndOurs(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 50 {
		address, err := Take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		port := netip.MustParseAddrPort(address).Port()
		if seen[address] || port < lowest || port > highest {
			t.Fatalf("took %s after %v", address, seen)
		}
		seen[address] = true
	}
	// The sockets that reserve them must survive a garbage collection.
	runtime.GC()
	runtime.GC()
	for address := range seen {
		if take(t.Context(), address) == nil {
			t.Errorf("%s was given a second time", address)
		}
		// A server starts there, stops, and starts again.
		for range 2 {
			server, err := net.Listen("tcp", address)
			if err != nil {
				t.Fatalf("a server cannot have its port: %v", err)
			}
			if err := server.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestAnotherServersPortIsNotTaken(t *testing.T) {
	t.Parallel()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	address := server.Addr().String()
	if take(t.Context(), address) == nil {
		t.Fatalf("%s is a server's, and was taken", address)
	}
	// A failed Take does not keep the port.
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	if err := take(t.Context(), address); err != nil {
		t.Errorf("the server has gone: %v", err)
	}
}

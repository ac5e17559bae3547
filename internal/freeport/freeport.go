package freeport

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// The range of ports: above those of well-known servers, below those of outgoing
// connections.
const (
	lowest  = 10_000
	highest = 31_999
)

// kept are the sockets that hold our ports: the garbage collector closes a socket that
// nothing refers to.
var (
	mu   sync.Mutex
	kept []net.PacketConn
)

// Take returns 127.0.0.1:PORT, with a port that no other call returns. It fails when a
// hundred ports in a row are in use, or when ctx has ended.
func Take(ctx context.Context) (string, error) {
	var last error
	for range 100 {
		port := lowest + rand.IntN(highest-lowest+1) //nolint:gosec // need not be hard to guess
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		if last = take(ctx, address); last == nil {
			return address, nil
		}
	}
	return "", fmt.Errorf("find a free port on 127.0.0.1: %w", last)
}

func take(ctx context.Context, address string) error {
	var config net.ListenConfig
	ours, err := config.ListenPacket(ctx, "udp4", address)
	if err != nil {
		return err
	}
	tried, err := config.Listen(ctx, "tcp4", address)
	if err == nil {
		err = tried.Close()
	}
	if err != nil {
		_ = ours.Close()
		return err
	}
	mu.Lock()
	defer mu.Unlock()
	kept = append(kept, ours)
	return nil
}

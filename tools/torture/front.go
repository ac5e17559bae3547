package torture

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// frontDoor distributes connections among the servers like a load balancer: if a server
// refuses a connection, it tries the next.
type frontDoor struct {
	listener net.Listener
	servers  []*server

	mu   sync.Mutex
	dice dice
}

func openFrontDoor(ctx context.Context, seed uint64, servers []*server) (*frontDoor, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open the front door: %w", err)
	}
	f := &frontDoor{listener: l, servers: servers, dice: newDice(seed, partFront)}
	go f.serve(context.WithoutCancel(ctx))
	return f, nil
}

func (f *frontDoor) serve(ctx context.Context) {
	for {
		c, err := f.listener.Accept()
		if err != nil {
			return
		}
		go f.pass(ctx, c)
	}
}

func (f *frontDoor) pass(ctx context.Context, client net.Conn) {
	defer func() { _ = client.Close() }()
	f.mu.Lock()
	order := f.dice.Perm(len(f.servers))
	f.mu.Unlock()
	for _, n := range order {
		behind, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", f.servers[n].listen)
		if err != nil {
			continue
		}
		join(client, behind)
		return
	}
}

// join copies in both directions until one side closes.
func join(client, behind net.Conn) {
	defer func() { _ = behind.Close() }()
	ended := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{client, behind}, {behind, client}} {
		go func() {
			_, _ = io.Copy(way[0], way[1])
			ended <- struct{}{}
		}()
	}
	<-ended
}

func (f *frontDoor) close() { _ = f.listener.Close() }

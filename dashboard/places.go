package dashboard

import (
	"context"
	"sync"
	"time"

	"daftar/accounts"
)

// places bounds what takes much of this server: how many have a place at a time, and how many of
// them one organisation, so that none keeps the others waiting.
type places struct {
	inAll, ofEach int
	wait          time.Duration // for one, at most

	mu    sync.Mutex
	taken int
	of    map[accounts.OrganizationID]int
	left  chan struct{} // closed when somebody leaves
}

func newPlaces(inAll, ofEach int, wait time.Duration) *places {
	return &places{inAll: inAll, ofEach: ofEach, wait: wait, of: map[accounts.OrganizationID]int{},
		left: make(chan struct{})}
}

// take waits for a place, and takes one that is free without waiting. The caller leaves it.
func (p *places) take(ctx context.Context, of accounts.OrganizationID) (leave func(), ok bool) {
	ctx, cancel := context.WithTimeout(ctx, p.wait)
	defer cancel()
	for {
		left, ok := p.try(of)
		if ok {
			return sync.OnceFunc(func() { p.leave(of) }), true
		}
		select {
		case <-left:
		case <-ctx.Done():
			return nil, false
		}
	}
}

// try takes a place, or returns what is closed when another may be free.
func (p *places) try(of accounts.OrganizationID) (left <-chan struct{}, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken >= p.inAll || p.of[of] >= p.ofEach {
		return p.left, false
	}
	p.taken++
	p.of[of]++
	return nil, true
}

func (p *places) leave(of accounts.OrganizationID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	if p.of[of]--; p.of[of] == 0 {
		delete(p.of, of)
	}
	close(p.left)
	p.left = make(chan struct{})
}

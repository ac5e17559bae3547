package dashboard

import (
	"context"
	"sync"
	"time"

	"daftar/accounts"
)

// slots bounds what takes much of this server: how many have a slot at a time, and how many of
// them one organisation, so that none keeps the others waiting.
type slots struct {
	inAll, ofEach int
	wait          time.Duration // for one, at most

	mu    sync.Mutex
	taken int
	of    map[accounts.OrganizationID]int
	freed chan struct{} // closed when a slot is released
}

func newSlots(inAll, ofEach int, wait time.Duration) *slots {
	return &slots{inAll: inAll, ofEach: ofEach, wait: wait, of: map[accounts.OrganizationID]int{},
		freed: make(chan struct{})}
}

// take waits for a slot, and takes one that is free without waiting. The caller releases it.
func (s *slots) take(ctx context.Context, of accounts.OrganizationID) (release func(), ok bool) {
	ctx, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	for {
		freed, ok := s.try(of)
		if ok {
			return sync.OnceFunc(func() { s.release(of) }), true
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, false
		}
	}
}

// try takes a slot, or returns what is closed when another may be free.
func (s *slots) try(of accounts.OrganizationID) (freed <-chan struct{}, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken >= s.inAll || s.of[of] >= s.ofEach {
		return s.freed, false
	}
	s.taken++
	s.of[of]++
	return nil, true
}

func (s *slots) release(of accounts.OrganizationID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	if s.of[of]--; s.of[of] == 0 {
		delete(s.of, of)
	}
	close(s.freed)
	s.freed = make(chan struct{})
}

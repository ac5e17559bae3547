package dashboard

import (
	"context"
	"sync"
	"time"

	"daftar/accounts"
)

// slots limits work that needs much memory or CPU: how many can run at a time, and how many of
// one organisation, so that none blocks the others.
type slots struct {
	inAll, ofEach int
	wait          time.Duration // at most, for a slot

	mu    sync.Mutex
	taken int
	of    map[accounts.OrganizationID]int
	freed chan struct{} // closed when a slot is released
}

func newSlots(inAll, ofEach int, wait time.Duration) *slots {
	return &slots{
		inAll:  inAll,
		ofEach: ofEach,
		wait:   wait,
		of:     map[accounts.OrganizationID]int{},
		freed:  make(chan struct{}),
	}
}

// take takes a slot; if none is free, it waits for one. The caller must release it.
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

// try takes a slot, or returns a channel that is closed when one may be free.
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

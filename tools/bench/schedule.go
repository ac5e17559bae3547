package main

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// schedule is when operations are due that come at a rate. Unless it is even, the time between
// two is drawn from an exponential distribution.
type schedule struct {
	mean time.Duration
	even bool

	mu   sync.Mutex
	next time.Time
}

// take returns when the next one is due. That is in the past if all clients were busy.
func (s *schedule) take() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.next
	pause := s.mean
	if !s.even {
		pause = time.Duration(mathrand.ExpFloat64() * float64(pause)) //nolint:gosec // it is no secret
	}
	s.next = at.Add(pause)
	return at
}

// preciseTimer wakes one goroutine at a given time. Go's own timers may be late by
// milliseconds in an idle process, and that would count as the service's latency. A timer
// of the kernel that is read like a connection wakes within microseconds.
type preciseTimer struct {
	descriptor int
	file       *os.File    // owns the descriptor
	unwatch    func() bool // stops watching the context
}

// newTimer makes one that also wakes when ctx ends.
func newTimer(ctx context.Context) (*preciseTimer, error) {
	descriptor, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make timer: %w", err)
	}
	t := &preciseTimer{descriptor: descriptor, file: os.NewFile(uintptr(descriptor), "timer")}
	t.unwatch = context.AfterFunc(ctx, func() {
		_ = t.file.SetReadDeadline(time.Unix(1, 0)) // fails only if closed; then nobody waits
	})
	return t, nil
}

// wait returns at the given time, at once if it has passed. The error is that of ctx, or
// of the timer.
func (t *preciseTimer) wait(ctx context.Context, at time.Time) error {
	left := time.Until(at)
	if left <= 0 {
		return ctx.Err()
	}
	once := unix.ItimerSpec{Value: unix.NsecToTimespec(left.Nanoseconds())}
	if err := unix.TimerfdSettime(t.descriptor, 0, &once, nil); err != nil {
		return fmt.Errorf("set timer: %w", err)
	}
	var expirations [8]byte
	if _, err := t.file.Read(expirations[:]); err != nil {
		return fmt.Errorf("wait for timer: %w", errors.Join(ctx.Err(), err))
	}
	return nil
}

func (t *preciseTimer) close() {
	t.unwatch()
	_ = t.file.Close() // it was only read
}

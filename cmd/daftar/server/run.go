package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// How long a server takes at most to stop, after DAFTAR_DRAIN_DELAY, whatever an acquirer, a client
// or the database does. Work that is under way then is cut off with the process, and resumed later as
// after a kill. Supervisors wait longer (deploy/daftar.service, docs/runbook/cluster.md).
const (
	drainLimit = 8 * time.Second // for requests
	workLimit  = 9 * time.Second // for what runs next to them, from the same moment on
	closeLimit = time.Second     // for giving back connections

	stopLimit = workLimit + closeLimit
)

// Run serves until ctx ends, then drains, within stopLimit.
func (s *Server) Run(ctx context.Context) error {
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
		defer cancel()
		endsWithin(closing, s.Close)
	}()
	background, stopBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBackground()
	// Workers that call other services, and that requests do not need, begin nothing more after the
	// signal: so they have all the time to end what they have begun.
	asking, stopAsking := context.WithCancel(ctx)
	defer stopAsking()
	var workers sync.WaitGroup
	for _, work := range s.outboundWorkers() {
		workers.Go(func() { work(asking) })
	}
	for _, work := range s.workers() {
		workers.Go(func() { work(background) })
	}
	failures := make(chan error, len(s.listeners)+1)
	workers.Go(func() {
		if err := s.feed.Run(background); err != nil {
			failures <- fmt.Errorf("follow the log: %w", err)
		}
	})

	servers := s.serve(failures)
	var failure error
	select {
	case <-ctx.Done():
		s.log.Info().Msg("draining")
		failure = s.announceShutdown(failures)
	case failure = <-failures:
	}
	stopAsking()
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainLimit)
	defer cancel()
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), workLimit)
	defer cancel()
	s.draining.Store(true)
	for _, hs := range servers { // the operators' is the last: until then /readyz says "draining"
		if err := hs.Shutdown(drain); err != nil {
			failure = errors.Join(failure, fmt.Errorf("drain: %w", err))
		}
	}
	stopBackground()
	if !endsWithin(work, workers.Wait) {
		failure = errors.Join(failure,
			fmt.Errorf("stop: something was still at work after %s, and is cut off", workLimit))
	}
	// When the time to drain is over this gives up at once; the log still holds exactly
	// what was acknowledged.
	failure = errors.Join(failure, s.store.Close(drain))
	s.log.Info().Msg("stopped")
	return failure
}

// serve answers at each listener.
func (s *Server) serve(failures chan<- error) (servers []*http.Server) {
	for _, l := range s.listeners {
		hs := newHTTPServer(l.handler)
		hs.IdleTimeout = l.idle
		servers = append(servers, hs)
		go func() {
			if err := hs.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				failures <- fmt.Errorf("serve %s: %w", l.Addr(), err)
			}
		}()
		s.log.Info().Stringer("address", l.Addr()).Msg("listening")
	}
	return servers
}

// endsWithin reports whether do ends before ctx. Otherwise do still runs.
func endsWithin(ctx context.Context, do func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}

// outboundWorkers call other services for work that no request waits for.
func (s *Server) outboundWorkers() []func(context.Context) {
	all := []func(context.Context){s.refunder.Run}
	if s.mails != nil {
		all = append(all, s.mails.Run)
	}
	return all
}

// workers run next to the requests.
func (s *Server) workers() []func(context.Context) {
	all := []func(context.Context){
		s.accounts.Run, s.people.Run, s.payments.Run, s.expiry.Run, s.dispatcher.Run, s.notary.Run,
		s.requests.Run, s.syncClock, s.late.Run,
		func(ctx context.Context) { s.outcomes.Run(ctx, s.log) },
	}
	if s.notices.On() {
		all = append(all, s.notices.Run)
	}
	return all
}

package primary

import (
	"context"
	"errors"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// host is one of those that a URL names.
type host struct {
	config *pgx.ConnConfig // leads to this host alone

	// Guarded by Primary.mu.
	addresses    map[string]bool // that its name was resolved to
	last         probeResult
	answersSince time.Time // since when each probe was answered, also by a refusal; zero: the last was not
	silentSince  time.Time // since when no probe was answered; zero: the last was
}

// probeResult is what a probe found out about a host.
type probeResult struct {
	state
	began time.Time
	err   error // why there is no answer
}

// hostsOf lists the hosts of a configuration. One that is tried with TLS and without is one
// host.
func (p *Primary) hostsOf(config *pgx.ConnConfig) []*host {
	var all []*host
	byName := map[string]*host{}
	first := &pgconn.FallbackConfig{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}
	for _, e := range append([]*pgconn.FallbackConfig{first}, config.Fallbacks...) {
		name := net.JoinHostPort(e.Host, strconv.Itoa(int(e.Port)))
		if h := byName[name]; h != nil {
			h.config.Fallbacks = append(h.config.Fallbacks, e)
			continue
		}
		h := &host{config: config.Copy(), addresses: map[string]bool{}}
		h.config.Host, h.config.Port, h.config.TLSConfig, h.config.Fallbacks = e.Host, e.Port, e.TLSConfig, nil
		h.config.ConnectTimeout, h.config.ValidateConnect = connectTimeout, nil
		h.config.RuntimeParams["application_name"] = "daftar look"
		h.config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
			p.mu.Lock()
			h.addresses[address] = true
			p.mu.Unlock()
			return p.dial(ctx, network, address)
		}
		byName[name] = h
		all = append(all, h)
	}
	return all
}

// watch probes a host again and again, over a connection that it keeps.
func (p *Primary) watch(ctx context.Context, h *host) {
	var conn *pgx.Conn
	defer func() { closeConn(conn) }()
	timer := time.NewTicker(probeInterval)
	defer timer.Stop()
	for ctx.Err() == nil {
		if conn == nil {
			conn = p.reach(ctx, h, connectTimeout)
		}
		if conn != nil {
			conn = p.probe(ctx, h, conn)
		}
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// reach connects to a host. It records a failure, and returns nil. An attempt that began while the
// network was down is given up when another host answers again: a new attempt is faster.
func (p *Primary) reach(ctx context.Context, h *host, limit time.Duration) *pgx.Conn {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	p.mu.Lock()
	back := p.recovered
	p.mu.Unlock()
	go func() {
		select {
		case <-back:
			cancel()
		case <-ctx.Done():
		}
	}()
	began := time.Now()
	conn, err := pgx.ConnectConfig(ctx, h.config.Copy())
	if err == nil {
		return conn
	}
	if !errors.Is(err, context.Canceled) {
		p.record(h, probeResult{began: began, err: err})
	}
	return nil
}

// probe asks a host for its state, and returns the connection for the next probe; nil: it broke.
func (p *Primary) probe(ctx context.Context, h *host, conn *pgx.Conn) *pgx.Conn {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	l := probeResult{began: time.Now()}
	if l.state, l.err = queryState(ctx, conn.PgConn()); l.err != nil {
		closeConn(conn)
		conn = nil
	} else if !l.standby {
		p.observeTimeline(l.timeline)
	}
	p.record(h, l)
	return conn
}

// record stores a probe's result.
func (p *Primary) record(h *host, l probeResult) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.last = l
	switch {
	case l.err != nil && (pgconn.Timeout(l.err) || errors.Is(l.err, context.DeadlineExceeded)):
		h.answersSince = time.Time{}
		if h.silentSince.IsZero() {
			h.silentSince = l.began
		}
	case h.answersSince.IsZero():
		if !h.silentSince.IsZero() {
			close(p.recovered)
			p.recovered = make(chan struct{})
		}
		h.answersSince, h.silentSince = l.began, time.Time{}
	}
	p.wakeWaiting()
}

// closeTimeout bounds the closing of a connection to a host that may be silent.
const closeTimeout = 100 * time.Millisecond

func closeConn(conn *pgx.Conn) {
	if conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		_ = conn.Close(ctx) // there is nothing left to lose
	}
}

// probeAll probes all hosts, unless they are watched or were probed within the last second.
func (p *Primary) probeAll(ctx context.Context) {
	p.mu.Lock()
	recent := p.watched || time.Since(p.probedAt) < probeTimeout
	p.probedAt = time.Now()
	p.mu.Unlock()
	if recent {
		return
	}
	var probing sync.WaitGroup
	for _, h := range p.hosts {
		probing.Go(func() {
			if conn := p.reach(ctx, h, probeTimeout); conn != nil {
				closeConn(p.probe(ctx, h, conn))
			}
		})
	}
	probing.Wait()
}

// isReplica reports whether an address is known to be that of a host that is not the primary,
// while another host is known to be it.
func (p *Primary) isReplica(address string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	known, replaced := false, false
	for _, h := range p.hosts {
		primary := h.last.err == nil && h.last.timeline != 0 && h.last.timeline == p.timeline &&
			time.Since(h.last.began) < 2*probeTimeout
		if h.addresses[address] && primary {
			return false
		}
		known, replaced = known || h.addresses[address], replaced || primary
	}
	return p.watched && known && replaced
}

// Hosts is the number of hosts in the configuration.
func (p *Primary) Hosts() int { return len(p.hosts) }

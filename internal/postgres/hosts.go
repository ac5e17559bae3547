package postgres

import (
	"context"
	"errors"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/rs/zerolog"
)

// host is one of those that a URL names.
type host struct {
	config *pgx.ConnConfig // leads to this host alone

	// Guarded by Primary.mu.
	addresses map[string]bool // that its name stood for
	last      look
	reached   time.Time // since when each look was answered; zero: the last was not
}

// look is what was seen of a host.
type look struct {
	state
	began time.Time
	err   error // it did not answer
}

// hostsOf takes the hosts of a configuration apart. One that is tried with TLS and without
// is one host.
func (p *Primary) hostsOf(config *pgx.ConnConfig) []*host {
	var all []*host
	byName := map[string]*host{}
	entries := append([]*pgconn.FallbackConfig{{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}}, config.Fallbacks...)
	for _, e := range entries {
		name := net.JoinHostPort(e.Host, strconv.Itoa(int(e.Port)))
		if h := byName[name]; h != nil {
			h.config.Fallbacks = append(h.config.Fallbacks, e)
			continue
		}
		h := &host{config: config.Copy(), addresses: map[string]bool{}}
		h.config.Host, h.config.Port, h.config.TLSConfig, h.config.Fallbacks = e.Host, e.Port, e.TLSConfig, nil
		h.config.ConnectTimeout, h.config.ValidateConnect = lookLimit, nil
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

// watch looks at a host again and again, over a connection that it keeps.
func (p *Primary) watch(ctx context.Context, h *host) {
	var conn *pgx.Conn
	defer func() { goodbye(conn) }()
	timer := time.NewTicker(lookEvery)
	defer timer.Stop()
	for ctx.Err() == nil {
		conn = p.look(ctx, h, conn)
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// look asks a host, over conn or a new connection, and returns the connection to ask over
// the next time; nil: there is none.
func (p *Primary) look(ctx context.Context, h *host, conn *pgx.Conn) *pgx.Conn {
	limit, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	l := look{began: time.Now()}
	if conn == nil {
		conn, l.err = pgx.ConnectConfig(limit, h.config.Copy())
	}
	if l.err == nil {
		if l.state, l.err = ask(limit, conn.PgConn()); l.err != nil {
			goodbye(conn)
			conn = nil
		}
	}
	if l.err == nil && !l.standby {
		p.see(l.timeline)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	// A server that has no connection left, or starts, has answered, too.
	_, answered := errors.AsType[*pgconn.PgError](l.err)
	if h.last = l; l.err != nil && !answered {
		h.reached = time.Time{}
	} else if h.reached.IsZero() {
		h.reached = l.began
	}
	p.wakeWaiting()
	return conn
}

// goodbyeLimit bounds the closing of a connection to a host that may be silent.
const goodbyeLimit = 100 * time.Millisecond

func goodbye(conn *pgx.Conn) {
	if conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), goodbyeLimit)
		defer cancel()
		_ = conn.Close(ctx) // there is nothing left to lose
	}
}

// lookAround looks at all hosts, for a process that does not watch and has not done so in
// this second.
func (p *Primary) lookAround(ctx context.Context) {
	p.mu.Lock()
	recent := p.watched || time.Since(p.lookedAt) < lookLimit
	p.lookedAt = time.Now()
	p.mu.Unlock()
	if recent {
		return
	}
	var looking sync.WaitGroup
	for _, h := range p.hosts {
		looking.Go(func() { goodbye(p.look(ctx, h, nil)) })
	}
	looking.Wait()
}

// isElsewhere says whether an address is known to be that of a host that is not the
// primary, and which host is.
func (p *Primary) isElsewhere(address string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	known, elsewhere := false, false
	for _, h := range p.hosts {
		primary := h.last.err == nil && h.last.timeline != 0 && h.last.timeline == p.timeline && time.Since(h.last.began) < lookLimit
		if h.addresses[address] && primary {
			return false
		}
		known, elsewhere = known || h.addresses[address], elsewhere || primary
	}
	return p.watched && known && elsewhere
}

// Hosts is how many a URL names. The error is ErrBadURL.
func Hosts(url string) (int, error) {
	config, err := parse(url)
	if err != nil {
		return 0, err
	}
	return len(newPrimary(config.ConnConfig, zerolog.Nop()).hosts), nil
}

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
	addresses map[string]bool // that its name stood for
	last      look
	answers   time.Time // since when each look was answered, if by a refusal; zero: the last was not
	silent    time.Time // since when no look was answered; zero: the last was
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
	entries := append([]*pgconn.FallbackConfig{{Host: config.Host, Port: config.Port,
		TLSConfig: config.TLSConfig}}, config.Fallbacks...)
	for _, e := range entries {
		name := net.JoinHostPort(e.Host, strconv.Itoa(int(e.Port)))
		if h := byName[name]; h != nil {
			h.config.Fallbacks = append(h.config.Fallbacks, e)
			continue
		}
		h := &host{config: config.Copy(), addresses: map[string]bool{}}
		h.config.Host, h.config.Port, h.config.TLSConfig, h.config.Fallbacks = e.Host, e.Port, e.TLSConfig, nil
		h.config.ConnectTimeout, h.config.ValidateConnect = reachLimit, nil
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
		if conn == nil {
			conn = p.reach(ctx, h, reachLimit)
		}
		if conn != nil {
			conn = p.look(ctx, h, conn)
		}
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// reach connects to a host; nil: it could not be, which is noted. An attempt that began while
// the network was away is given up when another host answers again, for one that begins now.
func (p *Primary) reach(ctx context.Context, h *host, limit time.Duration) *pgx.Conn {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	p.mu.Lock()
	back := p.back
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
		p.note(h, look{began: began, err: err})
	}
	return nil
}

// look asks a host and returns the connection to ask over the next time; nil: it broke.
func (p *Primary) look(ctx context.Context, h *host, conn *pgx.Conn) *pgx.Conn {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	l := look{began: time.Now()}
	if l.state, l.err = ask(ctx, conn.PgConn()); l.err != nil {
		goodbye(conn)
		conn = nil
	} else if !l.standby {
		p.see(l.timeline)
	}
	p.note(h, l)
	return conn
}

// note takes note of a look.
func (p *Primary) note(h *host, l look) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.last = l
	switch {
	case l.err != nil && (pgconn.Timeout(l.err) || errors.Is(l.err, context.DeadlineExceeded)):
		h.answers = time.Time{}
		if h.silent.IsZero() {
			h.silent = l.began
		}
	case h.answers.IsZero():
		if !h.silent.IsZero() {
			close(p.back)
			p.back = make(chan struct{})
		}
		h.answers, h.silent = l.began, time.Time{}
	}
	p.wakeWaiting()
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
		looking.Go(func() {
			if conn := p.reach(ctx, h, lookLimit); conn != nil {
				goodbye(p.look(ctx, h, conn))
			}
		})
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
		primary := h.last.err == nil && h.last.timeline != 0 && h.last.timeline == p.timeline &&
			time.Since(h.last.began) < 2*lookLimit
		if h.addresses[address] && primary {
			return false
		}
		known, elsewhere = known || h.addresses[address], elsewhere || primary
	}
	return p.watched && known && elsewhere
}

// Hosts is how many the configuration names.
func (p *Primary) Hosts() int { return len(p.hosts) }

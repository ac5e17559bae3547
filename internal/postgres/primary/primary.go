package primary

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
)

const (
	// probeInterval is how often Watch probes each host.
	probeInterval = 200 * time.Millisecond
	// probeTimeout is how long a host has to answer a probe, and connectTimeout to accept a connection
	// for it, which takes several round trips.
	probeTimeout, connectTimeout = time.Second, 5 * time.Second
	// silenceTimeout is how long others wait for a host that does not answer.
	silenceTimeout = 3 * time.Second
	// lease is how long the result of a probe is valid. A server that finds a new primary waits for a
	// lease before it uses it: by then each server that reaches it knows that the old one was replaced.
	lease = 2 * probeInterval
)

// Errors about a host that is not the primary.
var (
	// ErrOld is returned for a host that was the primary until another was promoted.
	ErrOld   = errors.New("the database server was the primary before the last promotion")
	errOther = errors.New("another database server is the primary")
)

// Primary finds out which of the hosts of a URL is the primary, and makes the connections of a
// process lead to it. A promotion begins a new timeline, and timelines are numbered: of two
// hosts that claim to be the primary, it is the one with the higher number. Connections to the
// other are closed, and no new ones are made.
//
// With one host in its URL it does nothing. It is safe for concurrent use.
type Primary struct {
	log   zerolog.Logger
	dial  pgconn.DialFunc
	hosts []*host

	mu          sync.Mutex
	timeline    int64     // the newest that was seen; 0: none yet
	found       time.Time // when it was seen first
	watched     bool
	probedAt    time.Time     // by a process that does not watch
	probed      chan struct{} // closed at the next probe's result
	recovered   chan struct{} // closed when a host that was silent answers again
	connections map[*connection]struct{}
}

// New makes a Primary for the hosts that a configuration names.
func New(config *pgx.ConnConfig, log zerolog.Logger) *Primary {
	p := &Primary{
		log: log, dial: config.DialFunc, probed: make(chan struct{}), recovered: make(chan struct{}),
		connections: map[*connection]struct{}{},
	}
	p.hosts = p.hostsOf(config)
	return p
}

// Follow makes the connections of a configuration lead to the primary. They are closed when
// another host becomes the primary.
func (p *Primary) Follow(config *pgxpool.Config) {
	if len(p.hosts) < 2 {
		return
	}
	config.ConnConfig.DialFunc, config.ConnConfig.ValidateConnect = p.connect, p.validate
	config.PrepareConn = func(_ context.Context, conn *pgx.Conn) (bool, error) {
		return p.isLive(conn.PgConn()), nil
	}
}

// Watch begins to probe all hosts periodically; stop ends that. A server needs it: without it
// a promotion is noticed only by the next attempt to connect.
func (p *Primary) Watch() (stop func()) {
	if len(p.hosts) < 2 {
		return func() {}
	}
	p.setWatched(true)
	ctx, cancel := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	for _, h := range p.hosts {
		watching.Go(func() { p.watch(ctx, h) })
	}
	return func() {
		cancel()
		watching.Wait()
		p.setWatched(false)
	}
}

func (p *Primary) setWatched(watched bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watched = watched
	p.wakeWaiting()
}

// wakeWaiting wakes all that wait for a result of a probe. The caller holds p.mu.
func (p *Primary) wakeWaiting() {
	close(p.probed)
	p.probed = make(chan struct{})
}

// Check returns ErrOld if what was just read over a connection may be out of date, because
// another host has become the primary meanwhile. It waits for probes that are due. A host that
// stays silent while this one answers counts as not promoted: a server that reaches the old
// primary and not the new one reads what the old one has.
func Check(ctx context.Context, conn *pgx.Conn) error {
	c := connectionOf(conn.PgConn())
	if c == nil {
		return nil
	}
	if err := c.p.awaitProbes(ctx, c); err != nil {
		return err
	}
	if !c.p.isLive(conn.PgConn()) {
		return ErrOld
	}
	return nil
}

// awaitProbes returns when enough is known about the other hosts to tell whether what was read
// over a connection until now is current. Over one to a primary that was replaced it is not, however
// long that one stays silent.
func (p *Primary) awaitProbes(ctx context.Context, c *connection) error {
	since := time.Now().Add(-lease)
	for {
		p.mu.Lock()
		due, probed := !c.isOlder(p.timeline) && p.isDue(since, c.address), p.probed
		p.mu.Unlock()
		if !due {
			return nil
		}
		select {
		case <-probed:
		case <-time.After(probeInterval): // a host may be given up meanwhile
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// isDue reports whether a host still has to be probed: each other host must have answered a probe
// since then. A silent host is given up after silenceTimeout. That time begins again when the host
// at the address answers again: a server that was cut off from all of them may reach the old
// primary first. The caller holds p.mu.
func (p *Primary) isDue(since time.Time, address string) bool {
	if !p.watched {
		return false
	}
	var own *host
	due := false
	for _, h := range p.hosts {
		if h.addresses[address] {
			own = h
		}
		due = due || h.last.began.IsZero()
	}
	if own == nil || due {
		return due // a new address, or the very first probe
	}
	due = !own.silentSince.IsZero()
	for _, h := range p.hosts {
		switch {
		case h == own:
		case h.silentSince.IsZero():
			due = due || h.last.began.Before(since)
		default:
			due = due || time.Since(h.silentSince) < silenceTimeout ||
				time.Since(own.answersSince) < silenceTimeout
		}
	}
	return due
}

// validate is the last step of each attempt to connect.
func (p *Primary) validate(ctx context.Context, conn *pgconn.PgConn) error {
	s, err := queryState(ctx, conn)
	if err != nil {
		return err
	}
	if s.standby {
		return pgconn.ErrStandbyConnection
	}
	p.probeAll(ctx)
	c := connectionOf(conn)
	if err := p.awaitProbes(ctx, c); err != nil {
		return err
	}
	p.observeTimeline(s.timeline)
	p.mu.Lock()
	old, rest := s.timeline < p.timeline, time.Duration(0)
	if !old {
		c.timeline = s.timeline
	}
	if p.watched {
		rest = time.Until(p.found.Add(lease))
	}
	p.mu.Unlock()
	if old {
		return ErrOld
	}
	select {
	case <-time.After(rest):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// isLive reports whether a connection that was idle leads to the primary.
func (p *Primary) isLive(conn *pgconn.PgConn) bool {
	c := connectionOf(conn)
	p.mu.Lock()
	defer p.mu.Unlock()
	return c == nil || c.timeline == p.timeline
}

// observeTimeline records a timeline that was seen. Connections to the primary of an older one
// are closed, also those that wait for an answer: a commit that waits there for a standby would
// wait forever.
func (p *Primary) observeTimeline(timeline int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if timeline <= p.timeline {
		return
	}
	if p.timeline != 0 {
		p.log.Warn().Int64("timeline", timeline).
			Msg("another database server has been promoted: connections to the one before are closed")
	}
	p.timeline, p.found = timeline, time.Now()
	for c := range p.connections {
		if c.isOlder(timeline) {
			_ = c.Conn.Close() // its user gets an error
		}
	}
}

// state is what a host answers to stateSQL.
type state struct {
	standby  bool
	timeline int64 // of the log that it writes; 0 on a standby
}

// The first eight digits of a log file's name are the timeline. It does not matter whether
// the session may write: an auditor's may not.
const stateSQL = `
SELECT CASE WHEN pg_is_in_recovery() THEN 'standby'
            ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END`

// queryState uses the simple protocol, because the connection is not complete yet.
func queryState(ctx context.Context, conn *pgconn.PgConn) (state, error) {
	results, err := conn.Exec(ctx, stateSQL).ReadAll()
	if err != nil {
		return state{}, fmt.Errorf("ask whether the host is the primary: %w", err)
	}
	text := string(results[0].Rows[0][0])
	if text == "standby" {
		return state{standby: true}, nil
	}
	timeline, err := strconv.ParseInt(text, 16, 64)
	if err != nil {
		return state{}, fmt.Errorf("read the timeline %q: %w", text, err)
	}
	return state{timeline: timeline}, nil
}

// connect dials, unless it is known that another host is the primary: a dead host that does
// not answer would keep each attempt waiting.
func (p *Primary) connect(ctx context.Context, network, address string) (net.Conn, error) {
	if p.isReplica(address) {
		return nil, errOther
	}
	conn, err := p.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: conn, p: p, address: address}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.connections[c] = struct{}{}
	return c, nil
}

// connection is one that Primary closes when its host is the primary no more.
type connection struct {
	net.Conn

	p        *Primary
	address  string
	timeline int64 // guarded by p.mu; 0: not known yet
}

// isOlder reports whether it leads to the primary of an older timeline. The caller holds p.mu.
func (c *connection) isOlder(timeline int64) bool { return c.timeline != 0 && c.timeline < timeline }

// Close is called by the connection's user.
func (c *connection) Close() error {
	c.p.mu.Lock()
	delete(c.p.connections, c)
	c.p.mu.Unlock()
	return c.Conn.Close()
}

// connectionOf finds the connection below TLS; nil: there is none.
func connectionOf(conn *pgconn.PgConn) *connection {
	for c := conn.Conn(); ; {
		if found, ok := c.(*connection); ok {
			return found
		}
		below, ok := c.(interface{ NetConn() net.Conn })
		if !ok {
			return nil
		}
		c = below.NetConn()
	}
}

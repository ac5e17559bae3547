package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/checkout"
	"daftar/checkout/acquirer"
	"daftar/checkout/acquirer/sandbox"
	"daftar/dashboard"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/expiry"
	"daftar/export"
	"daftar/httpapi"
	"daftar/internal/ops"
	"daftar/internal/postgres"
	"daftar/internal/tracing"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/migrations"
	"daftar/projections"
	"daftar/transparency"
	"daftar/webhooks"
)

// Sizes of the pools. Few connections serve many requests: the committer uses
// one at a time, and more of them than cores only adds switches.
const (
	writeConns = 2
	readConns  = 8
	workConns  = 6
)

// drainLimit is within the ten seconds that whoever sends SIGTERM waits.
const (
	drainLimit    = 8 * time.Second
	clockInterval = 30 * time.Second
)

// server is everything that `daftar serve` runs.
type server struct {
	log      zerolog.Logger
	registry *prometheus.Registry
	pools
	store      *eventstore.Store
	intents    *projections.Intents
	accounts   *accounts.Accounts
	checkout   *checkout.Checkout
	feed       *feed.Feed
	expiry     *expiry.Worker
	dispatcher *webhooks.Dispatcher
	notary     *transparency.Notary
	exporter   *export.NATS // nil: nothing is exported
	listeners  map[net.Listener]http.Handler
	operators  net.Listener // one of them: it is closed last
	draining   atomic.Bool
}

// pools are the ways to the database: one that appends, one for requests, one
// for workers, and the feed's own.
type pools struct{ writes, reads, work, following *pgxpool.Pool }

// newServer checks the database and puts the parts together. The caller must
// call run or close.
func newServer(ctx context.Context, c config, log zerolog.Logger) (*server, error) {
	s := &server{log: log, registry: prometheus.NewRegistry(), listeners: make(map[net.Listener]http.Handler)}
	if err := s.open(ctx, c); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *server) open(ctx context.Context, c config) error {
	groups := ownGroups()
	var err error
	if s.exporter, err = s.openExport(c.nats); err != nil {
		return err
	}
	if s.exporter != nil {
		groups = append(groups, s.exporter.Group())
	}
	if s.pools, err = openPools(ctx, c.databaseURL, len(groups)); err != nil {
		return err
	}
	if err := migrations.Check(ctx, s.reads); err != nil {
		return err
	}
	if err := postgres.CheckDurability(ctx, s.writes); err != nil {
		return err
	}
	clock := &eventstore.Clock{Offset: c.clockOffset}
	if err := eventstore.ReadClock(ctx, s.reads, clock); err != nil {
		return err
	}
	if s.feed, err = feed.New(feed.Config{Pool: s.following, Groups: groups, Log: s.log, Registerer: s.registry}); err != nil {
		return err
	}
	s.intents = projections.NewIntents(s.reads)
	s.store = eventstore.New(s.writes, s.reads, eventstore.Options{
		Inline: projections.Inline{}, Clock: clock, OnCommit: s.feed.Committed, Log: s.log, Registerer: s.registry,
	})
	l := ledger.New(s.store, s.intents)
	s.accounts = accounts.New(s.reads, accounts.Options{SecretKey: c.secretKey, Now: l.Now, WallClock: clock.WallTime, Log: s.log})
	acquirers, err := newAcquirers(c)
	if err != nil {
		return err
	}
	s.checkout = checkout.New(checkout.Config{
		Ledger: l, Accounts: s.accounts, Pool: s.reads, Acquirers: acquirers, PublicURL: c.publicURL, Log: s.log,
		Registerer: s.registry,
	})
	s.expiry = expiry.New(expiry.Config{Pool: s.work, Ledger: l, Log: s.log, Registerer: s.registry})
	s.dispatcher = webhooks.New(webhooks.Config{
		Pool: s.work, Accounts: s.accounts, Log: s.log, Registerer: s.registry, AllowPrivate: c.allowPrivate,
		Version: version, Now: clock.WallTime,
	})
	proofs, err := s.openTransparency(ctx, c.transparency, clock)
	if err != nil {
		return err
	}
	routes, err := s.routes(c, l, clock)
	if err != nil {
		return err
	}
	public := web.SecurityHeaders(c.publicURL)(beside(within(databaseLimit, proofs), routes))
	if _, err := s.listen(ctx, "DAFTAR_LISTEN", c.listen, maxConnections, public); err != nil {
		return err
	}
	s.operators, err = s.listen(ctx, "DAFTAR_OPS_LISTEN", c.opsListen, maxOperatorConnections, s.operations())
	return err
}

// ownGroups are those that every server runs.
func ownGroups() []feed.Group {
	return []feed.Group{expiry.Group(), webhooks.Group(), projections.TurnoverGroup(), transparency.Group()}
}

// settings are those of each session. A default set on the database or the role
// must not undo what the ledger relies on: each statement of a batch sees what
// was committed before it, and an answer means that it is on disk.
func settings(synchronousCommit string) map[string]string {
	return map[string]string{
		"default_transaction_isolation": "read committed", "synchronous_commit": synchronousCommit, "jit": "off",
	}
}

// openPools opens the pools that a server needs. What it has opened before an
// error is the caller's to close.
func openPools(ctx context.Context, url string, groups int) (pools, error) {
	var p pools
	for _, wanted := range []struct {
		pool              **pgxpool.Pool
		name              string
		conns             int
		synchronousCommit string
	}{
		{&p.writes, "daftar append", writeConns, "on"},
		{&p.reads, "daftar", readConns, "on"},
		{&p.work, "daftar work", workConns, "on"},
		// Offsets and what handlers write are lost together in a crash, and read
		// again: nothing is skipped, and a look at an idle log costs no fsync.
		{&p.following, "daftar feed", groups + 2, "off"},
	} {
		opened, err := postgres.Open(ctx, url, postgres.Options{
			ApplicationName: wanted.name, MaxConns: int32(wanted.conns), SetServiceRole: true,
			StatementTimeout: 8 * time.Second, IdleInTransactionTimeout: time.Minute, RuntimeParams: settings(wanted.synchronousCommit),
		})
		if err != nil {
			return p, err
		}
		*wanted.pool = opened
	}
	return p, nil
}

func (p pools) close() {
	for _, pool := range []*pgxpool.Pool{p.writes, p.reads, p.work, p.following} {
		if pool != nil {
			pool.Close()
		}
	}
}

func newAcquirers(c config) ([]acquirer.Acquirer, error) {
	var all []acquirer.Acquirer
	for _, name := range c.acquirers {
		if name == acquirerSandbox {
			a, err := sandbox.New(sandbox.Config{URL: c.sandboxURL, Secret: c.sandboxSecret})
			if err != nil {
				return nil, misuse{err}
			}
			all = append(all, a)
		}
	}
	return all, nil
}

// routes makes the API and the dashboard and puts them beside the customers' pages.
func (s *server) routes(c config, l *ledger.Ledger, clock *eventstore.Clock) (http.Handler, error) {
	requests, err := ops.NewRequests(s.registry)
	if err != nil {
		return nil, err
	}
	deliveries := webhooks.NewDeliveries(s.reads, s.accounts, clock.WallTime)
	api := httpapi.New(httpapi.Config{
		Ledger: l, Accounts: s.accounts, Deliveries: deliveries, PublicURL: c.publicURL, Log: s.log, Now: l.Now,
		Rate: c.rate, Registerer: s.registry,
	})
	people := dashboard.New(dashboard.Config{
		Accounts: s.accounts, Ledger: l, Payments: projections.NewPayments(s.reads), Deliveries: deliveries, Pool: s.reads,
		PublicURL: c.publicURL, Guard: webhooks.Guard{AllowPrivate: c.allowPrivate}, OpenAPI: httpapi.OpenAPI(),
		Sandbox: slices.Contains(c.acquirers, acquirerSandbox), Log: s.log,
	})
	seen := func(part string, h http.Handler) http.Handler { return requests.Of(part, tracing.Requests(part, h)) }
	return byPath(seen("api", api), seen("checkout", s.checkout.Handler()), seen("dashboard", people.Handler())), nil
}

// byPath gives the customers' pages and the dashboard their prefixes and the
// merchants' API the rest. A path that nobody has is the API's to answer.
func byPath(api, pages, people http.Handler) http.Handler {
	pagePrefixes := []string{"/pay/", "/acquirers/", web.AssetPrefix}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			http.Redirect(w, r, "/dashboard", http.StatusSeeOther)
			return
		}
		if path == "/dashboard" || strings.HasPrefix(path, "/dashboard/") {
			people.ServeHTTP(w, r)
			return
		}
		for _, prefix := range pagePrefixes {
			if strings.HasPrefix(path, prefix) {
				pages.ServeHTTP(w, r)
				return
			}
		}
		api.ServeHTTP(w, r)
	})
}

// listen claims an address. A bad one, or one that is taken, is the caller's
// mistake and named by its variable.
func (s *server) listen(ctx context.Context, variable, address string, connections int, h http.Handler) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, misusef("%s: cannot listen on %s: %v", variable, address, errors.Unwrap(err))
	}
	l = bounded(l, connections)
	s.listeners[l] = h
	return l, nil
}

// run serves until ctx ends, then drains: requests that are under way are
// answered, appends that wait are committed.
func (s *server) run(ctx context.Context) error {
	defer s.close()
	background, stopBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBackground()
	var workers sync.WaitGroup
	for _, work := range []func(context.Context){
		s.accounts.Run, s.checkout.Run, s.expiry.Run, s.dispatcher.Run, s.notary.Run, s.keepClock,
	} {
		workers.Go(func() { work(background) })
	}
	failures := make(chan error, len(s.listeners)+1)
	workers.Go(func() {
		if err := s.feed.Run(background); err != nil {
			failures <- fmt.Errorf("follow the log: %w", err)
		}
	})

	var servers []*http.Server
	var last *http.Server // tells until the end that the server is stopping
	for l, h := range s.listeners {
		hs := newHTTPServer(h)
		if l == s.operators {
			last = hs
		} else {
			servers = append(servers, hs)
		}
		go func() {
			if err := hs.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				failures <- fmt.Errorf("serve %s: %w", l.Addr(), err)
			}
		}()
		s.log.Info().Stringer("address", l.Addr()).Msg("listening")
	}

	var failure error
	select {
	case <-ctx.Done():
		s.log.Info().Msg("draining")
	case failure = <-failures:
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainLimit)
	defer cancel()
	s.draining.Store(true)
	for _, hs := range append(servers, last) {
		if err := hs.Shutdown(drain); err != nil {
			failure = errors.Join(failure, fmt.Errorf("drain: %w", err))
		}
	}
	stopBackground()
	workers.Wait()
	// With drain over its limit this gives up at once; the log still holds
	// exactly what was acknowledged.
	failure = errors.Join(failure, s.store.Close(drain))
	s.log.Info().Msg("stopped")
	return failure
}

// keepClock corrects the clock while no batch does.
func (s *server) keepClock(ctx context.Context) {
	tick := time.NewTicker(clockInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := eventstore.ReadClock(ctx, s.reads, s.store.Clock()); err != nil && ctx.Err() == nil {
				s.log.Warn().Err(err).Msg("clock not read")
			}
		}
	}
}

// close releases what open took.
func (s *server) close() {
	for l := range s.listeners {
		_ = l.Close() // closed already where it was served
	}
	if s.store != nil {
		done, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = s.store.Close(done) // closed already where it ran
	}
	if s.intents != nil {
		s.intents.Close()
	}
	if s.exporter != nil {
		s.exporter.Close()
	}
	s.pools.close()
}

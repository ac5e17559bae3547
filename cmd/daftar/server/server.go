package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/accounts/settings"
	"daftar/checkout"
	"daftar/cmd/daftar/config"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/expiry"
	"daftar/export"
	"daftar/frontdoor"
	"daftar/internal/mail"
	"daftar/internal/queue"
	"daftar/internal/worker"
	"daftar/ledger"
	"daftar/notices"
	"daftar/payments"
	"daftar/payments/outcomes"
	"daftar/payments/refunds"
	"daftar/projections"
	"daftar/requestlog"
	"daftar/transparency"
	"daftar/webhooks"
)

// Server is everything that `daftar serve` runs.
type Server struct {
	log      zerolog.Logger
	version  string
	registry *prometheus.Registry
	pools
	store       *eventstore.Store
	intents     *projections.Intents
	accounts    *accounts.Accounts
	people      *people.People
	settings    *settings.Settings
	payments    *payments.Engine
	checkout    *checkout.Checkout
	canRefund   func(acquirer, method string) bool
	refunds     *refunds.Operations
	refunder    *refunds.Worker
	outcomes    *outcomes.Outcomes
	feed        *feed.Feed
	expiry      *expiry.Worker
	dispatcher  *webhooks.Dispatcher
	notary      *transparency.Notary
	requests    *requestlog.Log
	exporter    *export.NATS // nil: nothing is exported
	mails       *mail.Sender // nil: mail is off
	notices     *notices.Notices
	demo        *frontdoor.Demo // nil: there is no demonstration
	public      http.Handler
	listeners   []listener // the operators' is the last
	draining    atomic.Bool
	drainDelay  time.Duration
	stopTracing func()
}

type listener struct {
	net.Listener

	handler http.Handler
	idle    time.Duration // how long a connection may be without a request
}

// New opens a server. The caller must call Run or Close.
func New(ctx context.Context, c config.Config, version string, log zerolog.Logger) (*Server, error) {
	s := &Server{
		log: log, version: version, registry: prometheus.NewRegistry(),
		drainDelay: c.DrainDelay, stopTracing: func() {},
	}
	if err := s.open(ctx, c); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Handler is what DAFTAR_LISTEN serves.
func (s *Server) Handler() http.Handler { return newHTTPServer(s.public).Handler }

// Accounts are those that the server works with.
func (s *Server) Accounts() *accounts.Accounts { return s.accounts }

// People are their people.
func (s *Server) People() *people.People { return s.people }

// Groups follow the log on every server.
func Groups() []feed.Group {
	return []feed.Group{
		expiry.Group(), webhooks.Group(), projections.DashboardGroup(), projections.BooksGroup(),
		transparency.Group(),
	}
}

func (s *Server) open(ctx context.Context, c config.Config) error {
	s.warn(c)
	err := s.startTracing(ctx, c)
	if err != nil {
		return err
	}
	groups := Groups()
	if s.exporter, err = s.openExport(c.NATS); err != nil {
		return err
	}
	if s.exporter != nil {
		groups = append(groups, s.exporter.Group())
	}
	if c.Mail.On() {
		groups = append(groups, notices.Group())
	}
	if s.pools, err = openPools(ctx, c, len(groups), s.log); err != nil {
		return err
	}
	if err := s.checkDatabase(ctx, c); err != nil {
		return err
	}
	clock := &eventstore.Clock{Offset: c.ClockOffset}
	if err := eventstore.ReadClock(ctx, s.reads, clock); err != nil {
		return err
	}
	polls := worker.NewPolls(s.following, time.Second)
	s.feed, err = feed.New(feed.Config{
		Pool: s.following, Polls: polls, Groups: groups, Log: s.log, Registerer: s.registry,
	})
	if err != nil {
		return err
	}
	s.intents = projections.NewIntents(s.paying).WithLists(s.reads)
	s.store = eventstore.New(s.writes, s.paying, eventstore.Options{
		Inline: projections.Inline(), Clock: clock, OnCommit: s.feed.Committed, Log: s.log, Registerer: s.registry,
	})
	l := ledger.New(s.store, s.intents)
	s.openAccounts(c, l, clock)
	if s.demo, err = OpenDemo(ctx, s.accounts, c); err != nil {
		return err
	}
	acquirers, providers, err := s.openAcquirers(ctx, c)
	if err != nil {
		return err
	}
	s.payments = payments.New(payments.Config{
		Ledger: l, Settings: s.settings, Pool: s.paying, Polls: polls, SecretKey: c.SecretKey,
		Providers: providers, Acquirers: acquirers, PublicURL: c.PublicURL, Log: s.log, Registerer: s.registry,
	})
	s.checkout = checkout.New(checkout.Config{
		Engine: s.payments, Ledger: l, Accounts: s.accounts, Settings: s.settings,
		Pool: s.paying, Reads: s.reads, PublicURL: c.PublicURL, Log: s.log,
		SecretKey: c.SecretKey,
	})
	s.refunds = refunds.NewOperations(s.reads, l, s.accounts, s.canRefund)
	s.refunder = refunds.NewWorker(s.refunds, s.payments.Refund, polls, s.log, s.registry)
	s.outcomes = outcomes.New(s.reads, l, s.accounts, payments.NewOperations(s.reads, l), s.refunds)
	s.expiry = expiry.New(expiry.Config{
		Pool: s.work, Polls: polls, Ledger: l, Log: s.log, Registerer: s.registry,
	})
	s.dispatcher = webhooks.New(webhooks.Config{
		Pool: s.work, Polls: polls, Accounts: s.accounts, Log: s.log, Registerer: s.registry,
		AllowPrivate: c.AllowPrivate, Version: s.version, Now: clock.WallTime, OnStop: s.onStop(c),
	})
	if err := s.openNotices(ctx, c, l, clock); err != nil {
		return err
	}
	proofs, err := s.openTransparency(ctx, c.Transparency, polls, c.SecretKey, clock)
	if err != nil {
		return err
	}
	s.requests = requestlog.New(requestlog.Config{Pool: s.work, Log: s.log, Registerer: s.registry})
	s.public = s.routes(c, l, clock, proofs, providers)
	public, err := listen(ctx, "DAFTAR_LISTEN", c.Listen, maxConnections)
	if err != nil {
		return err
	}
	// Proxies that web.ClientAddress trusts have no limit.
	public = limitNetworks(public, maxNetworkConnections, c.Proxies.Trusts)
	s.listeners = append(s.listeners, listener{public, s.public, c.IdleTimeout})
	operators, err := listen(ctx, "DAFTAR_OPS_LISTEN", c.OpsListen, maxOperatorConnections)
	if err != nil {
		return err
	}
	s.listeners = append(s.listeners, listener{operators, s.operations(), idleLimit})
	return nil
}

// warn logs the settings that are for trying things out only.
func (s *Server) warn(c config.Config) {
	for _, warning := range c.Warnings() {
		s.log.Warn().Msg(warning)
	}
	if exposed := export.Exposed(c.NATS.Servers); len(exposed) > 0 {
		s.log.Warn().Strs("servers", exposed).
			Msg("the log goes to NATS without encryption; tls:// in DAFTAR_NATS_URL encrypts it")
	}
}

// openExport opens the export of the log; nil where the log is not exported. A server that
// is out of reach is no error: the export waits.
func (s *Server) openExport(c export.Config) (*export.NATS, error) {
	if len(c.Servers) == 0 {
		return nil, nil
	}
	c.Log, c.Registerer = s.log, s.registry
	x, err := export.New(c)
	if err != nil {
		return nil, config.Errorf("DAFTAR_NATS_URL: %w", err)
	}
	return x, nil
}

// openAccounts makes the accounts with their people and settings, and what sends their mail
// where mail is on.
func (s *Server) openAccounts(c config.Config, l *ledger.Ledger, clock *eventstore.Clock) {
	s.accounts = accounts.New(s.reads, accounts.Options{
		SecretKey: c.SecretKey, Now: l.Now, Log: s.log, MaxApplications: c.MaxApplications,
	})
	s.people = people.New(s.reads, s.accounts, people.Options{
		SecretKey: c.SecretKey, Now: l.Now, WallClock: clock.WallTime, Log: s.log, Letters: Letters(c),
		PublicURL: c.PublicURL,
	})
	s.settings = settings.New(s.reads, s.accounts, c.SecretKey, l.Now)
	if c.Mail.On() {
		s.mails = mail.NewSender(mail.Config{
			Settings: c.Mail, Pool: s.work, Key: c.SecretKey, Now: l.Now, Log: s.log, Registerer: s.registry,
		})
	}
}

// OpenDemo opens the demonstration of the front door; nil where there is none.
func OpenDemo(ctx context.Context, a *accounts.Accounts, c config.Config) (*frontdoor.Demo, error) {
	if c.DemoApplication == (domain.ApplicationID{}) {
		return nil, nil
	}
	demo, err := frontdoor.OpenDemo(ctx, a, c.DemoApplication)
	if errors.Is(err, accounts.ErrNoApplication) || errors.Is(err, frontdoor.ErrLive) {
		err = config.Errorf("DAFTAR_DEMO_APPLICATION: %w", err)
	}
	return demo, err
}

// Letters writes the mails of accounts; nil where mail is off.
func Letters(c config.Config) people.Letters {
	if !c.Mail.On() {
		return nil
	}
	return view.Letters{PublicURL: c.PublicURL}
}

// openTransparency makes what signs and shows checkpoints. It refuses a log that
// lacks what was published.
func (s *Server) openTransparency(ctx context.Context, c config.Transparency, polls *worker.Polls,
	secret accounts.SecretKey, clock *eventstore.Clock,
) (http.Handler, error) {
	if c.Dir != "" {
		if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
			return nil, config.Errorf("DAFTAR_CHECKPOINT_DIR: %q is no folder", c.Dir)
		}
	}
	key := c.Key
	if key.IsZero() {
		var err error
		if key, err = transparency.LoadKey(ctx, s.work, secret, c.Origin, clock.WallTime()); err != nil {
			return nil, err
		}
	}
	var err error
	s.notary, err = transparency.New(ctx, transparency.Config{
		Pool: s.work, Polls: polls, Key: key, Now: clock.WallTime, Dir: c.Dir, URL: c.URL, Witnesses: c.Witnesses,
		Log: s.log, Registerer: s.registry,
	})
	if err != nil {
		return nil, err
	}
	if err := s.notary.CheckPublished(ctx); err != nil {
		return nil, err
	}
	return transparency.Handler(s.reads, key, s.log, c.Witnesses...), nil
}

// Close releases what New took.
func (s *Server) Close() {
	for _, l := range s.listeners {
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
	s.stopTracing()
}

const clockInterval = 30 * time.Second

// syncClock corrects the clock while no batch does.
func (s *Server) syncClock(ctx context.Context) {
	loop := queue.Loop{Poll: clockInterval, Failing: "clock not read", Log: s.log}
	loop.Repeat(ctx, func(ctx context.Context) error {
		return eventstore.ReadClock(ctx, s.reads, s.store.Clock())
	})
}

package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"daftar/tools/bench/figures"
)

// measurement is a figure and how to measure it.
type measurement struct {
	figures.Spec
	prepare func(context.Context) error // makes what the measurement needs; may be nil
	run     runner
	rounds  int  // at most; 0: all of them
	servers int  // that share the clients; 0: one
	fresh   bool // on an empty database without statistics
	standby bool // commits wait for a standby on this machine
	foreign bool // does not use the server, whose cost is not counted
	own     bool // this process does the measured work, so its time counts as the server's
}

// runner measures one round.
type runner func(context.Context) (figures.Result, error)

// Names of measurements that are references of others.
const (
	diskFsync    = "disk: fdatasync of 8 kB"
	pgbenchWrite = "pgbench: one statement per intent"
	pgbenchRead  = "pgbench: reads by primary key"
	pgbenchMixed = "pgbench: one write to four reads"
	bareCreates  = "bare net/http: the answer to a create"
	bareReads    = "bare net/http: the answer to a read"
	creates      = "creates over HTTP"
	reads        = "reads over HTTP"
	staticPage   = "static page over HTTP, 50 a second"
	barePosts    = "webhooks: bare posts to the same sink"
)

// Suffixes of the names of measurements at a rate.
const (
	hundred     = ", 100 a second"
	twoHundred  = ", 200 a second"
	thousand    = ", 1,000 a second"
	halfHighest = ", half the highest rate"
)

// fewerRounds is the number of rounds of figures that are not compared with pgbench.
const fewerRounds = 3

func (s *stage) measurements() []measurement {
	others := slices.Concat(s.pages(), s.background(), s.dashboardPages())
	for n := range others {
		others[n].rounds = fewerRounds
	}
	all := slices.Concat(s.alone(), s.creating(), s.reading(), others)
	return slices.DeleteFunc(all, func(m measurement) bool { return !strings.Contains(m.Name, s.only) })
}

// alone is measured once, before anything else.
func (s *stage) alone() []measurement {
	return []measurement{
		{Spec: figures.Spec{Name: diskFsync}, run: s.fsync, rounds: 1, foreign: true},
		{
			Spec: figures.Spec{
				Name: "idle: server and PostgreSQL with no traffic", Unit: figures.OfACore, Most: 0.5,
			},
			run: s.idle, rounds: 1,
		},
		{
			Spec: figures.Spec{
				Name: "disk: bytes of a paid intent", Unit: figures.Bytes, Most: 0.7 * bytesOfPaidBefore,
			},
			prepare: s.theSink, run: s.paidIntents, rounds: 1,
		},
		{Spec: figures.Spec{Name: bareCreates}, prepare: s.theBare, run: s.bareCreates, rounds: 1, foreign: true},
		{Spec: figures.Spec{Name: bareReads}, prepare: s.theBare, run: s.bareReads, rounds: 1, foreign: true},
	}
}

// creating measures creates, which merchants wait for most. Each figure follows its
// reference at once, so that other load of the machine affects both.
func (s *stage) creating() []measurement {
	clients := func(n int) func(*options) { return func(o *options) { o.clients = n } }
	rate := func(perSecond float64) func(*options) { return func(o *options) { o.rate = perSecond } }
	most := figures.Spec{Ratio: 1.25, Ceiling: bareCreates, Processor: 190 * time.Microsecond, Allocations: 120}
	fastest := s.createsBeside(condition{}, most)
	fastest[1].run = s.fastestCreates
	return slices.Concat(
		fastest,
		[]measurement{
			{
				Spec: figures.Spec{Name: creates + ", 2 servers", Reference: creates, Ratio: 0.95},
				run:  s.creates, servers: 2,
			},
			{
				Spec: figures.Spec{Name: creates + ", 3 servers", Reference: creates, Ratio: 0.9},
				run:  s.creates, servers: 3,
			},
			{
				Spec: figures.Spec{
					Name: "repeated creates over HTTP", Reference: creates, Ratio: 1, Ceiling: bareCreates,
				},
				run: s.repeats, rounds: fewerRounds,
			},
		},
		s.createsBeside(condition{
			named: ", fresh database", fresh: true,
			change: func(o *options) { o.time *= 2 }, // a bad plan gets slower as the tables grow
		}, figures.Spec{Ratio: 1.2}),
		s.createsBeside(
			condition{named: ", synchronous standby", standby: true},
			figures.Spec{Ratio: 1.25}),
		s.createsBeside(
			condition{named: ", 8 clients", change: clients(8)},
			figures.Spec{Ratio: 0.75}),
		s.createsBeside(
			condition{named: ", 1 client", change: clients(1)},
			figures.Spec{Ratio: 0.5}),
		s.createsBeside(
			condition{named: twoHundred, paced: true, change: rate(200)},
			figures.Spec{Processor: 1300 * time.Microsecond}),
		s.createsBeside(
			condition{named: thousand, paced: true, change: rate(1000)},
			figures.Spec{Processor: 450 * time.Microsecond}),
		s.createsBeside(condition{
			named: halfHighest, paced: true, prepare: s.needFastest,
			change: func(o *options) { o.rate = s.fastest / 2 },
		}, figures.Spec{P99Ratio: 1}),
		[]measurement{
			{
				Spec: figures.Spec{Name: "memory of the server", Unit: figures.Megabytes, Most: 150},
				run:  s.memoryNow,
			},
			{
				Spec: figures.Spec{Name: "memory of the server at most", Unit: figures.Megabytes, Most: 150},
				run:  s.memoryMost,
			},
		})
}

// condition is what a measurement of the service and its reference have in common.
type condition struct {
	named   string // the suffix of both names
	change  func(*options)
	prepare func(context.Context) error
	paced   bool // at a rate
	fresh   bool
	standby bool
}

// createsBeside measures the creates of the reference, and ours right after them.
func (s *stage) createsBeside(c condition, ours figures.Spec) []measurement {
	if c.change == nil {
		c.change = func(*options) {}
	}
	ours.Name, ours.Reference, ours.LatencyOnly = creates+c.named, pgbenchWrite+c.named, c.paced
	return []measurement{
		{
			Spec: figures.Spec{Name: ours.Reference}, foreign: true,
			prepare: c.prepare, run: s.as(c.change, s.referenceCreates), fresh: c.fresh, standby: c.standby,
		},
		{
			Spec:    ours,
			prepare: c.prepare, run: s.as(c.change, s.creates), fresh: c.fresh, standby: c.standby,
		},
	}
}

// reading measures reads, which merchants do most.
func (s *stage) reading() []measurement {
	eight := func(o *options) { o.clients = 8 }
	return []measurement{
		{Spec: figures.Spec{Name: pgbenchRead}, run: s.referenceReads, foreign: true},
		{
			Spec: figures.Spec{
				Name: reads, Reference: pgbenchRead, Ratio: 0.85, Ceiling: bareReads, Allocations: 60,
			},
			run: s.reads,
		},
		{Spec: figures.Spec{Name: pgbenchRead + ", 8 clients"}, run: s.as(eight, s.referenceReads), foreign: true},
		{
			Spec: figures.Spec{Name: reads + ", 8 clients", Reference: pgbenchRead + ", 8 clients", Ratio: 0.4},
			run:  s.as(eight, s.reads),
		},
		{
			Spec: figures.Spec{Name: reads + ", 2 servers", Reference: reads},
			run:  s.reads, servers: 2, rounds: fewerRounds,
		},
		{
			Spec: figures.Spec{Name: reads + ", 3 servers", Reference: reads},
			run:  s.reads, servers: 3, rounds: fewerRounds,
		},
		{Spec: figures.Spec{Name: pgbenchMixed}, run: s.referenceMixed, foreign: true, rounds: fewerRounds},
		{
			Spec: figures.Spec{Name: "one create to four reads over HTTP", Reference: pgbenchMixed},
			run:  s.mixed, rounds: fewerRounds,
		},
	}
}

// pages measures the pay page, which customers wait for.
func (s *stage) pages() []measurement {
	return []measurement{
		{Spec: figures.Spec{Name: staticPage}, run: s.staticViews, own: true, foreign: true},
		{
			Spec: figures.Spec{
				Name: "pay page over HTTP, 50 a second", Reference: staticPage, LatencyOnly: true,
				P99: 20 * time.Millisecond,
			},
			run: s.views,
		},
	}
}

// background measures the consumer groups, webhooks, expiry and operators' commands.
func (s *stage) background() []measurement {
	atHundred := func(o *options) { o.rate = 100 }
	hundredIntents := pgbenchWrite + hundred
	least := func(name string, value float64) figures.Spec { return figures.Spec{Name: name, Least: value} }
	return []measurement{
		{
			Spec:    least("feed: events through one group", 60_000),
			prepare: s.prepareFeed, run: s.drain, own: true, foreign: true,
		},
		{Spec: figures.Spec{Name: hundredIntents}, run: s.as(atHundred, s.referenceCreates), foreign: true},
		{
			Spec:    figures.Spec{Name: "feed: recorded to handled", Reference: hundredIntents, LatencyOnly: true},
			prepare: s.prepareFeed, run: s.arrive, own: true, foreign: true,
		},
		{
			Spec: figures.Spec{
				Name: "webhooks: created to first try" + hundred, Reference: hundredIntents, LatencyOnly: true,
				P50: 15 * time.Millisecond, P99: 50 * time.Millisecond,
			},
			prepare: s.theSink, run: s.as(atHundred, s.firstTries),
		},
		{Spec: figures.Spec{Name: barePosts}, prepare: s.theSink, run: s.barePosts, own: true, foreign: true},
		{
			Spec:    figures.Spec{Name: "webhooks: tries", Least: 2000, Reference: barePosts},
			prepare: s.theSink, run: s.tries,
		},
		{Spec: figures.Spec{Name: "expiry: many overdue at once"}, run: s.expireAtOnce},
		{
			Spec: figures.Spec{
				Name: "expiry: 200 a second fall due", Reference: pgbenchWrite + twoHundred, LatencyOnly: true,
				P99: 2 * time.Second,
			},
			run: s.expireSteadily,
		},
		{Spec: least("rebuild of intents: events", 60_000), prepare: s.prepareFeed, run: s.rebuild, foreign: true},
		{Spec: least("audit verify: events", 150_000), prepare: s.prepareTree, run: s.verify, foreign: true},
	}
}

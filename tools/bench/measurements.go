package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/procfs"

	"daftar/tools/bench/figures"
)

// measurement is a figure and how to measure it.
type measurement struct {
	figures.Spec
	prepare func(context.Context) error // makes what the measurement needs; may be nil
	run     func(context.Context) (figures.Result, error)
	change  func(*options) // under which it runs; may be nil
	enter   entrance       // to the site where it is measured; nil: it needs no other
	fresh   bool           // that site is an empty database, without statistics
	rounds  int            // at most; 0: all of them
	servers int            // that share the clients; 0: one
	foreign bool           // does not use the server, whose cost is not counted
	own     bool           // this process does the measured work, so its time counts as the server's
}

// Names of measurements that are references of others.
const (
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
	hundred    = ", 100 a second"
	twoHundred = ", 200 a second"
)

// fewerRounds is the number of rounds of figures that are not compared with pgbench.
const fewerRounds = 3

func (s *stage) measurements() []measurement {
	others := slices.Concat(s.paying(), s.pages(), s.background(), s.dashboardPages())
	for n := range others {
		others[n].rounds = fewerRounds
	}
	all := slices.Concat(s.machine(), s.alone(), s.creating(), s.reading(), others)
	return slices.DeleteFunc(all, func(m measurement) bool { return !strings.Contains(m.Name, s.only) })
}

// machine is what the machine costs everybody: by it, figures of two machines are compared. Process
// switches are measured in each round, so that their low and high show how steady the machine was.
func (s *stage) machine() []measurement {
	return []measurement{
		{Spec: figures.Spec{Name: figures.Fdatasync}, run: s.fsync, foreign: true, rounds: 1},
		{
			Spec: figures.Spec{Name: figures.SwitchOnACore, Unit: figures.Switch},
			run:  s.switches(1, pipes), foreign: true,
		},
		{
			Spec: figures.Spec{Name: figures.SwitchOfCores, Unit: figures.Switch},
			run:  s.switches(2, pipes), foreign: true,
		},
		{
			Spec: figures.Spec{Name: figures.SwitchOverTCP, Unit: figures.Switch},
			run:  s.switches(2, loopback), foreign: true,
		},
	}
}

// alone is measured once, before what takes rounds.
func (s *stage) alone() []measurement {
	all := []measurement{
		{
			Spec: figures.Spec{
				Name: "idle: server and PostgreSQL with no traffic", Unit: figures.OfACore, Most: 0.4,
			},
			run: s.idle,
		},
		{
			Spec: figures.Spec{
				Name: "disk: bytes of a paid intent", Unit: figures.Bytes, Most: 4000,
			},
			enter: s.enterPaying, run: s.paidIntents,
		},
		{Spec: figures.Spec{Name: bareCreates}, prepare: s.theBare, run: s.bareCreates, foreign: true},
		{Spec: figures.Spec{Name: bareReads}, prepare: s.theBare, run: s.bareReads, foreign: true},
	}
	for n := range all {
		all[n].rounds = 1
	}
	return all
}

func clients(n int) func(*options) { return func(o *options) { o.clients = n } }

func atRate(perSecond float64) func(*options) { return func(o *options) { o.rate = perSecond } }

// creating measures creates, which merchants wait for most. Each figure follows its
// reference at once, so that other load of the machine affects both.
func (s *stage) creating() []measurement {
	fastest := s.createsNextTo("", measurement{}, figures.Spec{
		Ratio: 1.25, Ceiling: bareCreates, Processor: 190 * time.Microsecond, Allocations: 120,
	})
	fastest[1].run = s.fastestCreates
	longer := func(o *options) { o.time *= 2 } // a bad plan gets slower as the tables grow
	halfHighest := func(o *options) { o.rate = s.fastest / 2 }
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
		s.createsNextTo(", fresh database",
			measurement{enter: s.enterFresh, fresh: true, change: longer}, figures.Spec{Ratio: 1.2}),
		s.createsNextTo(", synchronous standby", measurement{enter: s.enterPair}, figures.Spec{Ratio: 1.25}),
		s.createsNextTo(", 8 clients", measurement{change: clients(8)}, figures.Spec{Ratio: 0.7}),
		s.createsNextTo(", 1 client", measurement{change: clients(1)},
			figures.Spec{Ratio: 0.6, Processor: 350 * time.Microsecond}),
		s.createsNextTo(twoHundred, measurement{change: atRate(200)},
			figures.Spec{LatencyOnly: true, Processor: 800 * time.Microsecond}),
		s.createsNextTo(", 1,000 a second", measurement{change: atRate(1000)},
			figures.Spec{LatencyOnly: true, Processor: 450 * time.Microsecond}),
		s.createsNextTo(", half the highest rate", measurement{prepare: s.needFastest, change: halfHighest},
			figures.Spec{LatencyOnly: true, P99Ratio: 1.5}),
		[]measurement{
			{
				Spec: figures.Spec{Name: "memory of the server", Unit: figures.Megabytes, Most: 150},
				run:  s.memoryOf(func(p procfs.ProcStatus) uint64 { return p.VmRSS }),
			},
			{
				Spec: figures.Spec{Name: "memory of the server at most", Unit: figures.Megabytes, Most: 150},
				run:  s.memoryOf(func(p procfs.ProcStatus) uint64 { return p.VmHWM }),
			},
		})
}

// createsNextTo measures the creates of the reference, and ours right after them, under the same
// conditions. Both names end with the suffix.
func (s *stage) createsNextTo(suffix string, conditions measurement, spec figures.Spec) []measurement {
	reference, ours := conditions, conditions
	reference.Name, reference.run, reference.foreign = pgbenchWrite+suffix, s.referenceCreates, true
	spec.Name, spec.Reference = creates+suffix, reference.Name
	ours.Spec, ours.run = spec, s.creates
	return []measurement{reference, ours}
}

// reading measures reads, which merchants do most.
func (s *stage) reading() []measurement {
	const eight = ", 8 clients"
	return []measurement{
		{Spec: figures.Spec{Name: pgbenchRead}, run: s.referenceReads, foreign: true},
		{
			Spec: figures.Spec{
				Name: reads, Reference: pgbenchRead, Ratio: 0.85, Ceiling: bareReads, Allocations: 60,
			},
			run: s.reads,
		},
		{
			Spec: figures.Spec{Name: pgbenchRead + eight},
			run:  s.referenceReads, change: clients(8), foreign: true,
		},
		{
			Spec: figures.Spec{Name: reads + eight, Reference: pgbenchRead + eight, Ratio: 0.45},
			run:  s.reads, change: clients(8),
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

// paying measures whole payments: by their cost, unlike that of creates, it is seen what the attempt, the
// events that follow, the groups and the read models take.
func (s *stage) paying() []measurement {
	return []measurement{{
		Spec: figures.Spec{Name: "paid checkouts over HTTP, 8 clients"},
		run:  s.checkouts, change: clients(8), enter: s.enterPaying,
	}}
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
	const hundredIntents = pgbenchWrite + hundred
	return []measurement{
		{
			Spec:    figures.Spec{Name: "feed: events through one group", Least: 60_000},
			prepare: s.prepareFeed, run: s.drain, own: true, foreign: true,
		},
		{Spec: figures.Spec{Name: hundredIntents}, run: s.referenceCreates, change: atRate(100), foreign: true},
		{
			Spec:    figures.Spec{Name: "feed: recorded to handled", Reference: hundredIntents, LatencyOnly: true},
			prepare: s.prepareFeed, run: s.arrive, own: true, foreign: true,
		},
		{
			Spec: figures.Spec{
				Name: "webhooks: created to first try" + hundred, Reference: hundredIntents, LatencyOnly: true,
				P50: 15 * time.Millisecond, P99: 50 * time.Millisecond,
			},
			prepare: s.theSink, run: s.firstTries, change: atRate(100),
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
		{
			Spec:    figures.Spec{Name: "rebuild of intents: events", Least: 60_000},
			prepare: s.prepareFeed, run: s.rebuild, foreign: true,
		},
		{
			Spec:    figures.Spec{Name: "audit verify: events", Least: 150_000},
			prepare: s.prepareTree, run: s.verify, foreign: true,
		},
	}
}

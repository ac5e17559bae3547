package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"daftar/tools/bench/figures"
)

// measurement is a figure and how to find it.
type measurement struct {
	figures.Spec
	prepare func(context.Context) error // what must be there before; nil: nothing
	run     func(context.Context) (figures.Result, error)
	once    bool // in the first round only
	foreign bool // the server has no part in it, so what it does meanwhile is not counted
	own     bool // this process does the work that is measured, so its time is the server's
}

// Names of measurements to which others are held.
const (
	diskFsync    = "disk: fdatasync of 8 kB"
	pgbenchWrite = "pgbench: one transaction per intent"
	pgbenchRead  = "pgbench: reads by primary key"
	pgbenchMixed = "pgbench: one write to four reads"
	bareCreates  = "bare net/http: the answer to a create"
	bareReads    = "bare net/http: the answer to a read"
	creates      = "creates over HTTP"
	staticPage   = "static page over HTTP, 50 a second"
	barePosts    = "webhooks: bare posts to the same sink"
)

func (s *stage) measurements() []measurement {
	all := slices.Concat(s.requests(), s.background(), s.dashboardPages())
	return slices.DeleteFunc(all, func(m measurement) bool { return !strings.Contains(m.Name, s.only) })
}

// requests are what merchants and customers wait for.
func (s *stage) requests() []measurement {
	spec := func(name string) figures.Spec { return figures.Spec{Name: name} }
	script := func(name string, scripts ...string) measurement {
		return measurement{Spec: spec(name), foreign: true, run: func(ctx context.Context) (figures.Result, error) { return s.runPgbench(ctx, scripts...) }}
	}
	return []measurement{
		{Spec: spec(diskFsync), run: s.fsync, once: true, foreign: true},
		{Spec: spec(pgbenchWrite), run: s.pgbenchWrites, foreign: true},
		{Spec: spec(bareCreates), prepare: s.theBare, run: s.bareCreates, foreign: true},
		{Spec: figures.Spec{Name: creates, Reference: pgbenchWrite, Ratio: 1.25, Ceiling: bareCreates}, run: s.creates},
		{Spec: figures.Spec{Name: "repeated creates over HTTP", Reference: creates, Ratio: 1, Ceiling: bareCreates}, run: s.repeats},
		{Spec: figures.Spec{Name: "creates at half that rate", P99: 10 * time.Millisecond}, prepare: s.needFastest, run: s.half},
		{Spec: spec("pgbench: one transaction per intent at half that rate"), prepare: s.needFastestPgbench, run: s.pgbenchHalf, foreign: true},
		{Spec: figures.Spec{Name: "memory of the server", Unit: figures.Megabytes, Most: 150}, run: s.memoryNow},
		{Spec: figures.Spec{Name: "memory of the server at most", Unit: figures.Megabytes, Most: 150}, run: s.memoryMost},
		script(pgbenchRead, readScript),
		{Spec: spec(bareReads), prepare: s.theBare, run: s.bareReads, foreign: true},
		{Spec: figures.Spec{Name: "reads over HTTP", Reference: pgbenchRead, Ratio: 0.5, Ceiling: bareReads}, run: s.reads},
		script(pgbenchMixed, createScript+"@1", readScript+"@4"),
		{Spec: figures.Spec{Name: "one create to four reads over HTTP", Reference: pgbenchMixed}, run: s.mixed},
		{Spec: spec(staticPage), run: s.staticViews, own: true, foreign: true},
		{Spec: figures.Spec{Name: "pay page over HTTP, 50 a second", P99: 20 * time.Millisecond}, run: s.views},
	}
}

// background is what happens by itself, and what operators start.
func (s *stage) background() []measurement {
	feed := func(name string, least float64) figures.Spec { return figures.Spec{Name: name, Least: least} }
	return []measurement{
		{Spec: feed("feed: events through one group", 60_000), prepare: s.prepareFeed, run: s.drain, own: true, foreign: true},
		{Spec: feed("feed: recorded to handled", 0), prepare: s.prepareFeed, run: s.arrive, own: true, foreign: true},
		{Spec: feed(barePosts, 0), prepare: s.theSink, run: s.barePosts, own: true, foreign: true},
		{Spec: figures.Spec{Name: "webhooks: tries", Least: 2000, Reference: barePosts}, prepare: s.theSink, run: s.tries},
		{Spec: figures.Spec{Name: "webhooks: created to first try, 100 a second", P99: time.Second}, prepare: s.theSink, run: s.firstTries},
		{Spec: feed("expiry: many overdue at once", 0), run: s.expireAtOnce},
		{Spec: figures.Spec{Name: "expiry: 200 a second fall due", P99: 2 * time.Second}, run: s.expireSteadily},
		{Spec: feed("rebuild of intents: events", 60_000), prepare: s.prepareFeed, run: s.rebuild, foreign: true},
		{Spec: feed("audit verify: events", 150_000), prepare: s.prepareTree, run: s.verify, foreign: true},
	}
}

package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/tools/torture/history"
)

// Verdict is the result for one invariant.
type Verdict struct {
	ID, Name string
	OK       bool
	Looked   int64 // how many things were checked; 0 is not OK
	Detail   string
}

// Options are what the checker must know in addition to the run.
type Options struct {
	// Secrets are further texts that must appear nowhere, such as passwords and the keys of
	// the servers. A verdict names them by their index here, from 1.
	Secrets []string
	// Parked are the positions of events of unknown types, which a fault added to the log
	// (F17). Their streams are left out of all verdicts.
	Parked []int64
	// Healthy are the behaviours of sinks at which every event must have arrived; nil:
	// "ok" alone.
	Healthy []string
	// ClockOffset is DAFTAR_CLOCK_OFFSET of the servers: how far the ledger's clock is ahead
	// of the database's.
	ClockOffset time.Duration
	// Late returns the webhooks that arrived after the run was copied. It is called after the
	// deliveries were read, because servers continue to retry at endpoints that failed. nil:
	// there are none.
	Late func() []history.Delivery
	// WarmUp is the time at the start of each process that does not count for its growth; 0:
	// a tenth of the run.
	WarmUp time.Duration
}

// minConns is the least size of the pool: verifications read over several connections.
const minConns = 4

// ErrPool is returned for a pool that is too small: Check would wait for itself.
var ErrPool = errors.New("the checker needs a pool of at least four connections")

// checker is the check of one run.
type checker struct {
	pool *pgxpool.Pool
	run  *history.Run
	o    Options

	apps    map[string]history.Application // by uuid
	answers []answer                       // of run.Requests, in their order
	hooks   []webhook                      // of run.Deliveries, in their order
	log     *ledger
	rows    []delivery
	late    []history.Delivery // these also prove that a delivery arrived
}

// Check checks a run that has become quiet. It returns one verdict for each invariant, in
// their order, or ErrPool, or an error of the database or of reading a log file.
func Check(ctx context.Context, owner *pgxpool.Pool, run *history.Run, o Options) ([]Verdict, error) {
	if owner.Config().MaxConns < minConns {
		return nil, ErrPool
	}
	if o.Healthy == nil {
		o.Healthy = []string{"ok"}
	}
	c := &checker{pool: owner, run: run, o: o, apps: map[string]history.Application{}}
	for _, a := range run.Applications {
		c.apps[a.UUID.String()] = a
	}
	var reading sync.WaitGroup
	reading.Go(func() {
		c.answers = readAll(run.Requests, readAnswer)
		c.hooks = readAll(run.Deliveries, readWebhook)
	})
	var err error
	if c.log, err = readLedger(ctx, owner, o.Parked); err == nil {
		c.rows, err = readDeliveries(ctx, owner)
	}
	if o.Late != nil {
		c.late = o.Late()
	}
	reading.Wait()
	if err != nil {
		return nil, err
	}
	return c.checkAll(ctx)
}

// invariant is a check that fills a finding.
type invariant struct {
	id, name string
	check    func(*checker, context.Context, *finding) error
}

func invariants() []invariant {
	return []invariant{
		{"I1", "acknowledged intents are there", (*checker).acknowledged},
		{"I2", "one intent per reference", (*checker).unique},
		{"I3", "streams are whole", (*checker).whole},
		{"I4", "only legal transitions", (*checker).legal},
		{"I5", "intents equals its events", (*checker).readModel},
		{"I6", "no gap, no event missed", (*checker).followed},
		{"I7", "every event was delivered, signed", (*checker).delivered},
		{"I8", "repeated webhooks are explained", (*checker).repeated},
		{"I9", "money taken is money recorded", (*checker).money},
		{"I10", "linearizable", (*checker).linearizable},
		{"I11", "reads never go back", (*checker).monotone},
		{"I12", "nothing crosses tenants", (*checker).tenants},
		{"I13", "the log is append-only", (*checker).appendOnly},
		{"I14", "no secret anywhere", (*checker).secrets},
		{"I15", "servers do not grow", (*checker).growth},
		{"I16", "the books are what the log says", (*checker).bookkept},
	}
}

// atOnce is how many invariants are checked in parallel: some wait for the database while
// others compute.
const atOnce = 3

func (c *checker) checkAll(ctx context.Context) ([]Verdict, error) {
	all := invariants()
	verdicts, errs := make([]Verdict, len(all)), make([]error, len(all))
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, n := range slowestFirst(all) {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			var f finding
			if err := all[n].check(c, ctx, &f); err != nil {
				errs[n] = fmt.Errorf("check %s (%s): %w", all[n].id, all[n].name, err)
				return
			}
			verdicts[n] = f.verdict(all[n].id, all[n].name)
		})
	}
	wg.Wait()
	return verdicts, errors.Join(errs...)
}

// slowestFirst orders the checks so that the slow ones start first, which shortens the total.
func slowestFirst(all []invariant) []int {
	slow := []string{"I14", "I6", "I7", "I10", "I5"}
	rank := func(n int) int {
		if at := slices.Index(slow, all[n].id); at >= 0 {
			return at
		}
		return len(slow)
	}
	order := make([]int, len(all))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(a) - rank(b) })
	return order
}

// maxNamed is how many violations a verdict names.
const maxNamed = 5

// finding collects the violations of one invariant.
type finding struct {
	looked int64
	count  int64
	named  []string
	notes  []string
}

// wrongf adds a violation.
func (f *finding) wrongf(format string, args ...any) {
	f.count++
	if len(f.named) < maxNamed {
		f.named = append(f.named, fmt.Sprintf(format, args...))
	}
}

// notef adds a figure to the detail even if nothing is wrong.
func (f *finding) notef(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

func (f *finding) verdict(id, name string) Verdict {
	v := Verdict{ID: id, Name: name, Looked: f.looked, OK: f.count == 0 && f.looked > 0}
	var parts []string
	switch {
	case f.count > 0:
		parts = append(parts, fmt.Sprintf("%d wrong: %s", f.count, strings.Join(f.named, "; ")))
		if f.count > int64(len(f.named)) {
			parts = append(parts, "…")
		}
	case f.looked == 0:
		parts = append(parts, "nothing was there to look at")
	}
	v.Detail = strings.Join(append(parts, f.notes...), "; ")
	return v
}

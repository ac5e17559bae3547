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

// Verdict says how one invariant fared.
type Verdict struct {
	ID, Name string
	OK       bool
	Looked   int64 // how many things were looked at
	Detail   string
}

// Options say what the checker cannot find out from the run.
type Options struct {
	// Secrets are further texts that must appear nowhere, such as passwords and the
	// keys of the servers. A verdict names them by their place here, from 1.
	Secrets []string
	// Parked are the positions of events that a fault put into the log and that
	// nobody understands (F17). Their streams are left out of all verdicts.
	Parked []int64
	// Healthy are the behaviours of sinks at which every event must have arrived; nil:
	// "ok" alone.
	Healthy []string
	// ClockOffset is DAFTAR_CLOCK_OFFSET of the servers: how far the ledger's clock
	// is ahead of the database's.
	ClockOffset time.Duration
	// Late gives the webhooks that arrived since the run was taken, and is asked once
	// the deliveries were read: servers go on retrying at endpoints that were unwell.
	// nil: none did.
	Late func() []history.Delivery
	// WarmUp is how much of each process's life is left out when its growth is
	// measured; 0: a tenth of the run.
	WarmUp time.Duration
}

// minConns is what Check needs: verifications read with several connections.
const minConns = 4

// ErrPool says that the pool is too small: Check would wait for itself.
var ErrPool = errors.New("the checker needs a pool of at least four connections")

// checker is one run being checked.
type checker struct {
	pool *pgxpool.Pool
	run  *history.Run
	o    Options

	apps    map[string]history.Application // by uuid
	answers []answer                       // of run.Requests, in their order
	hooks   []webhook                      // of run.Deliveries, in their order
	log     *ledger
	rows    []delivery
	late    []history.Delivery // as good as those of the run for what is marked as delivered
}

// Check checks a run that has become quiet: one verdict for each invariant, in
// their order.
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

// invariant fills a finding for one invariant.
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
	}
}

// atOnce is how many invariants are checked at a time: some wait for the database
// while others compute.
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

// slowestFirst keeps the long ones from being left for the end.
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

// finding gathers what is wrong with one invariant.
type finding struct {
	looked int64
	count  int64
	named  []string
	notes  []string
}

// wrongf notes a violation.
func (f *finding) wrongf(format string, args ...any) {
	f.count++
	if len(f.named) < maxNamed {
		f.named = append(f.named, fmt.Sprintf(format, args...))
	}
}

// notef adds a figure that is worth reading though nothing is wrong.
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

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/projections"
	"daftar/tools/bench/figures"
)

// scaling is one run of measurements on logs of several sizes.
type scaling struct {
	*stage

	logs []*grownLog
	rows []scalingRow
}

// grownLog is a database with a log of some size.
type grownLog struct {
	*site

	size  int // in events
	named string
}

// scalingRow is one figure at each size.
type scalingRow struct {
	name, unit string
	values     []float64
}

// note keeps a figure of a log, which is given by its index.
func (c *scaling) note(log int, name, unit string, value float64) {
	fmt.Fprintf(os.Stderr, "  %s: %s %s %s\n", c.logs[log].named, name, figures.Grouped(value), unit)
	n := slices.IndexFunc(c.rows, func(r scalingRow) bool { return r.name == name })
	if n < 0 {
		n = len(c.rows)
		c.rows = append(c.rows, scalingRow{name: name, unit: unit, values: make([]float64, len(c.logs))})
	}
	c.rows[n].values[log] = value
}

// print writes the figures, each with its ratio to that of the first log.
func (c *scaling) print(w io.Writer) {
	head := []string{"figure", "unit"}
	for _, l := range c.logs {
		head = append(head, l.named, "ratio")
	}
	rows := [][]string{head}
	for _, r := range c.rows {
		cells := []string{r.name, r.unit}
		for _, v := range r.values {
			cells = append(cells, figures.Grouped(v), fmt.Sprintf("%.2f", v/r.values[0]))
		}
		rows = append(rows, cells)
	}
	figures.PrintRows(w, rows)
}

// scale makes logs of the given sizes from the lives of intents and measures appends on each, in turn; then
// everything that reads a whole log.
func (s *stage) scale(ctx context.Context, w io.Writer) error {
	c := &scaling{stage: s}
	for _, size := range s.sizes {
		c.logs = append(c.logs, &grownLog{size: size, named: number(size) + " events"})
	}
	for n := range c.logs {
		if err := c.makeLog(ctx, n); err != nil {
			return err
		}
		if n > 0 {
			continue
		}
		if err := c.splitMore(ctx); err != nil {
			return err
		}
	}
	for _, l := range c.logs {
		if err := intoMemory(ctx, l.pool, []string{"events", "intents"}); err != nil {
			return err
		}
	}
	creates := make([]appends, len(c.logs))
	for n := range c.logs {
		creates[n] = appends{log: n, name: "creates"}
	}
	// One round warms up: most pages have changed once since the last checkpoint.
	if err := c.measureAppends(ctx, 1, creates...); err != nil {
		return err
	}
	if err := c.measureAppends(ctx, s.rounds, creates...); err != nil {
		return err
	}
	for n := range c.logs {
		if err := c.offline(ctx, n); err != nil {
			return err
		}
	}
	if err := c.split(ctx); err != nil {
		return err
	}
	c.print(w)
	return nil
}

// timed runs do and notes the rate at which it handled the events of a log.
func (c *scaling) timed(n int, name string, do func() error) error {
	began := time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.note(n, name, "events/s", float64(c.logs[n].size)/time.Since(began).Seconds())
	return nil
}

func (c *scaling) makeLog(ctx context.Context, n int) (err error) {
	l := c.logs[n]
	if l.site, err = c.newSite(ctx, c.cluster, fmt.Sprintf("%s_events_%d", database, l.size), ""); err != nil {
		return err
	}
	g := newLives(l.shop, l.size, time.Now())
	l.size = g.before(g.intents)
	// While much is stored, the write-ahead log must not take the disk space that the data needs.
	const reload = `SELECT pg_reload_conf()`
	if err := execute(ctx, l.pool, `ALTER SYSTEM SET max_wal_size = '2GB'`, reload); err != nil {
		return err
	}
	store := func() error { return g.storeUnindexed(ctx, l.pool) }
	if err := c.timed(n, "stored past the server", store); err != nil {
		return err
	}
	if err := execute(ctx, l.pool, `ALTER SYSTEM RESET max_wal_size`, reload); err != nil {
		return err
	}
	return c.vacuumed(ctx, n, "the first vacuum", `VACUUM ANALYZE events, intents`)
}

// vacuumed notes the rate of a vacuum in events a second.
func (c *scaling) vacuumed(ctx context.Context, n int, name, sql string) error {
	return c.timed(n, name, func() error { return execute(ctx, c.logs[n].pool, sql) })
}

// offline measures everything that reads the whole log.
func (c *scaling) offline(ctx context.Context, n int) (err error) {
	l := c.logs[n]
	if err := c.vacuumed(ctx, n, "a vacuum after the appends", `VACUUM events, intents`); err != nil {
		return err
	}
	if err := c.vacuumed(ctx, n, "a vacuum that freezes", `VACUUM (FREEZE) events`); err != nil {
		return err
	}
	if l.size, err = headOf(ctx, l.pool); err != nil {
		return err
	}
	hash := func() error { return c.hash(ctx, l.name, l.size) }
	if err := c.timed(n, "hashed into the tree", hash); err != nil {
		return err
	}
	if err := c.audited(ctx, n, ""); err != nil {
		return err
	}
	if err := moveGroups(ctx, l.pool); err != nil {
		return err
	}
	for _, m := range projections.Models() {
		if !slices.Contains(strings.Split(c.models, ","), m.Name) {
			continue
		}
		if err := c.replayed(ctx, n, m.Name, "", "rebuild", "--accept-drift"); err != nil {
			return err
		}
		if err := execute(ctx, l.pool, `ANALYZE `+m.Tables[0].Name); err != nil {
			return err
		}
		if err := c.replayed(ctx, n, m.Name, "", "verify"); err != nil {
			return err
		}
	}
	all, err := relationsOf(ctx, l.pool)
	if err != nil {
		return err
	}
	for _, r := range all {
		if slices.Contains([]string{"events", "intents", "payments", "turnover", "transparency_tiles"}, r.Table) {
			c.note(n, strings.TrimSpace("size of "+r.Table+" "+r.Index), "MB", r.Bytes/1e6)
		}
	}
	return nil
}

// replayed rebuilds or verifies a read model. The name of the figure ends with ending.
func (c *scaling) replayed(ctx context.Context, n int, model, ending, verb string, flags ...string) error {
	r, err := c.replay(ctx, c.logs[n].name, model, c.logs[n].size, verb, flags...)
	if err != nil {
		return err
	}
	c.note(n, verb+" "+model+ending, "events/s", r.Value)
	return nil
}

// audited verifies the whole log against its tree.
func (c *scaling) audited(ctx context.Context, n int, ending string) error {
	r, err := c.audit(ctx, c.logs[n].name, c.logs[n].size)
	if err != nil {
		return err
	}
	c.note(n, "audit verify"+ending, "events/s", r.Value)
	return nil
}

// appendConnections are for writing batches: while one writes, the next waits for its turn.
const appendConnections = 4

// appendsOn measures creates through package ledger, with no server and no groups: the decision, the event,
// the row of intents and the commit.
func (s *stage) appendsOn(ctx context.Context, there *site) (r figures.Result, err error) {
	options := postgres.Options{MaxConns: appendConnections, SetServiceRole: true}
	pool, err := postgres.Open(ctx, s.cluster.URL(there.name, user), options)
	if err != nil {
		return r, err
	}
	defer pool.Close()
	intents := projections.NewIntents(pool)
	defer intents.Close()
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline()})
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	l, reference := ledger.New(store, intents), s.newReferences()
	origin := ledger.Origin{Actor: there.shop.actor()}
	return s.load(ctx, func(ctx context.Context, k, n int) error {
		customer, address := fmt.Sprintf("customer-%d", n), fmt.Sprintf("https://shop.example/orders/%d", n)
		_, _, err := l.Create(ctx, domain.Create{Terms: domain.Terms{
			Application:       there.shop.application.ID,
			MerchantReference: domain.MerchantReference(reference(k, n)),
			Amount:            domain.Money{Minor: 5000, Currency: domain.LYD},
			Description:       "Order 1042: coffee machine", CustomerID: &customer, ReturnURL: &address,
		}}, there.shop.namespace, origin)
		return err
	}).run(ctx)
}

// appends is what to append to, and the name of the figure.
type appends struct {
	log           int
	name          string
	before, after []string // statements around each measurement
}

// measureAppends measures creates on each, in turn.
func (c *scaling) measureAppends(ctx context.Context, rounds int, all ...appends) error {
	found := figures.Rounds{}
	key := func(a appends) string { return fmt.Sprint(a.log, a.name) }
	for range rounds {
		for _, a := range all {
			l := c.logs[a.log]
			if err := execute(ctx, l.pool, a.before...); err != nil {
				return err
			}
			r, err := c.appendsOn(ctx, l.site)
			if err != nil {
				return err
			}
			found.Add(key(a), r)
			if err := execute(ctx, l.pool, a.after...); err != nil {
				return err
			}
		}
	}
	for _, a := range all {
		f := found.Figure(figures.Spec{Name: key(a)})
		c.note(a.log, a.name, "/s", f.Value)
		c.note(a.log, a.name+", p99", "µs", 1000*f.Latency.P99)
	}
	return nil
}

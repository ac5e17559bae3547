package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

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
	grown // its size is in events
	name  string
}

// scalingRow is one figure at each size.
type scalingRow struct {
	name, unit string
	values     []float64
}

// note keeps a figure of a log, which is given by its index.
func (c *scaling) note(log int, name, unit string, value float64) {
	fmt.Fprintf(os.Stderr, "  %s: %s %s %s\n", c.logs[log].name, name, figures.Grouped(value), unit)
	for n := range c.rows {
		if c.rows[n].name == name {
			c.rows[n].values[log] = value
			return
		}
	}
	row := scalingRow{name: name, unit: unit, values: make([]float64, len(c.logs))}
	row.values[log] = value
	c.rows = append(c.rows, row)
}

// print writes the figures, each with its ratio to that of the first log.
func (c *scaling) print(w io.Writer) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := []string{"figure", "unit"}
	for _, l := range c.logs {
		head = append(head, l.name, "ratio")
	}
	fmt.Fprintln(out, strings.Join(head, "\t")+"\t")
	for _, r := range c.rows {
		cells := []string{r.name, r.unit}
		for _, v := range r.values {
			cells = append(cells, figures.Grouped(v), fmt.Sprintf("%.2f", v/r.values[0]))
		}
		fmt.Fprintln(out, strings.Join(cells, "\t")+"\t")
	}
	_ = out.Flush() // as with the other tables
}

// scale makes logs of the given sizes from the lives of intents and measures appends on each, in turn; then
// everything that reads a whole log.
func (s *stage) scale(ctx context.Context) (*scaling, error) {
	s.stopServers()
	home := s.site
	defer func() {
		s.stopServers()
		s.site = home
	}()
	c := &scaling{stage: s}
	defer func() {
		for _, l := range c.logs {
			if l.pool != nil {
				l.pool.Close()
			}
		}
	}()
	for _, size := range s.sizes {
		name := figures.Grouped(float64(size)) + " events"
		c.logs = append(c.logs, &grownLog{grown: grown{size: size}, name: name})
	}
	for n := range c.logs {
		if err := c.makeLog(ctx, n); err != nil {
			return nil, err
		}
		if n > 0 {
			continue
		}
		if err := c.splitMore(ctx); err != nil {
			return nil, err
		}
	}
	if err := c.appends(ctx); err != nil {
		return nil, err
	}
	for n := range c.logs {
		if err := c.offline(ctx, n); err != nil {
			return nil, err
		}
	}
	err := c.split(ctx)
	return c, err
}

// timed runs do and notes the rate at which it handled the given number of events.
func (c *scaling) timed(log int, name string, number int, do func() error) error {
	began := time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	spent := time.Since(began).Seconds()
	c.note(log, name, "events/s", float64(number)/spent)
	fmt.Fprintf(os.Stderr, "    in %.1f s\n", spent)
	return nil
}

func (c *scaling) makeLog(ctx context.Context, n int) error {
	l, began := c.logs[n], time.Now()
	var err error
	if l.site, err = c.newSite(ctx, fmt.Sprintf("%s_events_%d", database, l.size), ""); err != nil {
		return err
	}
	g := newLives(l.shop, l.size, began)
	l.size = int(g.events())
	g.progress = func(copies int) {
		fmt.Fprintf(os.Stderr, "  %d of %d copies in %s\n", copies, g.copies-1,
			time.Since(began).Round(time.Second))
	}
	if err := smallWAL(ctx, l.pool, true); err != nil {
		return err
	}
	store := func() error { return g.store(ctx, l.pool) }
	if err := c.timed(n, "stored past the server", l.size, store); err != nil {
		return err
	}
	if err := smallWAL(ctx, l.pool, false); err != nil {
		return err
	}
	return c.vacuum(ctx, n, "the first vacuum", `VACUUM ANALYZE events, intents`)
}

// vacuum notes the rate of a vacuum in events a second.
func (c *scaling) vacuum(ctx context.Context, n int, name, sql string) error {
	return c.timed(n, name, c.logs[n].size, func() error {
		_, err := c.logs[n].pool.Exec(ctx, sql)
		return err
	})
}

// smallWAL limits the write-ahead log while much is stored, so that it does not take the disk space that the
// data needs, or removes that limit.
func smallWAL(ctx context.Context, pool *pgxpool.Pool, small bool) error {
	change := `ALTER SYSTEM RESET max_wal_size`
	if small {
		change = `ALTER SYSTEM SET max_wal_size = '2GB'`
	}
	for _, sql := range []string{change, `SELECT pg_reload_conf()`} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("limit the write-ahead log: %w", err)
		}
	}
	return nil
}

// offline measures everything that reads the whole log.
func (c *scaling) offline(ctx context.Context, n int) error {
	l := c.logs[n]
	for _, v := range [][2]string{
		{"a vacuum after the appends", `VACUUM events, intents`},
		{"a vacuum that freezes", `VACUUM (FREEZE) events`},
	} {
		if err := c.vacuum(ctx, n, v[0], v[1]); err != nil {
			return err
		}
	}
	if err := c.end(ctx, n); err != nil {
		return err
	}
	hash := func() error { return c.hash(ctx, l.site.name, int64(l.size)) }
	if err := c.timed(n, "hashed into the tree", l.size, hash); err != nil {
		return err
	}
	if err := c.audit(ctx, n, ""); err != nil {
		return err
	}
	if err := moveGroups(ctx, l.pool, int64(l.size)); err != nil {
		return err
	}
	for _, model := range c.readModels() {
		if err := c.replay(ctx, n, "rebuild", model, "", "--accept-drift"); err != nil {
			return err
		}
		if _, err := l.pool.Exec(ctx, `ANALYZE `+model); err != nil {
			return fmt.Errorf("look at %s: %w", model, err)
		}
		if err := c.replay(ctx, n, "verify", model, ""); err != nil {
			return err
		}
	}
	return c.weigh(ctx, n)
}

// readModels are the names of the read models that the options select.
func (c *scaling) readModels() []string {
	var names []string
	for _, m := range projections.Models() {
		if slices.Contains(strings.Split(c.models, ","), m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// end updates the size of a log to its current number of events.
func (c *scaling) end(ctx context.Context, n int) error {
	l := c.logs[n]
	if err := l.pool.QueryRow(ctx, `SELECT max(position) FROM events`).Scan(&l.size); err != nil {
		return fmt.Errorf("find the end of the log: %w", err)
	}
	return nil
}

// replay rebuilds or verifies a read model. The name of the figure ends with ending.
func (c *scaling) replay(ctx context.Context, n int, verb, model, ending string, flags ...string) error {
	l := c.logs[n]
	var report struct {
		Events  int     `json:"events"`
		Seconds float64 `json:"seconds"`
	}
	arguments := append([]string{"projections", verb, model, "--json"}, flags...)
	if _, err := c.commandOn(ctx, l.site.name, &report, arguments...); err != nil {
		return err
	}
	if report.Events != l.size {
		return fmt.Errorf("projections %s %s replayed %d of %d events", verb, model, report.Events, l.size)
	}
	c.note(n, verb+" "+model+ending, "events/s", float64(report.Events)/report.Seconds)
	fmt.Fprintf(os.Stderr, "    in %.1f s\n", report.Seconds)
	if verb != "rebuild" {
		return nil
	}
	var dropped any
	_, err := c.commandOn(ctx, l.site.name, &dropped, "projections", "clean", "--older-than", "0s", "--json")
	return err
}

// audit verifies the whole log against its tree.
func (c *scaling) audit(ctx context.Context, n int, ending string) error {
	l := c.logs[n]
	var report struct {
		OK      bool    `json:"ok"`
		Size    int     `json:"size"`
		Seconds float64 `json:"seconds"`
	}
	if _, err := c.commandOn(ctx, l.site.name, &report, "audit", "verify", "--json"); err != nil {
		return err
	}
	if !report.OK || report.Size != l.size {
		return fmt.Errorf("the verification found OK %v of %d events instead of %d", report.OK, report.Size, l.size)
	}
	c.note(n, "audit verify"+ending, "events/s", float64(report.Size)/report.Seconds)
	fmt.Fprintf(os.Stderr, "    in %.1f s\n", report.Seconds)
	return nil
}

// weigh notes the sizes of tables and indexes in MB.
func (c *scaling) weigh(ctx context.Context, n int) error {
	all, err := relationsOf(ctx, c.logs[n].pool)
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

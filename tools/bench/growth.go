package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/tools/bench/figures"
)

// storedRatio is the least ratio of creates with much stored to creates with little stored.
const storedRatio = 0.9

// grow measures how creates and reads change with the number of intents that are
// stored already: on databases of different sizes, in turn, so that other load of the
// machine affects all of them alike.
func (s *stage) grow(ctx context.Context) ([]figures.Series, error) {
	lines := []struct {
		name  string
		run   func(context.Context) (figures.Result, error)
		ratio float64
	}{{"creates", s.creates, storedRatio}, {"reads", s.reads, 0}}
	at := func(name string, size int) string { return name + ", " + number(size) + " intents stored" }
	var sites []*site
	var all []measurement
	for n, size := range s.sizes {
		there, err := s.growTo(ctx, size)
		if err != nil {
			return nil, err
		}
		sites = append(sites, there)
		for _, l := range lines {
			m := measurement{Spec: figures.Spec{Name: at(l.name, size)}, run: l.run, enter: s.to(there)}
			if n > 0 {
				m.Reference, m.Ratio = at(l.name, s.sizes[0]), l.ratio
			}
			all = append(all, m)
		}
	}
	for _, there := range sites {
		if err := s.warmUp(ctx, there); err != nil {
			return nil, err
		}
	}
	found, err := s.inRounds(ctx, all)
	if err != nil {
		return nil, err
	}
	series := figures.Series{Title: "Creates and reads, by intents stored", Over: "intents stored"}
	for k, l := range lines {
		line := figures.Line{Name: l.name}
		for n, size := range s.sizes {
			line.Points = append(line.Points, figures.Point{At: float64(size), Figure: found[n*len(lines)+k]})
		}
		series.Lines = append(series.Lines, line)
	}
	return []figures.Series{series}, nil
}

// growTo makes a database with the given number of intents, all open, each with its
// event and with everything that the consumer groups derive from it.
func (s *stage) growTo(ctx context.Context, size int) (there *site, err error) {
	began := time.Now()
	if there, err = s.newSite(ctx, s.cluster, fmt.Sprintf("%s_%d", database, size), ""); err != nil {
		return nil, err
	}
	const span = 20 * 24 * time.Hour // over which they were created
	created := func(n int) time.Time {
		return began.Add(-time.Duration(float64(span) * float64(size-n) / float64(size)))
	}
	expires := func(int) time.Time { return began.Add(30 * 24 * time.Hour) }
	if err := openIntents(there.shop, "stored", size, created, expires).storeGrown(ctx, there.pool); err != nil {
		return nil, err
	}
	if err := s.hash(ctx, there.name, size); err != nil {
		return nil, err
	}
	if there.known, err = listIntents(ctx, there.pool, there.shop, s.stored); err != nil {
		return nil, err
	}
	if err := execute(ctx, there.pool, `CHECKPOINT`); err != nil {
		return nil, err
	}
	var bytes int
	const sizeSQL = `SELECT pg_database_size(current_database())`
	if err := there.pool.QueryRow(ctx, sizeSQL).Scan(&bytes); err != nil {
		return nil, fmt.Errorf("weigh database: %w", err)
	}
	fmt.Fprintf(os.Stderr, "  %s is ready after %s, with %s MB\n",
		there.name, time.Since(began).Round(time.Second), number(bytes/1e6))
	return there, nil
}

// storeGrown also writes what all consumer groups except transparency would derive from the
// events, and moves their offsets past these. No server may run meanwhile. Open intents do not
// count in the turnover.
func (g storing) storeGrown(ctx context.Context, pool *pgxpool.Pool) error {
	g.tables = grownTables
	if err := g.storeUnindexed(ctx, pool); err != nil {
		return err
	}
	if err := moveGroups(ctx, pool); err != nil {
		return err
	}
	return vacuum(ctx, pool, g.tables...)
}

// warmUp runs creates for a minute before anything is measured, so that most pages have
// changed once since the last checkpoint: the first change of a page after a checkpoint
// costs more.
func (s *stage) warmUp(ctx context.Context, there *site) error {
	fmt.Fprintf(os.Stderr, "  warming %s up\n", there.name)
	if err := intoMemory(ctx, there.pool, grownTables); err != nil {
		return err
	}
	_, err := s.measure(ctx, measurement{
		run: s.creates, enter: s.to(there), change: func(o *options) { o.time = o.upToAMinute() },
	})
	return err
}

// intoMemory loads what requests read at random, so that measurements do not depend on
// the disk: the indexes of tables into PostgreSQL's buffers, where creates change their
// pages, and the rows of intents into the machine's file cache. Creates touch only the
// ends of the other tables.
func intoMemory(ctx context.Context, pool *pgxpool.Pool, tables []string) error {
	const (
		extension = `CREATE EXTENSION IF NOT EXISTS pg_prewarm`
		rows      = `SELECT pg_prewarm('intents', 'read')`
		indexes   = `
SELECT sum(pg_prewarm(indexrelid::regclass, 'buffer'))
FROM pg_index
WHERE indrelid = ANY($1::regclass[])`
	)
	if err := execute(ctx, pool, extension, rows); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, indexes, tables)
	return err
}

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

// lines collects the rounds of several measurements at several sizes.
type lines struct {
	rounds figures.Rounds
	over   string // what grows
	sizes  []int
}

func newLines(over string, sizes []int) *lines {
	return &lines{rounds: figures.Rounds{}, over: over, sizes: sizes}
}

// at is the name of a measurement at a size.
func (l *lines) at(name string, size int) string {
	return fmt.Sprintf("%s, %s %s", name, figures.Grouped(float64(size)), l.over)
}

// measure measures one of the names at a size.
func (l *lines) measure(
	ctx context.Context, s *stage, name string, size int, run runner,
) error {
	r, err := s.measure(ctx, measurement{Spec: figures.Spec{Name: l.at(name, size)}, run: run}, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", l.at(name, size), err)
	}
	l.rounds.Add(l.at(name, size), r)
	fmt.Fprintf(os.Stderr, "  %-58s %10.0f/s\n", l.at(name, size), r.Value)
	return nil
}

// series returns a table of some of the names. spec returns the marks of each point.
func (l *lines) series(
	title string, spec func(name string, size int) figures.Spec, names ...string,
) figures.Series {
	s := figures.Series{Title: title, Over: l.over}
	for _, name := range names {
		line := figures.Line{Name: name}
		for _, size := range l.sizes {
			point := spec(name, size)
			point.Name = l.at(name, size)
			line.Points = append(line.Points, figures.Point{At: float64(size), Figure: l.rounds.Figure(point)})
		}
		s.Lines = append(s.Lines, line)
	}
	return s
}

// grown is a database with intents in it.
type grown struct {
	site
	size int
}

// grow measures how creates and reads change with the number of intents that are
// stored already: on databases of different sizes, in turn, so that other load of the
// machine affects all of them alike.
func (s *stage) grow(ctx context.Context) ([]figures.Series, error) {
	const written, read = "creates", "reads"
	s.stopServers()
	home := s.site
	defer func() {
		s.stopServers()
		s.site = home
	}()
	var all []grown
	defer func() {
		for _, g := range all {
			g.pool.Close()
		}
	}()
	for _, size := range s.sizes {
		g, err := s.growTo(ctx, size)
		if err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	if err := s.warmUp(ctx, all); err != nil {
		return nil, err
	}
	l := newLines("intents stored", s.sizes)
	for round := range s.rounds {
		fmt.Fprintf(os.Stderr, "stored intents, round %d of %d\n", round+1, s.rounds)
		for _, g := range all {
			if err := s.moveTo(ctx, g); err != nil {
				return nil, err
			}
			if err := l.measure(ctx, s, written, g.size, s.creates); err != nil {
				return nil, err
			}
			if err := l.measure(ctx, s, read, g.size, s.reads); err != nil {
				return nil, err
			}
			s.stopServers()
		}
	}
	smallest := s.sizes[0]
	toSmallest := func(name string, size int) figures.Spec {
		spec := figures.Spec{Reference: l.at(name, smallest)}
		switch {
		case size == smallest:
			return figures.Spec{}
		case name == written:
			spec.Ratio = storedRatio
		}
		return spec
	}
	return []figures.Series{l.series("Creates and reads, by intents stored", toSmallest, written, read)}, nil
}

// warmUp runs creates on each database before any is measured, so that most pages have
// changed once since the last checkpoint: the first change of a page after a checkpoint
// costs more.
func (s *stage) warmUp(ctx context.Context, all []grown) error {
	usual := s.time
	defer func() { s.time = usual }()
	s.time = s.upToAMinute()
	for _, g := range all {
		fmt.Fprintf(os.Stderr, "  warming %s up\n", g.name)
		if err := intoMemory(ctx, g.pool, grownTables); err != nil {
			return err
		}
		if err := s.moveTo(ctx, g); err != nil {
			return err
		}
		if _, err := s.creates(ctx); err != nil {
			return err
		}
		if err := s.quiet(ctx); err != nil {
			return err
		}
		s.stopServers()
	}
	return nil
}

// growTo makes a database with the given number of intents, all open, each with its
// event and with everything that the consumer groups derive from it.
func (s *stage) growTo(ctx context.Context, size int) (g grown, err error) {
	g.size = size
	began := time.Now()
	if g.site, err = s.newSite(ctx, fmt.Sprintf("%s_%d", database, size), ""); err != nil {
		return g, err
	}
	const span = 20 * 24 * time.Hour // over which they were created
	expires := time.Now().Add(30 * 24 * time.Hour)
	err = storing{
		shop: g.shop, named: "stored", intents: size, groups: true,
		created: func(n int) time.Time {
			return began.Add(-time.Duration(float64(span) * float64(size-n) / float64(size)))
		},
		expires: func(int) time.Time { return expires },
		progress: func(done int) {
			if done%(25*storeBatch) == 0 {
				fmt.Fprintf(os.Stderr, "  %d of %d intents in %s\n", done, size, time.Since(began).Round(time.Second))
			}
		},
	}.store(ctx, g.pool)
	if err != nil {
		return g, err
	}
	fmt.Fprintf(os.Stderr, "  %d intents stored in %s\n", size, time.Since(began).Round(time.Second))
	if err := s.hash(ctx, g.name, int64(size)); err != nil {
		return g, err
	}
	if err := settle(ctx, g.pool, grownTables...); err != nil {
		return g, err
	}
	if _, err := g.pool.Exec(ctx, `CHECKPOINT`); err != nil {
		return g, fmt.Errorf("write what was stored: %w", err)
	}
	var bytes int64
	if err := g.pool.QueryRow(ctx, `SELECT pg_database_size(current_database())`).Scan(&bytes); err != nil {
		return g, fmt.Errorf("weigh database: %w", err)
	}
	fmt.Fprintf(os.Stderr, "  %s is ready after %s, with %s MB\n", g.name, time.Since(began).Round(time.Second),
		figures.Grouped(float64(bytes)/1e6))
	return g, nil
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
	if _, err := pool.Exec(ctx, extension); err != nil {
		return fmt.Errorf("read into memory: %w", err)
	}
	if _, err := pool.Exec(ctx, rows); err != nil {
		return fmt.Errorf("read into memory: %w", err)
	}
	if _, err := pool.Exec(ctx, indexes, tables); err != nil {
		return fmt.Errorf("read into memory: %w", err)
	}
	return nil
}

// moveTo switches a server and the clients to another database.
func (s *stage) moveTo(ctx context.Context, g grown) error {
	s.site = g.site
	var err error
	if s.known, err = listIntents(ctx, g.pool, g.shop, s.stored); err != nil {
		return err
	}
	return s.startServer(ctx)
}

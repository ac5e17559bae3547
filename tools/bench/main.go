// Command bench measures the service and, in the same run, its references: pgbench
// directly on the same PostgreSQL, a bare net/http handler that sends the same bytes, and
// the disk. Machines differ and are noisy; compare the ratios, not the absolute figures.
//
//	bench [-quick] [-json FILE] [-doc docs/performance.md] [-strict]
//	bench -growth [-sizes 10000,1000000,10000000] ...
//	bench -scaling [-sizes 300000,30000000]
//	bench -render docs/performance.md
//
// PostgreSQL, the server (a separate process) and the clients all run on this machine and
// share its cores. The table goes to standard output, progress to standard error. With
// -doc the figures are kept in performance.json next to the page, and the page shows them.
//
// Exit status: 0 measured, even if a mark was missed; 1 a measurement failed, or with
// -strict a mark was missed; 2 misuse.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"daftar/tools/bench/figures"
)

type options struct {
	daftar  string
	clients int
	rounds  int
	time    time.Duration
	stored  int
	backlog int
	intents int
	only    string
	profile string
	growth  bool
	scaling bool
	models  string
	sizes   sizes
	json    string
	doc     string
	render  string
	strict  bool
	quick   bool
	query   string
	rate    float64 // requests a second; 0: as fast as they are answered
}

// sizes are how many intents are stored when growth is measured.
type sizes []int

func (s *sizes) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(*s)), " ", ","), "[]")
}

// Set reads numbers with commas between them, each greater than the one before.
func (s *sizes) Set(text string) error {
	*s = nil
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || len(*s) > 0 && n <= (*s)[len(*s)-1] {
			return errors.New("numbers that grow, with commas between them")
		}
		*s = append(*s, n)
	}
	return nil
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == bareArgument {
		fmt.Fprintln(os.Stderr, "bench:", serveBare())
		os.Exit(1)
	}
	o := parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	missed, err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if len(missed) > 0 && o.strict {
		fmt.Fprintln(os.Stderr, "bench: marks were missed:", strings.Join(missed, "; "))
		os.Exit(1)
	}
}

func parse() options {
	o := options{sizes: sizes{10_000, 1_000_000, 10_000_000}}
	flag.StringVar(&o.daftar, "daftar", "bin/daftar", "the program to measure")
	flag.IntVar(&o.clients, "clients", 64, "concurrent clients")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds; the table shows medians")
	flag.DurationVar(&o.time, "time", 4*time.Second,
		"length of each measurement; pgbench measures whole seconds")
	flag.IntVar(&o.stored, "stored", 100_000, "intents that are stored before reads are measured")
	flag.IntVar(&o.backlog, "backlog", 1_000_000,
		"events that a consumer group works off, a rebuild replays and an audit verifies")
	flag.IntVar(&o.intents, "intents", 1_000_000, "intents of the organisation whose dashboard is opened")
	flag.StringVar(&o.only, "only", "",
		"measure only what has this in its name, such as page (empty: everything)")
	flag.StringVar(&o.profile, "profile", "",
		"folder for a CPU profile of the server per measurement (none: no profiles)")
	flag.BoolVar(&o.growth, "growth", false,
		"measure how figures change with stored intents, instead of the table")
	flag.BoolVar(&o.scaling, "scaling", false,
		"measure logs of some sizes as years leave them: "+
			"everything that goes over a whole log, sizes on disk, requests")
	flag.StringVar(&o.models, "models", "intents,payments,turnover",
		"read models that -scaling makes and verifies")
	flag.Var(&o.sizes, "sizes",
		"intents that are stored when growth is measured; 10000000 need 25 GB of disk for a while; "+
			"with -scaling events, of which 30000000 need 45 GB")
	flag.StringVar(&o.json, "json", "",
		"file for all figures; parts that were not measured stay as they are in it")
	flag.StringVar(&o.doc, "doc", "", "page to write the figures into, such as docs/performance.md")
	flag.StringVar(&o.render, "render", "",
		"write this page from the figures kept next to it, and measure nothing")
	flag.StringVar(&o.query, "query", "prepared",
		"how pgbench sends its statements: "+
			"simple (parsed and planned each time), extended or prepared (as the service does)")
	flag.BoolVar(&o.strict, "strict", false, "exit 1 where a mark was missed")
	flag.BoolVar(&o.quick, "quick", false,
		"a look in two to three minutes: one short round with little stored, unless told otherwise")
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if o.scaling && !given["sizes"] {
		o.sizes = sizes{300_000, 30_000_000}
	}
	if o.quick {
		o.beQuick(given)
	}
	if flag.NArg() > 0 || o.clients < 1 || o.rounds < 1 || o.stored < 1 || o.backlog < 1 ||
		o.intents < 1 || o.time <= 0 {
		fmt.Fprintln(os.Stderr, "bench: there are flags only, and all their numbers are at least 1")
		os.Exit(2)
	}
	if !slices.Contains([]string{"simple", "extended", "prepared"}, o.query) {
		fmt.Fprintln(os.Stderr, "bench: -query is simple, extended or prepared")
		os.Exit(2)
	}
	if o.only != "" && (o.doc != "" || o.growth) {
		fmt.Fprintln(os.Stderr, "bench: "+
			"-only measures a part of the table, -doc is for the whole, and -growth has no parts")
		os.Exit(2)
	}
	return o
}

func (o *options) beQuick(given map[string]bool) {
	for _, quick := range []struct {
		name  string
		apply func()
	}{
		{"rounds", func() { o.rounds = 1 }},
		{"time", func() { o.time = time.Second }},
		{"stored", func() { o.stored = 5000 }},
		{"backlog", func() { o.backlog = 100_000 }},
		{"intents", func() { o.intents = 20_000 }},
		{"sizes", func() { o.sizes = sizes{5000, 50_000} }},
	} {
		if !given[quick.name] {
			quick.apply()
		}
	}
}

// run measures what the options ask for and returns the figures that missed their marks.
func run(ctx context.Context, o options) (missed []string, err error) {
	if o.render != "" {
		return nil, figures.WritePage(o.render)
	}
	where, err := describe(ctx, o)
	if err != nil {
		return nil, err
	}
	s, err := prepare(ctx, o)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if o.scaling {
		found, err := s.scale(ctx)
		if err != nil {
			return nil, err
		}
		found.print(os.Stdout)
		return nil, nil
	}
	var file figures.File
	if o.growth {
		all, err := s.grow(ctx)
		if err != nil {
			return nil, err
		}
		file.Growth = &figures.Growth{Run: where, Series: all}
		for _, one := range all {
			one.Print(os.Stdout)
		}
	} else {
		all, err := s.table(ctx)
		if err != nil {
			return nil, err
		}
		file.Table = &figures.Table{Run: where, Figures: all, Relations: s.relations}
		if s.weight != "" {
			file.Table.Notes = append(file.Table.Notes, s.weight)
		}
		file.Table.Print(os.Stdout)
	}
	if o.json != "" {
		if err := file.Keep(o.json); err != nil {
			return nil, err
		}
	}
	if o.doc != "" {
		if err := file.Keep(figures.FileOf(o.doc)); err != nil {
			return nil, err
		}
		if err := figures.WritePage(o.doc); err != nil {
			return nil, err
		}
	}
	return file.Missed(), nil
}

// table measures each figure and its reference in turn, so that other load of the machine
// affects both.
func (s *stage) table(ctx context.Context) ([]figures.Figure, error) {
	rounds := figures.Rounds{}
	all := s.measurements()
	if len(all) == 0 {
		return nil, fmt.Errorf("nothing has %q in its name", s.only)
	}
	for round := range s.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, s.rounds)
		for _, m := range all {
			if m.rounds > 0 && round >= m.rounds {
				continue
			}
			r, err := s.measure(ctx, m, round+1)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.Name, err)
			}
			rounds.Add(m.Name, r)
			fmt.Fprintf(os.Stderr, "  %-56s %12s\n", m.Name, figures.Rounds{m.Name: {r}}.Figure(m.Spec).Amount())
		}
	}
	found := make([]figures.Figure, 0, len(all))
	for m := range slices.Values(all) {
		found = append(found, rounds.Figure(m.Spec))
	}
	return found, nil
}

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
	growth  bool
	scaling bool
	models  string
	sizes   []int
	json    string
	doc     string
	render  string
	strict  bool
	quick   bool
	query   string
	rate    float64 // operations a second; 0: as fast as they are done
}

// children are what this program does as its own child, by its only argument.
var children = map[string]func() error{bareArgument: serveBare, returnArgument: returnBytes}

func main() {
	if len(os.Args) == 2 && children[os.Args[1]] != nil {
		if err := children[os.Args[1]](); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	o, err := parse()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
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

// parse reads the flags. The error is misuse.
func parse() (o options, err error) {
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
	flag.BoolVar(&o.growth, "growth", false,
		"measure how figures change with stored intents, instead of the table")
	flag.BoolVar(&o.scaling, "scaling", false,
		"measure logs of some sizes as years leave them: "+
			"everything that goes over a whole log, sizes on disk, requests")
	flag.StringVar(&o.models, "models", "intents,payments,turnover",
		"read models that -scaling makes and verifies")
	sizes := flag.String("sizes", "10000,1000000,10000000",
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
	unless := map[string]string{}
	if o.scaling {
		unless["sizes"] = "300000,30000000"
	}
	if o.quick {
		for _, option := range []string{
			"rounds=1", "time=1s", "stored=5000", "backlog=100000", "intents=20000", "sizes=5000,50000",
		} {
			name, value, _ := strings.Cut(option, "=")
			unless[name] = value
		}
	}
	flag.Visit(func(f *flag.Flag) { delete(unless, f.Name) })
	for name, value := range unless {
		_ = flag.Set(name, value) // these are valid
	}
	if o.sizes, err = parseSizes(*sizes); err != nil {
		return o, fmt.Errorf("-sizes: %w", err)
	}
	switch {
	case flag.NArg() > 0 || min(o.clients, o.rounds, o.stored, o.backlog, o.intents, int(o.time)) < 1:
		return o, errors.New("there are flags only, and all their numbers are at least 1")
	case !slices.Contains([]string{"simple", "extended", "prepared"}, o.query):
		return o, errors.New("-query is simple, extended or prepared")
	case len((&stage{options: o}).measurements()) == 0:
		return o, fmt.Errorf("nothing has %q in its name", o.only)
	case o.only != "" && (o.doc != "" || o.growth):
		return o, errors.New(
			"-only measures a part of the table, -doc is for the whole, and -growth has no parts")
	}
	return o, nil
}

// parseSizes reads numbers with commas between them, each greater than the one before.
func parseSizes(text string) (sizes []int, err error) {
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || len(sizes) > 0 && n <= sizes[len(sizes)-1] {
			return nil, errors.New("numbers that grow, with commas between them")
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
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
	var file figures.File
	switch {
	case o.scaling:
		return nil, s.scale(ctx, os.Stdout)
	case o.growth:
		file.Growth = &figures.Growth{Run: where}
		if file.Growth.Machine, err = s.machineAlone(ctx); err != nil {
			return nil, err
		}
		file.Growth.Series, err = s.grow(ctx)
	default:
		file.Table = &figures.Table{Run: where}
		file.Table.Figures, err = s.inRounds(ctx, s.measurements())
		file.Table.Relations = s.relations
		if s.weight != "" {
			file.Table.Notes = []string{s.weight}
		}
	}
	if err != nil {
		return nil, err
	}
	file.Print(os.Stdout)
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

// inRounds measures each figure and its reference in turn, so that other load of the machine
// affects both.
func (s *stage) inRounds(ctx context.Context, all []measurement) ([]figures.Figure, error) {
	rounds := figures.Rounds{}
	for round := range s.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, s.rounds)
		for _, m := range all {
			if m.rounds > 0 && round >= m.rounds {
				continue
			}
			r, err := s.measure(ctx, m)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.Name, err)
			}
			rounds.Add(m.Name, r)
			fmt.Fprintf(os.Stderr, "  %-56s %12s\n", m.Name, figures.Rounds{m.Name: {r}}.Figure(m.Spec).Amount())
		}
	}
	found := make([]figures.Figure, len(all))
	for n, m := range all {
		found[n] = rounds.Figure(m.Spec)
	}
	return found, nil
}

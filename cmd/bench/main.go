// Command bench measures the service beside a reference in the same run: what
// pgbench reaches on the same PostgreSQL, with nothing in between. Machines
// differ and are noisy; the ratios are what counts.
//
// Everything runs on this machine and shares its cores: PostgreSQL, the server
// as a process of its own, and the clients.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.daftar, "daftar", "bin/daftar", "the program to measure")
	flag.IntVar(&o.clients, "clients", 64, "concurrent clients")
	flag.IntVar(&o.rounds, "rounds", 3, "rounds; the table shows medians")
	flag.DurationVar(&o.time, "time", 8*time.Second, "length of each measurement")
	flag.IntVar(&o.stored, "stored", 100_000, "intents that are stored before reads are measured")
	flag.IntVar(&o.backlog, "backlog", 1_000_000, "events that a consumer group works off")
	flag.IntVar(&o.intents, "intents", 1_000_000, "intents of the organisation whose dashboard is opened")
	flag.StringVar(&o.only, "only", "", "measure only what has this in its name, such as page (empty: everything)")
	flag.StringVar(&o.profile, "profile", "", "folder for a CPU profile of the server per measurement (none: no profiles)")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

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
}

// run measures each figure and its reference in turn, so that whatever else the
// machine does meets both.
func run(ctx context.Context, o options) error {
	b, err := prepare(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	t := table{}
	for round := range o.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, o.rounds)
		for _, m := range b.measurements() {
			if err := b.quiet(ctx); err != nil {
				return err
			}
			wait := b.startProfile(ctx, fmt.Sprintf("%s %d", m.name, round+1))
			r, err := m.run(ctx)
			wait()
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			fmt.Fprintf(os.Stderr, "  %-34s %8.0f/s\n", m.name, r.perSecond)
			t.add(m.name, r)
		}
	}
	t.print(os.Stdout, b.measurements())
	if b.weight != "" {
		fmt.Println(b.weight)
	}
	return nil
}

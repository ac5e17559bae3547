// Command torture runs the fault suite: it breaks everything around the service for a while
// and checks whether a promise was broken. docs/reliability.md explains what that proves.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"daftar/tools/torture"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// options are those of the command line.
type options struct {
	torture.Config
	minutes float64
	report  string
}

// errMisuse is returned for an invalid command line, after printing why.
var errMisuse = errors.New("misuse")

func parse(arguments []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("torture", flag.ContinueOnError)
	flags.Uint64Var(&o.Seed, "seed", 0, "repeat the schedule of a run (0: a new one)")
	flags.Float64Var(&o.minutes, "minutes", 30, "how long there are faults")
	flags.IntVar(&o.Promotions, "promotions", 0,
		"how often a standby takes the primary's place (0: one PostgreSQL, which is killed and started again)")
	flags.Int64Var(&o.Creates, "creates", 0, "go on until so many creates were acknowledged")
	flags.StringVar(&o.Daftar, "daftar", "",
		"the program to torture, with daftar-dev in the same folder (empty: built here, with crash points)")
	flags.BoolVar(&o.CrashPoints, "crash-points", false,
		"the program named by -daftar was built with -tags failpoints")
	flags.StringVar(&o.report, "report", "", "write the report as a Markdown section into this file")
	flags.BoolVar(&o.Keep, "keep", false, "keep the logs and the database of a run that passed")
	flags.BoolVar(&o.Verbose, "v", false, "print every fault")
	flags.Float64Var(&o.Rate, "rate", 0, "creates a second when all is well (0: 90)")
	if err := flags.Parse(arguments); err != nil {
		return o, errMisuse
	}
	o.Length = time.Duration(o.minutes * float64(time.Minute))
	switch {
	case flags.NArg() > 0:
		fmt.Fprintf(os.Stderr, "torture: %q is not expected\n", flags.Arg(0))
		return o, errMisuse
	case o.Length < torture.Shortest:
		fmt.Fprintf(os.Stderr, "torture: -minutes %g: %v\n", o.minutes, torture.ErrTooShort)
		return o, errMisuse
	case o.Rate < 0 || o.Promotions < 0 || o.Creates < 0:
		fmt.Fprintln(os.Stderr, "torture: -rate, -promotions or -creates is negative")
		return o, errMisuse
	}
	if o.Seed == 0 {
		o.Seed = uint64(time.Now().UnixNano())
	}
	o.Marks, o.Progress = true, os.Stderr
	return o, nil
}

func run(ctx context.Context, arguments []string) int {
	o, err := parse(arguments)
	if err != nil {
		return 2
	}
	if o.Daftar == "" {
		dir, err := os.MkdirTemp("", "daftar-torture-program-")
		if err != nil {
			fmt.Fprintln(os.Stderr, "torture:", err)
			return 1
		}
		defer func() { _ = os.RemoveAll(dir) }()
		fmt.Fprintln(os.Stderr, "building daftar with crash points")
		if o.Daftar, err = torture.Build(ctx, ".", dir); err != nil {
			fmt.Fprintln(os.Stderr, "torture:", err)
			return 1
		}
		o.CrashPoints = true
	}
	if o.Daftar, err = filepath.Abs(o.Daftar); err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		return 1
	}
	report, err := torture.Run(ctx, o.Config)
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		return 1
	}
	report.Print(os.Stdout)
	if o.report != "" {
		text := []byte(report.Markdown())
		if err := os.WriteFile(o.report, text, 0o644); err != nil { //nolint:gosec // reports are public
			fmt.Fprintln(os.Stderr, "torture: write the report:", err)
			return 1
		}
	}
	if !report.OK {
		return 1
	}
	return 0
}

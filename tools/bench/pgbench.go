package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"daftar/tools/bench/figures"
)

// pgbench counts the time in which its clients connect. On a busy machine that may be all
// of its time. Then it runs again for twice as long, pgbenchTries times at most.
const pgbenchTries = 5

// readsLogged is the share of its reads whose times pgbench logs: logging tens of
// thousands a second would slow it.
const readsLogged = 0.1

// script is run as often as its weight says, relative to those of others.
type script struct {
	sql    string
	weight int
}

func (s *stage) referenceCreates(ctx context.Context) (figures.Result, error) {
	return s.pgbench(ctx, 1, script{createScript, 1})
}

func (s *stage) referenceReads(ctx context.Context) (figures.Result, error) {
	return s.pgbench(ctx, readsLogged, script{readScript, 1})
}

func (s *stage) referenceMixed(ctx context.Context) (figures.Result, error) {
	return s.pgbench(ctx, readsLogged, script{createScript, 1}, script{readScript, readsPerCreate})
}

// pgbench runs scripts on the site's database with the clients, time and rate of the
// service's measurements. The clients connect and warm up first; logged is the share of
// transactions whose latencies are logged.
func (s *stage) pgbench(ctx context.Context, logged float64, scripts ...script) (figures.Result, error) {
	dir, err := os.MkdirTemp(s.dir, "pgbench")
	if err != nil {
		return figures.Result{}, fmt.Errorf("make directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	arguments := []string{
		"-n",
		"-M", s.query,
		"-c", strconv.Itoa(s.clients),
		"-j", strconv.Itoa(min(2, s.clients)),
		"-D", "stored=" + strconv.Itoa(s.stored),
		"-P", "1",
		"-l",
		"--log-prefix", filepath.Join(dir, "log"),
		"--sampling-rate", strconv.FormatFloat(logged, 'f', -1, 64),
	}
	if s.rate > 0 {
		arguments = append(arguments, "-R", strconv.FormatFloat(s.rate, 'f', 1, 64))
	}
	for n, one := range scripts {
		file := filepath.Join(dir, fmt.Sprintf("script%d.sql", n))
		if err := os.WriteFile(file, []byte(one.sql), 0o600); err != nil {
			return figures.Result{}, fmt.Errorf("write script: %w", err)
		}
		arguments = append(arguments, "-f", fmt.Sprintf("%s@%d", file, one.weight))
	}
	wanted := max(1, int(s.time/time.Second))
	for try := range pgbenchTries {
		// A second to warm up in, and one that ends while the clients do.
		length := (wanted + 2) << try
		c := exec.CommandContext(ctx, filepath.Join(s.bin, "pgbench"), //nolint:gosec // PostgreSQL's own
			slices.Concat(arguments, []string{"-T", strconv.Itoa(length), s.cluster.URL(s.name, "postgres")})...)
		r, enough, err := s.watchPgbench(ctx, c, wanted, filepath.Join(dir, "log"))
		if enough || err != nil {
			return r, err
		}
	}
	return figures.Result{}, errors.New("pgbench took all of its time to connect")
}

// watchPgbench measures the wanted number of seconds that follow pgbench's first report. It was
// not enough where pgbench ended before it had reported for that time.
func (s *stage) watchPgbench(
	ctx context.Context, c *exec.Cmd, wanted int, logs string,
) (r figures.Result, enough bool, err error) {
	reports, err := c.StderrPipe()
	if err != nil {
		return r, false, fmt.Errorf("run pgbench: %w", err)
	}
	if err := c.Start(); err != nil {
		return r, false, fmt.Errorf("run pgbench: %w", err)
	}
	var w pgbenchWindow
	other, err := w.read(reports, wanted, func(opens bool) {
		used, _, _ := processorTime(c.Process.Pid) // without it, the column of the client's time stays empty
		if opens {
			r.Cost.Client = -used
			s.openWindow(ctx)
			return
		}
		r.Cost.Client += used
		s.closeWindow(ctx)
	})
	if err := errors.Join(err, c.Wait()); err != nil {
		return r, false, fmt.Errorf("run pgbench: %w: %s", err, other)
	}
	if w.reports <= wanted {
		return figures.Result{}, false, nil
	}
	r.Operations = int(w.transactions)
	r.Value = w.transactions / w.seconds
	r.Latencies, err = readPgbenchLogs(logs, w.from, w.until)
	return r, true, err
}

// progressed matches the report that pgbench prints each second.
var progressed = regexp.MustCompile(`^progress: ([0-9.]+) s, ([0-9.]+) tps`)

// pgbenchWindow is the time between two of pgbench's reports.
type pgbenchWindow struct {
	reports      int
	from, until  time.Time
	seconds      float64 // by pgbench's own clock
	transactions float64
}

// read reads pgbench's output until pgbench ends, and returns the lines that are not
// reports. It calls mark at the first report and at the last that is wanted.
func (w *pgbenchWindow) read(
	output io.Reader, wanted int, mark func(opens bool),
) (other string, err error) {
	var before float64
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		found := progressed.FindStringSubmatch(lines.Text())
		if found == nil {
			other += lines.Text() + "\n"
			continue
		}
		at, wrongTime := strconv.ParseFloat(found[1], 64)
		rate, wrongRate := strconv.ParseFloat(found[2], 64)
		if err := errors.Join(wrongTime, wrongRate); err != nil {
			return other, fmt.Errorf("read report: %w", err)
		}
		w.reports++
		switch {
		case w.reports == 1:
			w.from = time.Now()
			mark(true)
		case w.reports <= wanted+1:
			w.transactions += rate * (at - before)
			w.seconds += at - before
		}
		if w.reports == wanted+1 {
			w.until = time.Now()
			mark(false)
		}
		before = at
	}
	return other, lines.Err()
}

// readPgbenchLogs returns how long each transaction took that ended between two moments.
// The third field of a line is that time in microseconds; the fifth and sixth are when it
// ended, in seconds and microseconds.
func readPgbenchLogs(prefix string, from, until time.Time) ([]time.Duration, error) {
	files, err := filepath.Glob(prefix + ".*")
	if err != nil {
		return nil, fmt.Errorf("find pgbench's logs: %w", err)
	}
	var all []time.Duration
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read pgbench's log: %w", err)
		}
		for line := range strings.Lines(string(text)) {
			var client, transaction, script int
			var took, seconds, microseconds int64
			if _, err := fmt.Sscan(line, &client, &transaction, &took, &script, &seconds, &microseconds); err != nil {
				return nil, fmt.Errorf("pgbench logged %q: %w", line, err)
			}
			if at := time.Unix(seconds, microseconds*1000); at.After(from) && at.Before(until) {
				all = append(all, time.Duration(took)*time.Microsecond)
			}
		}
	}
	slices.Sort(all)
	return all, nil
}

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

func (s *stage) referenceCreates(ctx context.Context) (figures.Result, error) {
	return s.pgbench(ctx, 1, createScript)
}

func (s *stage) referenceReads(ctx context.Context) (figures.Result, error) {
	return s.pgbench(ctx, readsLogged, readScript)
}

func (s *stage) referenceMixed(ctx context.Context) (figures.Result, error) {
	return s.pgbench(ctx, readsLogged, createScript+"@1", fmt.Sprintf("%s@%d", readScript, readsPerCreate))
}

// pgbench runs scripts on the site's database with the clients, time and rate of the
// service's measurements. Where there are several scripts, each ends with its weight: @1.
// The clients connect and warm up first; logged is the share of transactions whose
// latencies are logged.
func (s *stage) pgbench(ctx context.Context, logged float64, scripts ...string) (figures.Result, error) {
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
	for n, script := range scripts {
		file := filepath.Join(dir, fmt.Sprintf("script%d.sql", n))
		text, weight, _ := strings.Cut(script, "@")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return figures.Result{}, fmt.Errorf("write script: %w", err)
		}
		if weight != "" {
			file += "@" + weight
		}
		arguments = append(arguments, "-f", file)
	}
	wanted := max(1, int(s.time/time.Second))
	for try := range pgbenchTries {
		// A second to warm up in, and one that ends while the clients do.
		length := (wanted + 2) << try
		c := exec.CommandContext(ctx, filepath.Join(s.bin, "pgbench"), //nolint:gosec // PostgreSQL's own
			slices.Concat(arguments, []string{"-T", strconv.Itoa(length), s.cluster.URL(s.name, "postgres")})...)
		r, err := s.watchPgbench(ctx, c, wanted, filepath.Join(dir, "log"))
		if !errors.Is(err, errTooShort) {
			return r, err
		}
	}
	return figures.Result{}, errTooShort
}

// errTooShort reports that pgbench ended before it had reported for the time wanted.
var errTooShort = errors.New("pgbench took all of its time to connect")

// progressed matches the report that pgbench prints each second.
var progressed = regexp.MustCompile(`^progress: ([0-9.]+) s, ([0-9.]+) tps`)

// watchPgbench measures the wanted number of seconds that follow pgbench's first report.
func (s *stage) watchPgbench(
	ctx context.Context, c *exec.Cmd, wanted int, logs string,
) (figures.Result, error) {
	reports, err := c.StderrPipe()
	if err != nil {
		return figures.Result{}, fmt.Errorf("run pgbench: %w", err)
	}
	if err := c.Start(); err != nil {
		return figures.Result{}, fmt.Errorf("run pgbench: %w", err)
	}
	var r figures.Result
	var w pgbenchWindow
	other, err := w.read(reports, wanted, func(opens bool) {
		times, failure := readTimes(c.Process.Pid)
		switch {
		case failure != nil:
			// The column of the client's time stays empty.
		case opens:
			r.Cost.Client = -times.own
		default:
			r.Cost.Client += times.own
		}
		if opens {
			s.openWindow(ctx)
		} else {
			s.closeWindow(ctx)
		}
	})
	if err := errors.Join(err, c.Wait()); err != nil {
		return figures.Result{}, fmt.Errorf("run pgbench: %w: %s", err, other)
	}
	if w.reports <= wanted {
		return figures.Result{}, errTooShort
	}
	r.Operations = int(w.transactions)
	r.Value = w.transactions / w.seconds
	r.Latencies, err = readPgbenchLogs(logs, w.from, w.until)
	return r, err
}

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

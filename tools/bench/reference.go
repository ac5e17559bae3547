package main

import (
	"context"
	"errors"
	"fmt"
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

// The reference tables have the shape, the indexes and about the row sizes of
// the ledger's, without its triggers.
const referenceTables = `
CREATE TABLE bench_events (LIKE events INCLUDING ALL);
CREATE TABLE bench_intents (LIKE intents INCLUDING ALL);
ALTER TABLE bench_intents SET (fillfactor = 85);
CREATE SEQUENCE bench_position;
CREATE TABLE bench_read (LIKE intents INCLUDING ALL)`

const fillReference = `
INSERT INTO bench_read
SELECT md5(n::text)::uuid, gen_random_uuid(), 1, '7k3qx0m2td', 'order-' || n, 5000, 'LYD', 'requires_payment_method',
       'Order 1042: coffee machine', '{"external_id":"customer-1"}', 'https://shop.example/orders/1', '{"cart":"1"}',
       now(), '/pay/00000000-0000-0000-0000-000000000000/00000000000000000000000000', now(), now()
FROM generate_series(1, $1::int) n`

// createScript is the least that one intent costs when each has a transaction
// of its own: one event, one row of the read model, one commit.
const createScript = `\set n random(1, 1000000000)
BEGIN;
INSERT INTO bench_events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
VALUES (nextval('bench_position'), gen_random_uuid(), 1, 'intent.created', 1,
 '{"at":"2026-11-20T20:38:15.123456Z","application":"0a000000-0000-0000-0000-000000000000","merchant_reference":"order-1000000","reference":"7k3qx0m2td","checkout_token":"00000000000000000000000000","amount":5000,"currency":"LYD","description":"Order 1042: coffee machine","customer_external_id":"customer-1000","return_url":"https://shop.example/orders/1000","metadata":{"cart":"1000"},"expires_at":"2026-11-20T21:38:15.123456Z"}',
 '{"actor":"application:0a000000-0000-0000-0000-000000000000","request_id":"0a000000-0000-0000-0000-000000000000","correlation_id":"0a000000-0000-0000-0000-000000000000"}', clock_timestamp());
INSERT INTO bench_intents (uuid, application_uuid, version, reference, merchant_reference, amount, currency, status,
 description, customer, return_url, metadata, expires_at, checkout_url, created_at, updated_at)
VALUES (gen_random_uuid(), '0a000000-0000-0000-0000-000000000000', 1, '7k3qx0m2td', 'order-' || :n, 5000, 'LYD', 'requires_payment_method',
 'Order 1042: coffee machine', '{"external_id":"customer-1000"}', 'https://shop.example/orders/1000', '{"cart":"1000"}',
 clock_timestamp(), '/pay/00000000-0000-0000-0000-000000000000/00000000000000000000000000', clock_timestamp(), clock_timestamp());
COMMIT;
`

const readScript = `\set n random(1, :stored)
SELECT uuid, application_uuid, version, reference, merchant_reference, amount, currency, status, description, customer,
 return_url, metadata, expires_at, checkout_url, created_at, updated_at
FROM bench_read WHERE uuid = md5(:n::text)::uuid;
`

var (
	tps       = regexp.MustCompile(`(?m)^tps = ([0-9.]+)`)
	processed = regexp.MustCompile(`(?m)^number of transactions actually processed: ([0-9]+)`)
)

// Connecting its clients is a part of pgbench's time, though not of its rate. On
// a busy machine that may be all of the time; then it is given more, so often.
const pgbenchTries = 5

// runPgbench runs scripts with as many clients and for as long as the service is
// measured. Where there are several, each ends with its weight: @1.
func (s *stage) runPgbench(ctx context.Context, scripts ...string) (figures.Result, error) {
	return s.pgbench(ctx, nil, scripts...)
}

func (s *stage) pgbench(ctx context.Context, options []string, scripts ...string) (figures.Result, error) {
	arguments := slices.Concat([]string{
		"-n", "-M", "prepared", "-c", strconv.Itoa(s.clients), "-j", strconv.Itoa(min(2, s.clients)), "-D", "stored=" + strconv.Itoa(s.stored),
	}, options)
	for n, script := range scripts {
		file := filepath.Join(s.dir, fmt.Sprintf("script%d.sql", n))
		text, weight, _ := strings.Cut(script, "@")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return figures.Result{}, fmt.Errorf("write script: %w", err)
		}
		if weight != "" {
			file += "@" + weight
		}
		arguments = append(arguments, "-f", file)
	}
	seconds := max(1, int(s.time/time.Second))
	for try := 1; ; try++ {
		c := exec.CommandContext(ctx, filepath.Join(s.bin, "pgbench"), //nolint:gosec // PostgreSQL's own
			slices.Concat(arguments, []string{"-T", strconv.Itoa(seconds), s.cluster.URL(database, "postgres")})...)
		found, err := outputOf(c, processed, tps)
		if err == nil {
			return figures.Result{Value: found[1], Operations: int(found[0]), Cost: figures.Cost{Client: processCost(c.ProcessState)}}, nil
		}
		if len(found) == 0 || found[0] > 0 || try == pgbenchTries {
			return figures.Result{}, err
		}
		seconds *= 2
	}
}

// pgbenchWrites measures the fastest rate, which pgbenchHalf needs.
func (s *stage) pgbenchWrites(ctx context.Context) (figures.Result, error) {
	r, err := s.runPgbench(ctx, createScript)
	s.fastestPgbench = r.Value
	return r, err
}

// pgbenchHalf tells what waiting this machine brings with it: the same as half, by
// pgbench, which too measures from the moment at which a transaction was due.
func (s *stage) pgbenchHalf(ctx context.Context) (figures.Result, error) {
	dir, err := os.MkdirTemp(s.dir, "pgbench")
	if err != nil {
		return figures.Result{}, fmt.Errorf("make directory: %w", err)
	}
	r, err := s.pgbench(ctx, []string{"-R", strconv.Itoa(max(1, int(s.fastestPgbench/2))), "-l", "--log-prefix", filepath.Join(dir, "log")}, createScript)
	if err != nil {
		return r, err
	}
	r.Latencies, err = readPgbenchLogs(dir)
	return r, errors.Join(err, os.RemoveAll(dir))
}

// readPgbenchLogs finds how long each transaction took: the third field of a line,
// in microseconds.
func readPgbenchLogs(dir string) ([]time.Duration, error) {
	files, err := filepath.Glob(filepath.Join(dir, "log.*"))
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
			fields := strings.Fields(line)
			if len(fields) < 3 {
				return nil, fmt.Errorf("pgbench logged %q", line)
			}
			took, err := strconv.ParseInt(fields[2], 10, 64)
			if err != nil {
				return nil, fmt.Errorf("pgbench logged %q: %w", line, err)
			}
			all = append(all, time.Duration(took)*time.Microsecond)
		}
	}
	slices.Sort(all)
	return all, nil
}

var fdatasync = regexp.MustCompile(`(?m)^ *fdatasync +([0-9.]+) ops/sec`)

// fsync asks PostgreSQL's own program how often a second the disk under the
// database can be made to keep 8 kB: what a commit waits for.
func (s *stage) fsync(ctx context.Context) (figures.Result, error) {
	file := filepath.Join(s.cluster.Dir(), "fsync.test")
	defer func() { _ = os.Remove(file) }()
	c := exec.CommandContext(ctx, filepath.Join(s.bin, "pg_test_fsync"), "-s", "1", "-f", file) //nolint:gosec // PostgreSQL's own
	found, err := outputOf(c, fdatasync)
	if err != nil {
		return figures.Result{}, err
	}
	return figures.Result{Value: found[0]}, nil
}

// outputOf runs a program and finds numbers in what it prints. With an error come
// those that were found before.
func outputOf(c *exec.Cmd, numbers ...*regexp.Regexp) ([]float64, error) {
	name := filepath.Base(c.Path)
	out, err := c.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("run %s: %w: %s", name, err, exit.Stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", name, err)
	}
	var found []float64
	for _, number := range numbers {
		match := number.FindSubmatch(out)
		if match == nil {
			return found, fmt.Errorf("%s did not print %s: %s", name, number, out)
		}
		value, err := strconv.ParseFloat(string(match[1]), 64)
		if err != nil {
			return found, fmt.Errorf("%s: %w", name, err)
		}
		found = append(found, value)
	}
	return found, nil
}

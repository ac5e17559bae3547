package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"

	"daftar/tools/bench/figures"
)

// The reference tables have the columns of the ledger's tables and the keys that the
// contract needs: unique positions, one event for each version of a stream, one intent
// for each merchant reference. They have no other indexes, no checks and no triggers.
//
//nolint:dupword // a column is named as its type
const referenceTables = `
CREATE TABLE reference_events (
    position bigint PRIMARY KEY,
    stream_id uuid NOT NULL,
    version integer NOT NULL,
    type text NOT NULL,
    schema_version integer NOT NULL,
    payload text NOT NULL,
    metadata text NOT NULL,
    recorded_at timestamptz NOT NULL,
    UNIQUE (stream_id, version)
);
CREATE TABLE reference_intents (
    uuid uuid PRIMARY KEY,
    application_uuid uuid NOT NULL,
    version integer NOT NULL,
    reference text NOT NULL,
    merchant_reference text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    status text NOT NULL,
    description text NOT NULL,
    customer json NOT NULL,
    return_url text,
    metadata json,
    expires_at timestamptz NOT NULL,
    checkout_url text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (application_uuid, merchant_reference)
);
CREATE TABLE reference_read (LIKE reference_intents INCLUDING ALL);
CREATE SEQUENCE reference_position`

const fillReference = `
INSERT INTO reference_read
SELECT md5(n::text)::uuid, gen_random_uuid(), 1, '7k3qx0m2td', 'order-' || n, 5000, 'LYD',
       'requires_payment_method', 'Order 1042: coffee machine', '{"external_id":"customer-1"}',
       'https://shop.example/orders/1', '{"cart":"1"}', now(),
       '/pay/00000000-0000-0000-0000-000000000000/00000000000000000000000000', now(), now()
FROM generate_series(1, $1::int) n`

// createScript is the least that one intent costs when each has its own transaction:
// one statement that writes an event and a row of the size of ours, and commits. A shop
// numbers its orders, so references ascend.
const createScript = `WITH event AS (
 INSERT INTO reference_events (position, stream_id, version, type, schema_version,
  payload, metadata, recorded_at)
 VALUES (nextval('reference_position'), gen_random_uuid(), 1, 'intent.created', 1,
  '` + payload + `',
  '` + metadata + `',
  clock_timestamp())
 RETURNING position, stream_id, recorded_at
)
INSERT INTO reference_intents (uuid, application_uuid, version, reference, merchant_reference,
 amount, currency, status, description, customer, return_url, metadata,
 expires_at, checkout_url, created_at, updated_at)
SELECT stream_id, '0a000000-0000-0000-0000-000000000000', 1, '7k3qx0m2td', 'order-' || position,
 5000, 'LYD', 'requires_payment_method', 'Order 1042: coffee machine', '{"external_id":"customer-1000"}',
 'https://shop.example/orders/1000', '{"cart":"1000"}', recorded_at,
 '/pay/00000000-0000-0000-0000-000000000000/00000000000000000000000000', recorded_at, recorded_at
FROM event;
`

const readScript = `\set n random(1, :stored)
SELECT uuid, application_uuid, version, reference, merchant_reference, amount, currency, status,
 description, customer, return_url, metadata, expires_at, checkout_url, created_at, updated_at
FROM reference_read
WHERE uuid = md5(:n::text)::uuid;
`

var fdatasync = regexp.MustCompile(`(?m)^ *fdatasync +([0-9.]+) ops/sec`)

// fsync runs pg_test_fsync on the database's disk and returns how many 8 kB writes a
// second it can flush: that is what a commit waits for.
func (s *stage) fsync(ctx context.Context) (figures.Result, error) {
	file := filepath.Join(s.cluster.Dir(), "fsync.test")
	defer func() { _ = os.Remove(file) }()
	program := filepath.Join(s.bin, "pg_test_fsync")
	c := exec.CommandContext(ctx, program, "-s", "1", "-f", file) //nolint:gosec // PostgreSQL's own
	found, err := outputOf(c, fdatasync)
	if err != nil {
		return figures.Result{}, err
	}
	return figures.Result{Value: found[0]}, nil
}

// outputOf runs a program and finds numbers in its output. With an error it returns the
// numbers found before it.
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

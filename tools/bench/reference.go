package main

import (
	"context"
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
const referenceTables = `
CREATE TABLE reference_events (LIKE events, PRIMARY KEY (position), UNIQUE (stream_id, version));
CREATE TABLE reference_intents (
    LIKE intents, PRIMARY KEY (uuid), UNIQUE (application_uuid, merchant_reference)
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
	out, err := c.Output()
	if err != nil {
		return figures.Result{}, fmt.Errorf("run pg_test_fsync: %w", err)
	}
	found := fdatasync.FindSubmatch(out)
	if found == nil {
		return figures.Result{}, fmt.Errorf("pg_test_fsync did not print %s: %s", fdatasync, out)
	}
	value, err := strconv.ParseFloat(string(found[1]), 64)
	return figures.Result{Value: value}, err
}

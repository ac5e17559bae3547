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
	"time"
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

var tps = regexp.MustCompile(`(?m)^tps = ([0-9.]+)`)

// runPgbench runs a script with as many clients and for as long as the service
// is measured.
func (s *stage) runPgbench(ctx context.Context, script string) (result, error) {
	file := filepath.Join(s.dir, "script.sql")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return result{}, fmt.Errorf("write script: %w", err)
	}
	c := exec.CommandContext(ctx, s.pgbench, "-n", "-M", "prepared", "-f", file, "-c", strconv.Itoa(s.clients), "-j", "2", //nolint:gosec // PostgreSQL's own
		"-T", strconv.Itoa(max(1, int(s.time/time.Second))), "-D", "stored="+strconv.Itoa(s.stored), s.cluster.URL(database, "postgres"))
	out, err := c.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return result{}, fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		return result{}, fmt.Errorf("run pgbench: %w", err)
	}
	found := tps.FindSubmatch(out)
	if found == nil {
		return result{}, fmt.Errorf("pgbench printed no tps: %s", out)
	}
	rate, err := strconv.ParseFloat(string(found[1]), 64)
	return result{perSecond: rate}, err
}

package projectionstest

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
)

// The payments of an application: most are paid, a tenth is open, one of 5,000 is being paid; every
// tenth is of one customer, the others of 9,000.
const (
	intentsSQL = `
INSERT INTO intents (uuid, application_uuid, version, reference, merchant_reference, amount, currency,
                     status, description, customer, return_url, metadata, expires_at, checkout_url,
                     created_at, updated_at)
SELECT gen_random_uuid(), $1, 2, left(md5(n::text), 10), 'order-' || n, 1000 + n % 9000, 'LYD',
       CASE WHEN n % 5000 = 0 THEN 'processing'
            WHEN n % 10 = 1 THEN 'requires_payment_method'
            WHEN n % 10 < 4 THEN 'canceled'
            ELSE 'succeeded' END,
       'Order 1042: coffee machine',
       json_build_object('external_id', 'customer-' || CASE WHEN n % 10 = 3 THEN 0 ELSE n % 9001 END),
       'https://shop.example/orders/1000', '{"cart":"1000"}', now() + interval '20 days', '/pay/x/y', at, at
FROM (SELECT n, now() - interval '30 days' + n * interval '2.5 seconds' AS at
      FROM generate_series(1, $2::int) n) s`
	paymentsSQL = `
INSERT INTO payments (intent_uuid, application_uuid, version, state, attempting, amount, currency, reference,
                      customer_key, created_at, late, duplicates)
SELECT uuid, application_uuid, version,
       CASE WHEN status IN ('succeeded', 'canceled') THEN status ELSE 'open' END,
       status = 'processing', amount, currency, reference,
       ('x' || left(encode(sha256(uuid_send(application_uuid)
           || convert_to(customer->>'external_id', 'UTF8')), 'hex'), 16))::bit(64)::int8,
       created_at, false, 0
FROM intents
ORDER BY created_at`
	attemptsSQL = `
INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, stage, stage_since, payer, created_at,
                               updated_at)
SELECT md5(uuid::text), uuid, 'sandbox', 'wallet',
       CASE WHEN status = 'processing' THEN 'code' ELSE 'closed' END,
       now(), '', now(), now()
FROM intents
WHERE merchant_reference LIKE '%000'
   OR status = 'processing'`
)

// Fill writes n payments of an application, one in each 2.5 seconds from 30 days ago on, before there
// are others in the database. The pool's role owns the tables.
func Fill(t testing.TB, owner *pgxpool.Pool, application domain.ApplicationID, n int) {
	t.Helper()
	for _, do := range []struct {
		sql  string
		args []any
	}{{intentsSQL, []any{application, n}}, {paymentsSQL, nil}, {attemptsSQL, nil}} {
		if _, err := owner.Exec(t.Context(), do.sql, do.args...); err != nil {
			t.Fatal(err)
		}
	}
}

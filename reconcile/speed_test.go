package reconcile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/reconcile"
)

// fillSQL stores $1 payments, a second from each other from $2 on, among as many intents
// that were never paid.
const fillSQL = `
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT row_number() OVER (ORDER BY n, paid, version), md5('intent' || n || paid)::uuid, version, type,
       1, payload, '{}', clock_timestamp()
FROM (
    SELECT n,
           to_char(($2::timestamptz + n * interval '1 second') AT TIME ZONE 'UTC',
                   'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS time,
           'a' || lpad(n::text, 25, '0') AS attempt
    FROM generate_series(1, $1::int) n
) i
CROSS JOIN (VALUES (true), (false)) AS p(paid)
CROSS JOIN LATERAL (VALUES
    (1, 'intent.created',
        format('{"at":"%s","application":"0a000000-0000-0000-0000-000000000000",` +
	`"merchant_reference":"order-%s","reference":"%s",' ||
        '"checkout_token":"00000000000000000000000000","amount":%s,"currency":"LYD",` +
	`"description":"Order 1042: coffee machine",' ||
        '"customer_external_id":null,"return_url":null,"metadata":null,"expires_at":"%s"}',
            time, n, left(attempt, 10), 1000 + n % 9000, time)),
    (2, 'intent.attempt_started',
        format('{"at":"%s","attempt":"%s","acquirer":"moamalat","method":"moamalat","payer":""}',
            time, attempt)),
    (3, 'intent.succeeded',
        format('{"at":"%s","attempt":"%s","amount":%s,"currency":"LYD","provider_reference":"P%s"}',
            time, attempt, 1000 + n % 9000, n))
) e(version, type, payload)
WHERE paid OR version = 1`

// manyLines compares a statement of so many lines, with some differences, and returns how long it
// took.
func manyLines(t *testing.T, count int) time.Duration {
	t.Helper()
	w, s := newWorld(t), styles["moamalat"]
	began := noon.Add(-12 * time.Hour)
	owner := w.db.OwnerPool(t)
	if _, err := owner.Exec(t.Context(), fillSQL, count, began); err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Exec(t.Context(), `VACUUM ANALYZE events`); err != nil {
		t.Fatal(err)
	}
	var lines, want []string
	found := func(k reconcile.Kind, id domain.AttemptID) {
		line := 0
		if k != reconcile.MissingInStatement {
			line = len(lines) + 1
		}
		want = append(want, fmt.Sprintf("%s %d %s", k, line, id))
	}
	for n := 1; n <= count; n++ {
		p := payment{
			attempt: domain.AttemptID(fmt.Sprintf("a%025d", n)), number: fmt.Sprintf("P%d", n),
			amount: 1000 + int64(n%9000),
			at:     began.Add(time.Duration(n) * time.Second),
		}
		switch n % 1000 {
		case 7:
			found(reconcile.MissingInStatement, p.attempt)
			continue
		case 107:
			lines = append(lines, s.line(newPayment("moamalat", p.at)))
			found(reconcile.MissingInLedger, "")
			found(reconcile.MissingInStatement, p.attempt)
			continue
		case 207:
			p.amount++
			lines = append(lines, s.line(p))
			found(reconcile.AmountDiffers, p.attempt)
			continue
		case 307:
			lines = append(lines, s.line(p), s.line(p))
			found(reconcile.TwiceInStatement, p.attempt)
			continue
		}
		lines = append(lines, s.line(p))
	}
	file := strings.NewReader(s.file(lines...))
	pool := pgtest.Open(t, w.db.ServiceURL(),
		postgres.Options{SetServiceRole: true, RuntimeParams: map[string]string{"jit": "off"}}) // as the program's
	start := time.Now()
	r, err := reconcile.Compare(t.Context(), pool, reconcile.Everything(), file,
		reconcile.Options{Profile: profile(t, "moamalat")})
	took := time.Since(start)
	if err != nil {
		t.Fatal(err)
	}
	checkSum(t, r)
	got := said(r)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || r.Ledger.Count != count || r.Statement.Count != len(lines) {
		t.Errorf("%d of %d payments, %d of %d lines (-want +got):\n%s", r.Ledger.Count, count, r.Statement.Count,
			len(lines), diff)
	}
	return took
}

func TestManyLines(t *testing.T) {
	t.Parallel()
	manyLines(t, 3000)
}

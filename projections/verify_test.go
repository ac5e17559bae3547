package projections_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
	"daftar/projections/rebuild"
)

// Concurrent writes are not reported as drift: each verification sees one snapshot.
func TestVerifyBesideWriters(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	pool := b.db.Pool(t)
	stop := make(chan struct{})
	var created atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { b.write(t, stop, &created) })
	}
	for range 12 {
		before := created.Load()
		pgtest.WaitFor(t, "more intents", func() bool { return created.Load() >= before+5 || t.Failed() })
		atLeast := 3 * (created.Load() - 4) // three events each, but for those under way
		report, err := model(t, "intents").Verify(t.Context(), pool, quiet)
		if err != nil || !report.OK || report.Events < atLeast {
			t.Errorf("verify with concurrent writers: %+v, %v; want OK and %d events or more", report, err, atLeast)
		}
	}
	close(stop)
	wg.Wait()
}

func TestVerifyTellsProgress(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	pool := b.db.Pool(t)
	var done, total int64 = -1, -1
	progress := func(d, n int64) {
		if d < done {
			t.Errorf("progress went back from %d to %d", done, d)
		}
		done, total = d, n
	}
	report, err := model(t, "intents").Verify(t.Context(), pool, progress)
	if err != nil || !report.OK || report.Name != "intents" || report.Drift == nil || done != 0 || total != 0 {
		t.Errorf("an empty ledger: %+v, %v, progress %d of %d", report, err, done, total)
	}
	for range 3 {
		b.create(t, b.plain())
	}
	report, err = model(t, "intents").Verify(t.Context(), pool, progress)
	if err != nil || report.Events != 3 || done != 3 || total != 3 || report.Seconds <= 0 {
		t.Errorf("three intents: %+v, %v, progress %d of %d", report, err, done, total)
	}
}

// More events than are replayed at a time, and a stream that alone has more than that: no row is
// lost or duplicated between two reads.
func TestVerifyOverManyChunks(t *testing.T) {
	t.Parallel()
	b := open(t, true)
	i := b.create(t, b.plain())
	superuser := b.superuser(t)
	// The stream of the intent grows by events that no decision would write;
	// then come more streams, each a copy of its creation under another id.
	exec(t, superuser, `
		INSERT INTO events
		SELECT n, $1, n, 'intent.expired', 1, '{"at":"2026-03-01T12:00:00Z"}', '{}', now()
		FROM generate_series(2, 5201) n`, i.ID)
	exec(t, superuser, `
		UPDATE intents
		SET version = 5201, updated_at = '2026-03-01T12:00:00Z', status = 'canceled'`)
	exec(t, superuser, `
		INSERT INTO events
		SELECT 5201 + n, md5(n::text)::uuid, 1, type, schema_version, payload, metadata, recorded_at
		FROM events, generate_series(1, 1200) n
		WHERE position = 1`)
	exec(t, superuser, `
		INSERT INTO intents
		SELECT md5(n::text)::uuid, application_uuid, 1, reference, merchant_reference, amount, currency,
		       'requires_payment_method', description, customer, return_url, metadata, expires_at,
		       replace(checkout_url, uuid::text, md5(n::text)::uuid::text), created_at, created_at
		FROM intents, generate_series(1, 1200) n
		WHERE version > 1`)
	report, err := model(t, "intents").Verify(t.Context(), b.db.Pool(t), quiet)
	if err != nil || !report.OK || report.Events != 6401 {
		t.Fatalf("verify: OK %v, %d events, %d differences, %v", report.OK, report.Events, len(report.Drift), err)
	}
	// No row is left: the list of differences is cut off, the result is not affected.
	exec(t, superuser, `TRUNCATE intents`)
	report, err = model(t, "intents").Verify(t.Context(), b.db.Pool(t), quiet)
	if err != nil || report.OK || len(report.Drift) != 1000 || report.Events != 6401 {
		t.Errorf("verify of an empty table: OK %v, %d events, %d differences, %v",
			report.OK, report.Events, len(report.Drift), err)
	}
	rebuilt, err := model(t, "intents").Rebuild(t.Context(), b.db.OwnerPool(t),
		rebuild.Options{AcceptDrift: true})
	if err != nil || !rebuilt.OK {
		t.Fatalf("rebuild: OK %v, %v", rebuilt.OK, err)
	}
	b.checkVerified(t)
}

type tamper struct {
	what, sql string
	drift     []rebuild.Drift // without the uuid, if it is the intent's
}

// tampering are changes that a superuser might make to the table, and what a report says about
// them. The intent has one attempt open and version 2.
var tampering = []tamper{
	{"amount", `UPDATE intents SET amount = 1`,
		[]rebuild.Drift{{Field: "amount", Stored: "1", Replayed: "5000"}}},
	{"status", `UPDATE intents SET status = 'succeeded'`,
		[]rebuild.Drift{{Field: "status", Stored: "succeeded", Replayed: "processing"}}},
	{"description", `UPDATE intents SET description = description || ' '`,
		[]rebuild.Drift{{Field: "description", Stored: "قهوة ", Replayed: "قهوة"}}},
	{"merchant reference", `UPDATE intents SET merchant_reference = 'x'`,
		[]rebuild.Drift{{Field: "merchant_reference", Stored: "x", Replayed: "order-1"}}},
	{"currency", `UPDATE intents SET currency = 'USD'`,
		[]rebuild.Drift{{Field: "currency", Stored: "USD", Replayed: "LYD"}}},
	{"customer", `UPDATE intents SET customer = '{"external_id":"me"}'`,
		[]rebuild.Drift{{Field: "customer", Stored: `{"external_id":"me"}`, Replayed: `{"external_id":null}`}}},
	{"return URL", `UPDATE intents SET return_url = ''`,
		[]rebuild.Drift{{Field: "return_url", Stored: `""`, Replayed: "null"}}},
	{"metadata gone", `UPDATE intents SET metadata = NULL`,
		[]rebuild.Drift{{Field: "metadata", Stored: "null", Replayed: `{"z":"1","a":"2"}`}}},
	{"metadata in another order", `UPDATE intents SET metadata = '{"a":"2","z":"1"}'`,
		[]rebuild.Drift{{Field: "metadata", Stored: `{"a":"2","z":"1"}`, Replayed: `{"z":"1","a":"2"}`}}},
	{"metadata that cannot be read", `UPDATE intents SET metadata = '[1]'`,
		[]rebuild.Drift{{Field: "metadata", Stored: `[1]`, Replayed: `{"z":"1","a":"2"}`}}},
	{"customer that cannot be read", `UPDATE intents SET customer = '7'`,
		[]rebuild.Drift{{Field: "customer", Stored: `7`, Replayed: `{"external_id":null}`}}},
	{"application", `UPDATE intents SET application_uuid = '00000000-0000-4000-8000-000000000000'`,
		[]rebuild.Drift{{Field: "application_uuid", Stored: "00000000-0000-4000-8000-000000000000"}}},
	{"expiry", `UPDATE intents SET expires_at = '2030-01-01T00:00:00Z'`,
		[]rebuild.Drift{{Field: "expires_at", Stored: "2030-01-01T00:00:00Z"}}},
	{"creation", `UPDATE intents SET created_at = '2030-01-01T00:00:00Z'`,
		[]rebuild.Drift{{Field: "created_at", Stored: "2030-01-01T00:00:00Z"}}},
	{"checkout URL", `UPDATE intents SET checkout_url = '/pay/evil'`,
		[]rebuild.Drift{{Field: "checkout_url", Stored: "/pay/evil"}}},
	{"reference", `UPDATE intents SET reference = 'x'`, []rebuild.Drift{{Field: "reference", Stored: "x"}}},
	{
		"an older version", `
			UPDATE intents
			SET version = 1, status = 'requires_payment_method', updated_at = created_at`,
		[]rebuild.Drift{{Field: "version", Stored: "1", Replayed: "2"},
			{Field: "status", Stored: "requires_payment_method", Replayed: "processing"}, {Field: "updated_at"}},
	},
	{"a missing row", `DELETE FROM intents`, []rebuild.Drift{{Stored: "(no row)", Replayed: "processing"}}},
	{
		"a row too much", `
			INSERT INTO intents
			SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff', application_uuid, version, reference,
			       merchant_reference, amount, currency, 'succeeded', description, customer, return_url,
			       metadata, expires_at, checkout_url, created_at, updated_at
			FROM intents`,
		[]rebuild.Drift{{UUID: "ffffffff-ffff-ffff-ffff-ffffffffffff", Stored: "succeeded", Replayed: "(no row)"}},
	},
	{
		"a row too much, first of all", `
			INSERT INTO intents
			SELECT '00000000-0000-0000-0000-000000000000', application_uuid, version, reference,
			       merchant_reference, amount, currency, status, description, customer, return_url,
			       metadata, expires_at, checkout_url, created_at, updated_at
			FROM intents`,
		[]rebuild.Drift{{UUID: "00000000-0000-0000-0000-000000000000", Stored: "processing", Replayed: "(no row)"}},
	},
}

// tampered is a book with one intent, changed by a statement of the table above.
func tampered(t *testing.T, sql string) (*book, projections.Intent) {
	t.Helper()
	b := open(t, true)
	c := b.plain()
	c.Metadata = domain.Metadata{{Key: "z", Value: "1"}, {Key: "a", Value: "2"}}
	i := b.create(t, c)
	b.execute(t, i.ID, domain.StartAttempt{Attempt: "a", Acquirer: "sandbox", Method: "wallet"})
	exec(t, b.superuser(t), sql)
	return b, i
}

// Verify works with an auditor's rights, finds what was changed, and names it.
func TestVerifyNamesWhatWasTamperedWith(t *testing.T) {
	t.Parallel()
	b, i := tampered(t, `SELECT 1`)
	auditor, superuser := b.login(t, "daftar_auditor"), b.superuser(t)
	exec(t, superuser, `CREATE TABLE kept AS TABLE intents`)
	report, err := model(t, "intents").Verify(t.Context(), auditor, quiet)
	if err != nil || !report.OK {
		t.Fatalf("before: %+v, %v", report, err)
	}
	for _, row := range tampering {
		exec(t, superuser, row.sql)
		report, err := model(t, "intents").Verify(t.Context(), auditor, quiet)
		if err != nil || report.OK || report.Events != 2 {
			t.Errorf("%s: %+v, %v", row.what, report, err)
		}
		want := append([]rebuild.Drift{}, row.drift...)
		for n := range want {
			if want[n].UUID == "" {
				want[n].UUID = i.ID.String()
			}
			// Random and measured values are not in the table above.
			if n < len(report.Drift) && want[n].Replayed == "" {
				want[n].Replayed = report.Drift[n].Replayed
			}
			if n < len(report.Drift) && want[n].Stored == "" {
				want[n].Stored = report.Drift[n].Stored
			}
		}
		if diff := cmp.Diff(want, report.Drift, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.what, diff)
		}
		exec(t, superuser, `TRUNCATE intents`)
		exec(t, superuser, `INSERT INTO intents TABLE kept`)
	}
	if report, err := model(t, "intents").Verify(t.Context(), auditor, quiet); err != nil || !report.OK {
		t.Errorf("after: %+v, %v", report, err)
	}
	if _, err := auditor.Exec(t.Context(), `UPDATE intents SET amount = 1`); err == nil {
		t.Error("an auditor may change the table")
	}
}

// An event of a newer program, or a gap in a stream, is no drift of the table: the verification
// fails with an error.
func TestVerifyOfALogThatCannotBeReplayed(t *testing.T) {
	t.Parallel()
	for what, sql := range map[string]string{
		"unknown event": `INSERT INTO events VALUES (2, $1, 2, 'intent.refunded', 1, '{}', '{}', now())`,
		"a version too far": `
			INSERT INTO events
			VALUES (2, $1, 3, 'intent.expired', 1, '{"at":"2026-03-01T12:00:00Z"}', '{}', now())`,
	} {
		b := open(t, true)
		i := b.create(t, b.plain())
		exec(t, b.superuser(t), sql, i.ID)
		report, err := model(t, "intents").Verify(t.Context(), b.db.Pool(t), quiet)
		if err == nil || !strings.Contains(err.Error(), i.ID.String()) {
			t.Errorf("%s: verify says %+v, %v; want an error that names the intent", what, report, err)
		}
		report, err = model(t, "intents").Rebuild(t.Context(), b.db.OwnerPool(t),
			rebuild.Options{AcceptDrift: true})
		if err == nil {
			t.Errorf("%s: rebuild says %+v", what, report)
		}
		if !b.find(t, i.ID).Exists {
			t.Errorf("%s: the old table is gone", what)
		}
	}
}

// A rebuild that swaps its table while a verification is under way must not be reported as drift:
// the new rows are younger than the snapshot of the verification.
func TestVerifyBesideARebuild(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	for range 3 {
		b.create(t, b.plain())
	}
	owner := b.db.OwnerPool(t)
	reached, proceed := make(chan struct{}), make(chan struct{})
	var once sync.Once
	pool := watched(t, b.db.ServiceURL(), func(_ context.Context, sql string) {
		if strings.Contains(sql, "ORDER BY stream_id") {
			once.Do(func() { close(reached); <-proceed })
		}
	})
	type outcome struct {
		report rebuild.Report
		err    error
	}
	verified, rebuilt := make(chan outcome, 1), make(chan outcome, 1)
	go func() {
		report, err := model(t, "intents").Verify(t.Context(), pool, quiet)
		verified <- outcome{report, err}
	}()
	<-reached // its snapshot exists, the table is not read yet
	go func() {
		report, err := model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{})
		rebuilt <- outcome{report, err}
	}()
	var early *outcome
	pgtest.WaitFor(t, "the rebuild to wait or to be done", func() bool {
		select {
		case o := <-rebuilt:
			early = &o
			return true
		default:
			return value[int](t, owner, `
				SELECT count(*)
				FROM pg_locks
				WHERE `+inThisDatabase+`
					  AND relation = 'intents'::regclass
					  AND NOT granted`) > 0
		}
	})
	close(proceed)
	if got := <-verified; got.err != nil || !got.report.OK || got.report.Events != 3 {
		t.Errorf("verify: %+v, %v", got.report, got.err)
	}
	if early == nil {
		o := <-rebuilt
		early = &o
	}
	if early.err != nil || !early.report.OK {
		t.Errorf("rebuild: %+v, %v", early.report, early.err)
	}
}

func TestVerifyEndsWithItsContext(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	pool := b.db.Pool(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	cancel()
	if report, err := model(t, "intents").Verify(ctx, pool, quiet); err == nil || report.OK {
		t.Errorf("verify: %+v, %v", report, err)
	}
	if n := value[int](t, pool, `SELECT count(*) FROM intents WHERE uuid = $1`, uuid.New()); n != 0 {
		t.Errorf("%d rows", n)
	}
}

package projections_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/projections"
	"daftar/projections/rebuild"
)

// readModel is a read model with the operations of package rebuild.
type readModel struct{ projections.Model }

func (m readModel) Verify(
	ctx context.Context, pool *pgxpool.Pool, progress rebuild.Progress,
) (rebuild.Report, error) {
	return rebuild.Verify(ctx, pool, m.Model, progress)
}

func (m readModel) Rebuild(
	ctx context.Context, pool *pgxpool.Pool, o rebuild.Options,
) (rebuild.Report, error) {
	return rebuild.Replace(ctx, pool, m.Model, o)
}

func readModels() []readModel {
	var all []readModel
	for _, m := range projections.Models() {
		all = append(all, readModel{m})
	}
	return all
}

// model is the read model of a name.
func model(t testing.TB, name string) readModel {
	t.Helper()
	for _, m := range readModels() {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("there is no read model %s", name)
	return readModel{}
}

func rowsOf(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	return list(t, pool, `
		SELECT p::text
		FROM payments p
		UNION ALL
		SELECT t::text
		FROM turnover t
		UNION ALL
		SELECT x::text
		FROM payment_exceptions x
		UNION ALL
		SELECT s::text
		FROM book_sums s
		ORDER BY 1`)
}

const anException = ` WHERE intent_uuid = (SELECT min(intent_uuid::text)::uuid FROM payment_exceptions)`

type change struct{ model, field, sql string }

var changes = []change{
	{"payments", "amount", `UPDATE payments SET amount = 1` + anException},
	{"payments", "state", `UPDATE payments SET state = 'open'` + anException},
	{"payments", "attempting", `UPDATE payments SET attempting = true` + anException},
	{"payments", "application_uuid", `UPDATE payments SET application_uuid = gen_random_uuid()` + anException},
	{"payments", "version", `UPDATE payments SET version = 1` + anException},
	{"payments", "reference", `UPDATE payments SET reference = ''` + anException},
	{"payments", "customer_key", `UPDATE payments SET customer_key = 7` + anException},
	{"payments", "created_at", `UPDATE payments SET created_at = now()` + anException},
	{"payments", "succeeded_at", `UPDATE payments SET succeeded_at = NULL` + anException},
	{"payments", "canceled_at", `UPDATE payments SET canceled_at = now()` + anException},
	{"payments", "late", `UPDATE payments SET late = NOT late` + anException},
	{"payments", "duplicates", `UPDATE payments SET duplicates = 9` + anException},
	{"payments", "terms", `UPDATE payments SET terms = ''` + anException},
	{"payments", "currency", `UPDATE payments SET currency = 'USD'` + anException},
	{"payments", "", `DELETE FROM payments` + anException},
	{"payments", "", `UPDATE payments SET intent_uuid = '00000000-0000-0000-0000-000000000000'` + anException},
	{"payments", "", `UPDATE payments SET intent_uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'` + anException},
	{"payments", "kind", `
		UPDATE payment_exceptions
		SET kind = CASE kind WHEN 'late' THEN 'duplicate' ELSE 'late' END` + anException},
	{"payments", "amount", `UPDATE payment_exceptions SET amount = 1` + anException},
	{"payments", "since", `UPDATE payment_exceptions SET since = now()` + anException},
	{"payments", "exception", `DELETE FROM payment_exceptions` + anException},
	{"payments", "exception", `UPDATE payment_exceptions SET version = 99` + anException},
	{"turnover", "succeeded_count", `UPDATE turnover SET succeeded_count = succeeded_count + 1`},
	{"turnover", "canceled_sum", `UPDATE turnover SET canceled_sum = canceled_sum + 1`},
	{"turnover", "duplicate_count", `UPDATE turnover SET duplicate_count = duplicate_count + 1`},
	{"turnover", "late_sum", `UPDATE turnover SET late_sum = late_sum + 1`},
	{"turnover", "LYD", `DELETE FROM turnover`},
	{"turnover", "2020-01-01 LYD", `
		INSERT INTO turnover
		SELECT application_uuid, '2020-01-01', currency, 1, 1, 0, 0, 0, 0, 0, 0
		FROM turnover
		LIMIT 1`},
	{"books", "sandbox sales 0 2026-11-20 amount",
		`UPDATE book_sums SET amount = amount + 1 WHERE account = 'sales'`},
	{"books", "sandbox due 0", `DELETE FROM book_sums WHERE account = 'due'`},
	{"books", "sandbox due 7", `
		INSERT INTO book_sums
		SELECT owner, acquirer, account, 7, day, 1
		FROM book_sums
		WHERE account = 'due'`},
}

// Every change in the tables is found, by an auditor too.
func TestModelsAreHeldToTheEvents(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	d.stock(t)
	owner, auditor, superuser := d.db.OwnerPool(t), d.login(t, "daftar_auditor"), d.superuser(t)
	before := rowsOf(t, owner)
	for _, p := range readModels() {
		report, err := p.Verify(t.Context(), auditor, quiet)
		if err != nil || !report.OK || report.Name != p.Name || report.Events != int64(len(d.events(t, 0, 1000))) {
			t.Errorf("verify %s by an auditor: %+v, %v", p.Name, report, err)
		}
	}
	kept := []string{"payments", "payment_exceptions", "turnover", "book_sums"}
	for _, name := range kept {
		exec(t, superuser, `CREATE TABLE kept_`+name+` AS TABLE `+name)
	}
	for _, row := range changes {
		exec(t, superuser, row.sql)
		d.wantDrift(t, auditor, row)
		exec(t, superuser, `TRUNCATE payments, payment_exceptions, turnover, book_sums`)
		for _, name := range kept {
			exec(t, superuser, `INSERT INTO `+name+` TABLE kept_`+name)
		}
	}
	for _, p := range readModels() {
		report, err := p.Rebuild(t.Context(), owner, rebuild.Options{})
		if err != nil || !report.OK || len(report.Drift) != 0 || report.Seconds <= 0 {
			t.Errorf("rebuild %s: %+v, %v", p.Name, report, err)
		}
	}
	if diff := cmp.Diff(before, rowsOf(t, owner)); diff != "" {
		t.Errorf("rebuilt without need (-before +after):\n%s", diff)
	}
}

func (d *world) wantDrift(t *testing.T, auditor *pgxpool.Pool, row change) rebuild.Report {
	t.Helper()
	verified, err := model(t, row.model).Verify(t.Context(), auditor, quiet)
	if err != nil || verified.OK || len(verified.Drift) == 0 ||
		!strings.Contains(verified.Drift[0].Field, row.field) {
		t.Errorf("%s: verify: %+v, %v; want a drift of %s", row.sql, verified, err, row.field)
	}
	return verified
}

// Changed rows stay as evidence until the drift is accepted, and are gone after that.
func TestDriftOfModelsIsEvidence(t *testing.T) {
	t.Parallel()
	// The first of each table.
	var some []change
	seen := map[string]bool{}
	for _, row := range changes {
		if name := strings.Fields(strings.NewReplacer("FROM ", "", "INTO ", "").Replace(row.sql))[1]; !seen[name] {
			seen[name] = true
			some = append(some, row)
		}
	}
	if len(some) != 4 {
		t.Fatalf("changes of %d tables, want 4", len(some))
	}
	driftIsEvidence(t, some)
}

func driftIsEvidence(t *testing.T, changes []change) {
	t.Helper()
	d := openWorld(t)
	d.stock(t)
	owner, auditor, superuser := d.db.OwnerPool(t), d.login(t, "daftar_auditor"), d.superuser(t)
	before := rowsOf(t, owner)
	for _, row := range changes {
		exec(t, superuser, row.sql)
		changed := rowsOf(t, owner)
		p, verified := model(t, row.model), d.wantDrift(t, auditor, row)
		refused, err := p.Rebuild(t.Context(), owner, rebuild.Options{})
		if err != nil || refused.OK {
			t.Errorf("%s: rebuild: %+v, %v; want it refused", row.sql, refused, err)
		}
		if diff := cmp.Diff(verified.Drift, refused.Drift); diff != "" {
			t.Errorf("%s: drift (-verify +rebuild):\n%s", row.sql, diff)
		}
		if diff := cmp.Diff(changed, rowsOf(t, owner)); diff != "" {
			t.Errorf("%s: the evidence was touched (-before +after):\n%s", row.sql, diff)
		}
		accepted, err := p.Rebuild(t.Context(), owner, rebuild.Options{AcceptDrift: true})
		if err != nil || !accepted.OK {
			t.Errorf("%s: rebuild that accepts drift: %+v, %v", row.sql, accepted, err)
		}
		if diff := cmp.Diff(before, rowsOf(t, owner)); diff != "" {
			t.Fatalf("%s: rebuilt (-before +after):\n%s", row.sql, diff)
		}
	}
}

// The tables are compared with the events that the group has handled, and no others.
func TestModelsBehindTheLog(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s, _ := d.stock(t)
	seen := d.position
	late := d.late(t, s, midnight)
	d.checkModels(t)
	for _, name := range []string{"turnover", "payments"} {
		report, err := model(t, name).Rebuild(t.Context(), d.db.OwnerPool(t), rebuild.Options{})
		if err != nil || !report.OK || report.Events != seen {
			t.Errorf("rebuild %s: %+v, %v; want %d events", name, report, err, seen)
		}
	}
	all, err := rebuild.ReadStatus(t.Context(), d.pool)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		got = append(got, m.Name)
		behind := m.Group != "" && m.Position == seen && m.Head == seen+int64(late.Version)
		if m.Group == "" && m.Position == m.Head {
			behind = true
		}
		if !behind {
			t.Errorf("status: %+v", m)
		}
	}
	if diff := cmp.Diff([]string{"intents", "turnover", "payments", "books"}, got); diff != "" {
		t.Errorf("read models (-want +got):\n%s", diff)
	}
	// In the middle of an intent's events, and after them.
	events := d.events(t, d.position, 3)
	if err := d.deliver(t, events, false); err != nil {
		t.Fatal(err)
	}
	d.checkModels(t)
	d.feed(t)
	d.checkModels(t)
}

// A group that finds fewer rows than it wrote halts before it writes wrong ones, and continues when
// the table was rebuilt.
func TestLostRowsHaltTheGroup(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	d.twice(t, s, midnight)
	if err := d.deliver(t, d.events(t, 0, 2), false); err != nil {
		t.Fatal(err)
	}
	exec(t, d.superuser(t), `DELETE FROM payments`)
	rest := d.events(t, d.position, 100)
	err := d.deliver(t, rest, false)
	if err == nil || !strings.Contains(err.Error(), "projections rebuild payments") {
		t.Errorf("events of a lost row: %v, want what to do", err)
	}
	report, err := model(t, "payments").Rebuild(t.Context(), d.db.OwnerPool(t),
		rebuild.Options{AcceptDrift: true})
	if err != nil || !report.OK {
		t.Errorf("rebuild: %+v, %v", report, err)
	}
	if err := d.deliver(t, rest, false); err != nil {
		t.Error(err)
	}
	d.checkModels(t)
}

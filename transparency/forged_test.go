package transparency_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"daftar/transparency"
)

// A user with the service's password cannot insert an event or a checkpoint beyond the end of the
// log, where it would block later ones.
func TestRowsBeyondTheLogAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(20)
	w.grow(64)
	w.sign()
	const event = `
		INSERT INTO events
		SELECT $1::int8, gen_random_uuid(), 1, type, schema_version, payload, metadata, recorded_at
		FROM events
		WHERE position = 1`
	for name, c := range map[string]struct {
		statements []string
		position   int64
		refused    bool
	}{
		"far ahead":       {[]string{event}, 1 << 40, true},
		"the last of all": {[]string{event}, 1<<63 - 1, true},
		"one too far":     {[]string{event}, 22, true},
		"before all":      {[]string{event}, 0, true},
		"of no version": {[]string{strings.Replace(event, "gen_random_uuid(), 1,",
			"gen_random_uuid(), 0,", 1)}, 21, true},
		"a stand-in": {[]string{`CREATE TEMP TABLE events AS SELECT 1099511627775::int8 AS position`,
			strings.ReplaceAll(event, "FROM events", "FROM public.events")}, 1 << 40, true},
		"two, with a gap": {[]string{strings.Replace(event, "WHERE position = 1", "WHERE position IN (1, 2)",
			1) + ` UNION ALL SELECT 23, gen_random_uuid(), 1, 'x', 1, '', '', now()`}, 21, true},
		"a far checkpoint": {[]string{`
			INSERT INTO transparency_checkpoints
			VALUES ($1, repeat('x', 32)::bytea, 'x', now())`}, 21, true},
		"where it may stay": {[]string{`SELECT $1::int8`}, 1, false},
	} {
		conn, err := w.pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for n, statement := range c.statements {
			var args []any
			if n == len(c.statements)-1 {
				args = []any{c.position}
				statement = strings.Replace(statement, "INSERT INTO events", "INSERT INTO public.events", 1)
			}
			_, err = conn.Exec(t.Context(), statement, args...)
		}
		if (err != nil) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
		_ = conn.Conn().Close(t.Context()) // with its temporary tables
		conn.Release()
	}
	w.fill(5)
	if w.head() != 25 {
		t.Errorf("the log ends at %d, want 25", w.head())
	}
}

// Rows that the service's role can insert stop nothing: neither the signing, the publishing, the
// start, nor the public pages; and they are reported.
func TestForgedRowsStopNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := &receiver{status: http.StatusOK}
	server := httptest.NewServer(r)
	defer server.Close()
	dir := t.TempDir()
	n := w.notary(func(c *transparency.Config) { c.Dir, c.URL = dir, server.URL })
	look := func() {
		t.Helper()
		w.now = w.now.Add(time.Minute)
		if err := n.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := n.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w.fill(100)
	w.grow(64)
	look()
	genuine := w.latest()

	// Checkpoints can be inserted over events that are not signed yet.
	w.fill(50)
	other, _, err := transparency.NewKey("pay.example.ly")
	if err != nil {
		t.Fatal(err)
	}
	liar := newWorld(t)
	liar.key = other
	liar.fill(140)
	liar.grow(64)
	lie := liar.sign()
	for _, statement := range []struct {
		sql  string
		args []any
	}{
		{`INSERT INTO transparency_checkpoints VALUES ($1, $2, $3, now())`, []any{lie.Size, lie.Root[:], lie.Note}},
		{`
			INSERT INTO transparency_checkpoints
			SELECT n, decode(repeat('ab', 32), 'hex'), 'pay.example.ly', now() + interval '1 year'
			FROM generate_series(101, 139) n`, nil},
		{`INSERT INTO transparency_keys VALUES ('no key', 'epoch')`, nil},
		{`INSERT INTO transparency_keys VALUES ($1, 'epoch')`, []any{other.Public()}},
		{`UPDATE transparency_posts SET size = 1 << 30, claimed_until = '2100-01-01'`, nil},
	} {
		if _, err := w.pool.Exec(t.Context(), statement.sql, statement.args...); err != nil {
			t.Fatalf("%s: %v", statement.sql, err)
		}
	}
	if got := w.get("checkpoint").Body.String(); got != genuine.Note {
		t.Errorf("the public sees %q", got)
	}
	if err := w.notary(func(c *transparency.Config) { c.Dir = dir }).CheckPublished(t.Context()); err != nil {
		t.Errorf("at the start: %v", err)
	}
	w.grow(64)
	look()
	text, err := transparency.Published(dir)
	if err != nil || text.Size != 150 || text.Note == genuine.Note {
		t.Errorf("published is %+v, %v", text, err)
	}
	if got := r.received(); len(got) != 2 || got[1] != text.Note {
		t.Errorf("received %d checkpoints", len(got))
	}
	if w.get("checkpoint").Body.String() != text.Note {
		t.Error("the public does not see the new checkpoint")
	}
	_, err = transparency.CheckHealth(t.Context(), w.pool, []string{w.key.Public()}, dir)
	if !errors.Is(err, transparency.ErrForged) {
		t.Errorf("doctor: %v, want ErrForged", err)
	}
	report := w.verify(func(o *transparency.VerifyOptions) { o.Keys = []string{w.key.Public()} })
	if report.OK || report.Checkpoints != 2 || report.Size != 150 ||
		report.Discrepancy.Kind != transparency.KindCheckpoint ||
		report.Discrepancy.Position != 101 {
		t.Errorf("verify: %+v, %+v", report, report.Discrepancy)
	}
}

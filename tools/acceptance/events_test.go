package acceptance_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

// line is an event as export and tail write it.
type line struct {
	Position      int64  `json:"position"`
	Stream        string `json:"stream_id"`
	Version       int    `json:"version"`
	Type          string `json:"type"`
	SchemaVersion int    `json:"schema_version"`
	Payload       string `json:"payload"`
	Metadata      string `json:"metadata"`
	RecordedAt    string `json:"recorded_at"`
}

func lines(t *testing.T, text string) []line {
	t.Helper()
	var all []line
	for l := range strings.Lines(text) {
		all = append(all, parse[line](t, l))
	}
	return all
}

// auditor is a login role with the rights of daftar_auditor only.
func auditor(t *testing.T, db *pgtest.DB) []string {
	t.Helper()
	u, err := url.Parse(db.SuperuserURL())
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	name := "auditor_" + db.Name()
	pool := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1})
	_, err = pool.Exec(t.Context(),
		fmt.Sprintf(`CREATE ROLE %s LOGIN PASSWORD '%s' IN ROLE daftar_auditor`, name, password))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(name, password)
	return []string{"DAFTAR_DATABASE_URL=" + u.String()}
}

// traded is a database with the payments of two organisations: the first has one intent that an
// operator settled as paid and one that is open; the second one that is open.
type traded struct {
	*service
	db          *pgtest.DB
	mine, other shop
	paid, waits string
}

func trade(t *testing.T) traded {
	t.Helper()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL(), "DAFTAR_SANDBOX_URL="+hangingUp(t).URL,
		"DAFTAR_SANDBOX_SECRET="+sandboxSecret)
	w := traded{service: s, db: db, mine: newShop(t, s.env), other: newShop(t, s.env)}
	first := s.ask(t, w.mine, http.MethodPost, "/payment-intents",
		`{"merchant_reference":"e-1","amount":5000,"currency":"LYD",`+
			`"description":"Two\u202e coffees","metadata":{"zone":"طرابلس"}}`).data
	w.paid = first.UUID
	s.ask(t, w.other, http.MethodPost, "/payment-intents", order("e-2"))
	pay(t, first.CheckoutURL)
	attempt := answer[attempts](t, s.env, "attempts", "list").Attempts[0].ID
	answer[map[string]any](t, s.env, "attempts", "settle", attempt,
		"--outcome", "paid", "--note", "statement of today")
	w.waits = s.ask(t, w.mine, http.MethodPost, "/payment-intents", order("e-3")).data.UUID
	return w
}

// Everything that an auditor's login is for.
func TestAuditorsReadTheLedger(t *testing.T) {
	t.Parallel()
	w := trade(t)
	env := auditor(t, w.db)
	account, _ := schedule(t, w.db, w.mine.org), schedule(t, w.db, w.other.org)

	history := call(t, env, "events", "history", w.paid)
	for _, want := range []string{
		"3 events", "UTC", "Libya's time", "intent.created", "intent.succeeded", "application:" + w.mine.app,
		"note: statement of today", "position 1,", `Two\u202e coffees`,
	} {
		if !strings.Contains(history.out, want) {
			t.Errorf("history lacks %q:\n%s%s", want, history.out, history.errors)
		}
	}
	var link string
	const linkSQL = `SELECT checkout_url FROM intents WHERE uuid = $1`
	if err := w.db.OwnerPool(t).QueryRow(t.Context(), linkSQL, w.paid).Scan(&link); err != nil {
		t.Fatal(err)
	}
	checkReplay(t, env, w.paid, link)

	whole := call(t, env, "events", "export")
	all := lines(t, whole.out)
	if diff := cmp.Diff(storedEvents(t, w.db), all); diff != "" || whole.code != 0 {
		t.Errorf("export, exit %d (-stored +exported):\n%s", whole.code, diff)
	}
	part := lines(t, call(t, env, "events", "export", "--from", "2", "--until", "4").out)
	if !cmp.Equal(part, all[1:4]) {
		t.Errorf("positions 2 to 4: %+v", part)
	}
	var mine []line
	for _, l := range all {
		if l.Stream == w.paid || l.Stream == w.waits || l.Stream == account {
			mine = append(mine, l)
		}
	}
	got := lines(t, call(t, env, "events", "export", "--org", w.mine.org).out)
	if len(mine) != 5 || !cmp.Equal(got, mine) {
		t.Errorf("of one organisation: %+v, want %+v", got, mine)
	}
	if r := call(t, env, "events", "export", "--org", w.paid); r.code != 1 || r.out != "" {
		t.Errorf("of no organisation: exit %d, %s", r.code, r.out)
	}
	tail := call(t, env, "events", "tail", "--from", "5")
	if tail.code != 0 || !strings.Contains(tail.out, "intent "+w.waits) ||
		!strings.Contains(tail.out, "stream "+account) || strings.Contains(tail.out, w.paid) {
		t.Errorf("tail: exit %d, %s%s", tail.code, tail.out, tail.errors)
	}
	for _, args := range []string{
		"export --from 0", "export --from 3 --until 2", "export --org 7", "tail --from 0",
		"replay " + w.paid + " --at-version 0",
	} {
		if r := call(t, env, append([]string{"events"}, strings.Fields(args)...)...); r.code != 2 {
			t.Errorf("%s: exit %d, want 2", args, r.code)
		}
	}
	dir := t.TempDir()
	unknown := write(t, dir, "unknown",
		`{"type":"payment_intent.created","timestamp":"2026-11-20T09:30:00.123456Z",`+
			`"data":{"uuid":"0194e2f4-7d3a-5c1e-9b0a-6f2d8c4e1a55","sequence":1}}`)
	exported := write(t, dir, "exported", whole.out)
	m := auditMissing(t, env, "--events", exported, "--webhooks", unknown)
	if m.OK || m.Missing != nil || len(m.Lost) != 1 || m.Same != m.Events {
		t.Errorf("missing is %+v, want the webhook's event", m)
	}
	if r := call(t, env, "app", "roll-key", w.mine.app); r.code == 0 {
		t.Error("an auditor may roll a key")
	}
}

// checkReplay checks what each event changed, as text and as JSON.
func checkReplay(t *testing.T, env []string, intent, link string) {
	t.Helper()
	text := call(t, env, "events", "replay", intent)
	for _, want := range []string{
		"none → requires_payment_method", "requires_payment_method → processing", "processing → succeeded",
		"none → 5.000 LYD", "none → open, wallet by sandbox, 091•••5678", `none → "طرابلس"`, "none → attempt 1",
	} {
		if !strings.Contains(text.out, want) {
			t.Errorf("replay lacks %q:\n%s%s", want, text.out, text.errors)
		}
	}
	if strings.Contains(text.out, "\x1b") {
		t.Error("colours where there is no terminal")
	}
	type replay struct {
		States []struct {
			Version int
			Intent  struct{ Status string }
			Changes []struct {
				Field    string
				Old, New *string
			}
		}
	}
	states := answer[replay](t, env, "events", "replay", intent).States
	if len(states) != 3 || states[1].Changes[0].Field != "status" ||
		*states[1].Changes[0].Old != "requires_payment_method" || *states[1].Changes[0].New != "processing" {
		t.Errorf("states %+v", states)
	}
	one := answer[replay](t, env, "events", "replay", intent, "--at-version", "2").States
	if len(one) != 1 || one[0].Intent.Status != "processing" {
		t.Errorf("at version 2: %+v", one)
	}
	now := answer[replay](t, env, "events", "replay", intent, "--at", "2999-01-01T00:00:00Z").States
	if len(now) != 1 || now[0].Version != 3 {
		t.Errorf("at last: %+v", now)
	}
	r := call(t, env, "events", "replay", intent, "--at-version", "2")
	if !strings.Contains(r.out, `"status": "processing"`) {
		t.Errorf("the whole state lacks its status:\n%s", r.out)
	}
	r = call(t, append(env, "DAFTAR_PUBLIC_URL=https://pay.example"), "events", "replay", intent,
		"--at-version", "2")
	if !strings.Contains(r.out, `"checkout_url": "`+link+`"`) {
		t.Errorf("the state lacks the path of the checkout, %s:\n%s", link, r.out)
	}
	secret := link[strings.LastIndex(link, "/"):]
	shown := onTerminal(t, env, "events", "replay", intent, "--at-version", "2")
	if strings.Contains(shown, secret) || !strings.Contains(shown, path.Dir(link)) {
		t.Errorf("a terminal shows the checkout's secret:\n%s", shown)
	}
	shown = onTerminal(t, env, "events", "replay", intent, "--at-version", "2", "--link")
	if !strings.Contains(shown, secret) {
		t.Errorf("a terminal lacks what was asked for:\n%s", shown)
	}
	if r := call(t, env, "events", "replay", intent, "--at-version", "4"); r.code != 1 {
		t.Errorf("at a version that is not there: exit %d", r.code)
	}
}

// storedEvents are the events of the table.
func storedEvents(t *testing.T, db *pgtest.DB) []line {
	t.Helper()
	rows, err := db.Pool(t).Query(t.Context(), `
		SELECT position, stream_id::text, version, type, schema_version, payload, metadata, recorded_at
		FROM events
		ORDER BY position`)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (line, error) {
		var l line
		var at time.Time
		err := row.Scan(&l.Position, &l.Stream, &l.Version, &l.Type, &l.SchemaVersion, &l.Payload, &l.Metadata, &at)
		l.RecordedAt = at.UTC().Format(time.RFC3339Nano)
		return l, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// tail prints the existing events and then each new one as it comes. Ctrl-C is no failure.
func TestTailFollows(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL())
	who := newShop(t, s.env)
	first := s.ask(t, who, http.MethodPost, "/payment-intents", order("f-1")).data.UUID
	p, out := start(t, t.TempDir(), auditor(t, db), "events", "tail", "--follow", "--json")
	followed := bufio.NewScanner(out)
	next := func() line {
		if !followed.Scan() {
			t.Fatalf("the tail ended: %v", followed.Err())
		}
		return parse[line](t, followed.Text())
	}
	if l := next(); l.Stream != first || l.Position != 1 {
		t.Errorf("first %+v", l)
	}
	for n := range 3 {
		id := s.ask(t, who, http.MethodPost, "/payment-intents", order(fmt.Sprintf("f-%d", n+2))).data.UUID
		if l := next(); l.Stream != id || l.Position != int64(n+2) {
			t.Errorf("followed %+v, want intent %s", l, id)
		}
	}
	p.Stop(t, syscall.SIGINT)
	if code := p.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit %d after Ctrl-C", code)
	}
}

// An export ends quietly when its reader closes the pipe.
func TestExportIntoABrokenPipe(t *testing.T) {
	t.Parallel()
	w := trade(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), programtest.Daftar(t), "events", "export")
	c.Env = w.env
	var errs bytes.Buffer
	c.Stdout, c.Stderr = writer, &errs
	err = c.Run()
	if err == nil || strings.Contains(errs.String(), "panic") || strings.Contains(errs.String(), "goroutine") {
		t.Errorf("ended with %v: %s", err, errs.String())
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
}

// An export contains the stored JSON text byte for byte, so that the leaves of the transparency log
// can be computed from an export alone.
func TestExportKeepsBytes(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	odd := `{"text":"<&>  ` + "\u2028" + ` ","n":1.0}`
	pool := db.OwnerPool(t)
	_, err := pool.Exec(t.Context(), `
		INSERT INTO events
		VALUES (1, '7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b', 1, 'x', 1, $1, '{ }',
			'2026-11-20T20:38:15.1Z')`, odd)
	if err != nil {
		t.Fatal(err)
	}
	r := call(t, auditor(t, db), "events", "export")
	var l line
	err = json.Unmarshal([]byte(r.out), &l)
	if err != nil || l.Payload != odd || l.Metadata != "{ }" || l.RecordedAt != "2026-11-20T20:38:15.1Z" {
		t.Errorf("exported %s (%v)", r.out, err)
	}
}

package acceptance_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// verified is the answer of audit verify.
type verified struct {
	OK         bool   `json:"ok"`
	Size       int64  `json:"size"`
	Root       string `json:"root"`
	FirstWrong struct {
		Position int64  `json:"position"`
		Kind     string `json:"kind"`
		Reason   string `json:"reason"`
	} `json:"first_wrong"`
}

func parse[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// awaitCheckpoint waits until a checkpoint covers all events and returns it.
func awaitCheckpoint(t *testing.T, env []string, events string) string {
	t.Helper()
	var note string
	pgtest.WaitFor(t, "a checkpoint of size "+events, func() bool {
		r := call(t, env, "audit", "checkpoint")
		note = r.out
		lines := strings.Split(note, "\n")
		return r.code == 0 && len(lines) > 2 && lines[1] == events
	})
	return note
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// An auditor keeps a checkpoint, gets a proof by mail and checks it on a machine that has only the
// program. Then the database is rewritten.
func TestAuditorsWay(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := serve(t, db.URL(), "DAFTAR_PUBLIC_URL=https://pay.example.ly")
	who := newShop(t, s.env)
	dir := t.TempDir()
	first := s.ask(t, who, http.MethodPost, "/payment-intents", order("a-1"))
	kept := awaitCheckpoint(t, s.env, "1")
	if !strings.HasPrefix(kept, "pay.example.ly\n1\n") {
		t.Errorf("checkpoint %q", kept)
	}
	asJSON := answer[struct {
		Origin, Root, Checkpoint string
		Size                     int
		SignedAt                 time.Time `json:"signed_at"`
	}](t, s.env, "audit", "checkpoint")
	if asJSON.Checkpoint != kept || asJSON.Origin != "pay.example.ly" || asJSON.Size != 1 ||
		time.Since(asJSON.SignedAt).Abs() > time.Hour ||
		!strings.HasPrefix(kept, "pay.example.ly\n1\n"+asJSON.Root+"\n") {
		t.Errorf("as JSON: %+v, want %q", asJSON, kept)
	}
	keptFile := write(t, dir, "kept", kept)
	for _, reference := range []string{"a-2", "a-3"} {
		s.ask(t, who, http.MethodPost, "/payment-intents", order(reference))
	}
	awaitCheckpoint(t, s.env, "3")
	keys := answer[struct{ Keys []string }](t, s.env, "audit", "key").Keys
	if len(keys) != 1 {
		t.Fatalf("keys %v", keys)
	}
	v := answer[verified](t, s.env, "audit", "verify", "--checkpoint", keptFile, "--key", keys[0])
	if !v.OK || v.Size != 3 || v.Root == "" {
		t.Errorf("verify: %+v", v)
	}
	file := filepath.Join(dir, "proof.json")
	made := answer[struct {
		File         string
		Events, Size int
	}](t, s.env, "audit", "prove", first.data.UUID, "--out", file)
	if made.File != file || made.Events != 1 || made.Size != 3 {
		t.Errorf("made %+v", made)
	}
	checkOffline(t, dir, file, keptFile, keys[0])
	if r := call(t, s.env, "audit", "prove", "00000000-0000-4000-8000-000000000000"); r.code != 1 {
		t.Errorf("proof of an intent that is not there: exit %d", r.code)
	}

	tamper(t, db, `UPDATE events SET payload = replace(payload, '5000', '5001') WHERE position = 2`)
	r := call(t, s.env, "audit", "verify", "--json")
	v = parse[verified](t, r.out)
	if r.code != 1 || v.OK || v.FirstWrong.Position != 2 || v.FirstWrong.Kind != "changed" {
		t.Errorf("exit %d, %s", r.code, r.out)
	}
	if r := call(t, s.env, "audit", "verify"); r.code != 1 || !strings.Contains(r.out, "WRONG at position 2") {
		t.Errorf("exit %d, %s", r.code, r.out)
	}
}

// checkOffline checks a proof without any of our variables.
func checkOffline(t *testing.T, dir, file, kept, key string) {
	t.Helper()
	type verdict struct {
		OK             bool
		Reason         string
		ConsistentWith []int64 `json:"consistent_with"`
	}
	began := time.Now()
	r := call(t, nil, "audit", "check", "--proof", file, "--checkpoint", kept, "--key", key, "--json")
	t.Logf("audit check took %v", time.Since(began))
	v := parse[verdict](t, r.out)
	if r.code != 0 || !v.OK || len(v.ConsistentWith) != 1 || v.ConsistentWith[0] != 1 || r.errors != "" {
		t.Errorf("check: exit %d, %s%s", r.code, r.out, r.errors)
	}
	r = call(t, nil, "audit", "check", "--proof", file)
	if r.code != 0 || !strings.Contains(r.errors, "WARNING") {
		t.Errorf("without a key: exit %d, %s%s", r.code, r.out, r.errors)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		`"status":"requires_payment_method"`:  `"status":"succeeded"`,
		`"status": "requires_payment_method"`: `"status": "succeeded"`,
		`5000`:                                `5001`,
	} {
		if !strings.Contains(string(text), from) {
			continue
		}
		bad := write(t, dir, "bad.json", strings.Replace(string(text), from, to, 1))
		r := call(t, nil, "audit", "check", "--proof", bad, "--json")
		if v := parse[verdict](t, r.out); r.code != 1 || v.OK || v.Reason == "" {
			t.Errorf("%s: exit %d, %s", to, r.code, r.out)
		}
	}
	for what, changed := range map[string]string{
		"a name twice":    strings.Replace(string(text), `"intent":`, `"intent": "x", "intent":`, 1),
		"no public_url":   strings.Replace(string(text), `"public_url"`, `"publicurl"`, 1),
		"a part of state": strings.Replace(string(text), `"currency": "LYD",`, ``, 1),
		"more in state": strings.Replace(string(text), `"currency": "LYD",`,
			`"currency": "LYD", "paid": true,`, 1),
	} {
		r := call(t, nil, "audit", "check", "--proof", write(t, dir, "odd.json", changed), "--json")
		if v := parse[verdict](t, r.out); changed == string(text) || r.code != 1 || v.OK || v.Reason == "" {
			t.Errorf("%s: exit %d, %s", what, r.code, r.out)
		}
	}
	other := call(t, nil, "audit", "new-key", "--origin", "pay.example.ly", "--json")
	made := parse[struct {
		PublicKey string `json:"public_key"`
	}](t, other.out)
	r = call(t, nil, "audit", "check", "--proof", file, "--key", made.PublicKey, "--json")
	if r.code != 1 || parse[verdict](t, r.out).OK {
		t.Errorf("with another key: exit %d, %s", r.code, r.out)
	}
	for _, args := range [][]string{
		{"--proof", filepath.Join(dir, "absent")}, {"--proof", file, "--key", "nonsense"},
		{"--proof", file, "--checkpoint", file}, {},
	} {
		if r := call(t, nil, append([]string{"audit", "check"}, args...)...); r.code != 2 {
			t.Errorf("audit check %v: exit %d, want 2", args, r.code)
		}
	}
}

func tamper(t *testing.T, db *pgtest.DB, statements ...string) {
	t.Helper()
	pool := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1})
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		for _, statement := range append([]string{`ALTER TABLE events DISABLE TRIGGER ALL`}, statements...) {
			if _, err := tx.Exec(t.Context(), statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("tamper: %v", err)
	}
}

// A server does not start on a log that is older than what was published. The public log is below
// /transparency/.
func TestServerRefusesAnOlderLog(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	dir := t.TempDir()
	private := parse[struct {
		PrivateKey string `json:"private_key"`
		PublicKey  string `json:"public_key"`
	}](t, call(t, nil, "audit", "new-key", "--origin", "log.example.ly", "--json").out)
	extra := []string{
		"DAFTAR_CHECKPOINT_DIR=" + dir,
		"DAFTAR_TRANSPARENCY_KEY_FILE=" + write(t, t.TempDir(), "key", private.PrivateKey+"\n"),
	}
	s := serve(t, db.URL(), extra...)
	who := newShop(t, s.env)
	s.ask(t, who, http.MethodPost, "/payment-intents", order("b-1"))
	s.ask(t, who, http.MethodPost, "/payment-intents", order("b-2"))
	note := awaitCheckpoint(t, s.env, "2")
	pgtest.WaitFor(t, "the checkpoint's file", func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "latest"))
		return err == nil && string(text) == note
	})
	public := strings.TrimSuffix(s.base, "/api/v1") + "/transparency/"
	for path, want := range map[string]string{"checkpoint": note, "key": private.PublicKey + "\n"} {
		if got := fetch(t, public+path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	// The gauge is set after the checkpoint is visible.
	pgtest.WaitFor(t, "the gauge of the log's size", func() bool {
		return strings.Contains(fetch(t, s.ops+"/metrics"), "\ndaftar_transparency_size 2\n")
	})
	s.Stop(t, syscall.SIGTERM)

	// The state of an older backup.
	tamper(t, db, `DELETE FROM events WHERE position = 2`,
		`ALTER TABLE transparency_checkpoints DISABLE TRIGGER ALL`,
		`DELETE FROM transparency_checkpoints`, `DELETE FROM transparency_tiles`,
		`UPDATE transparency_tree SET size = 0`,
		`UPDATE consumer_offsets SET position = 0`)
	r := call(t, s.env, "serve")
	if r.code != 1 || !strings.Contains(r.errors, "DAFTAR_CHECKPOINT_DIR") ||
		!strings.Contains(r.errors, "2 events were published, the log has 1") {
		t.Errorf("exit %d, %s", r.code, r.errors)
	}
}

func fetch(t *testing.T, url string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTransparencyVariablesAreChecked(t *testing.T) {
	t.Parallel()
	r := call(t, []string{
		"DAFTAR_TRANSPARENCY_KEY=PRIVATE+KEY+hush", "DAFTAR_CHECKPOINT_URL=http://example.ly/log",
		"DAFTAR_DATABASE_URL=postgres://localhost/x",
		"DAFTAR_SECRET_KEY=" + secretKey,
	}, "serve")
	if r.code != 2 || !strings.Contains(r.errors, "DAFTAR_TRANSPARENCY_KEY:") ||
		!strings.Contains(r.errors, "DAFTAR_CHECKPOINT_URL:") ||
		strings.Contains(r.errors, "hush") {
		t.Errorf("exit %d, %s", r.code, r.errors)
	}
	db := pgtest.Database(t)
	r = call(t, []string{
		"DAFTAR_DATABASE_URL=" + db.URL(), "DAFTAR_SECRET_KEY=" + secretKey, "DAFTAR_LISTEN=127.0.0.1:0",
		"DAFTAR_OPS_LISTEN=127.0.0.1:0", "DAFTAR_CHECKPOINT_DIR=/nowhere/at/all",
	}, "serve")
	if r.code != 2 || !strings.Contains(r.errors, "DAFTAR_CHECKPOINT_DIR") {
		t.Errorf("exit %d, %s", r.code, r.errors)
	}
}

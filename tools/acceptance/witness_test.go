package acceptance_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// rewriteLedger changes a signed amount, as a superuser, and everything in the database that proves
// it: the server's group builds the tree again, and no checkpoint is left.
func rewriteLedger(t *testing.T, db *pgtest.DB) {
	t.Helper()
	tamper(t, db,
		`UPDATE events SET payload = replace(payload, '"amount":5000', '"amount":4000') WHERE position = 2`,
		`ALTER TABLE transparency_checkpoints DISABLE TRIGGER ALL`, `DELETE FROM transparency_checkpoints`,
		`DELETE FROM transparency_cosignatures`,
		`DELETE FROM transparency_tiles`, `UPDATE transparency_tree SET size = 0`,
		`UPDATE consumer_offsets
		 SET position = 0, halted_reason = NULL, retry_at = NULL
		 WHERE consumer_group = 'transparency'`)
}

func count(t *testing.T, db *pgtest.DB, query string) (n int) {
	t.Helper()
	pool := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1})
	rows, err := pool.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	n, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[int])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// awaitForkGauge waits for the gauge that reports that the log contradicts what was signed.
func awaitForkGauge(t *testing.T, s *service, value string) {
	t.Helper()
	pgtest.WaitFor(t, "daftar_transparency_forked "+value, func() bool {
		return strings.Contains(fetch(t, s.ops+"/metrics"), "\ndaftar_transparency_forked "+value+"\n")
	})
}

// seen is the answer of audit witness --once.
type seen struct {
	OK       bool
	Size     int
	Note     string
	Reason   string
	Evidence []string
}

// A superuser rewrites the ledger and everything in the database that proves it. The running server
// signs nothing more. After a restart the server cannot know, and the witness reports the rewrite.
func TestWitnessCatchesARewrittenLedger(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL(), "DAFTAR_PUBLIC_URL=https://pay.example.ly")
	who := newShop(t, s.env)
	for _, reference := range []string{"a-1", "a-2", "a-3"} {
		s.ask(t, who, http.MethodPost, "/payment-intents", order(reference))
	}
	kept := awaitCheckpoint(t, s.env, "3")
	state := filepath.Join(t.TempDir(), "witness.json")
	look := func(code int) seen {
		t.Helper()
		r := call(t, nil, "audit", "witness", "--from", strings.TrimSuffix(s.base, "/api/v1"), "--state", state,
			"--name", "witness.example.ly/1", "--once", "--json")
		if r.code != code || r.out == "" {
			t.Fatalf("exit %d, want %d: %s%s", r.code, code, r.out, r.errors)
		}
		return parse[seen](t, r.out)
	}
	first := look(0)
	if !first.OK || first.Size != 3 || !strings.HasPrefix(first.Note, kept) ||
		strings.Count(first.Note, "\n— ") != 2 {
		t.Errorf("cosigned %+v", first)
	}
	if got := fetch(t, strings.TrimSuffix(s.base, "/api/v1")+"/checkpoint"); got != kept {
		t.Errorf("/checkpoint is %q", got)
	}

	rewriteLedger(t, db)
	s.ask(t, who, http.MethodPost, "/payment-intents", order("a-4"))
	pgtest.WaitFor(t, "the tree", func() bool {
		return count(t, db, `SELECT size::int FROM transparency_tree`) == 4
	})
	awaitForkGauge(t, s, "1")
	s.ask(t, who, http.MethodPost, "/payment-intents", order("a-5"))
	pgtest.WaitFor(t, "the tree", func() bool {
		return count(t, db, `SELECT size::int FROM transparency_tree`) == 5
	})
	if n := count(t, db, `SELECT count(*)::int FROM transparency_checkpoints`); n != 0 {
		t.Errorf("%d checkpoints were signed", n)
	}
	if v := parse[verified](t, call(t, s.env, "audit", "verify", "--json").out); !v.OK {
		t.Errorf("the database alone looks wrong, so this test shows nothing: %+v", v)
	}
	file := write(t, t.TempDir(), "kept", first.Note)
	r := call(t, s.env, "audit", "verify", "--checkpoint", file, "--json")
	if v := parse[verified](t, r.out); r.code != 1 || v.FirstWrong.Kind != "rewritten" {
		t.Errorf("held to what the witness cosigned: exit %d, %s", r.code, r.out)
	}

	s.Stop(t, syscall.SIGTERM)
	again := serve(t, db.ServiceURL(), "DAFTAR_PUBLIC_URL=https://pay.example.ly")
	s.base = again.base
	awaitCheckpoint(t, again.env, "5")
	found := look(1)
	if found.OK || !strings.Contains(found.Reason, "REWRITTEN") || len(found.Evidence) != 2 {
		t.Fatalf("found %+v", found)
	}
	for n, size := range []string{"3", "5"} {
		if text := read(t, found.Evidence[n]); !strings.HasPrefix(text, "pay.example.ly\n"+size+"\n") {
			t.Errorf("%s: %q", found.Evidence[n], text)
		}
	}
	text := call(t, nil, "audit", "witness", "--from", strings.TrimSuffix(s.base, "/api/v1"),
		"--state", state, "--once")
	if text.code != 1 || !strings.Contains(text.out, "WRONG: THE LOG WAS REWRITTEN") {
		t.Errorf("for people: exit %d, %s%s", text.code, text.out, text.errors)
	}
}

var cosignerForm = regexp.MustCompile(`witness\.example\.ly/1\+[0-9a-f]{8}\+\S+`)

// A witness that listens cosigns each checkpoint as it is signed. After a rewrite it stops the
// restarted server, and ends with its findings.
func TestServerAsksItsWitnesses(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	dir, listen := t.TempDir(), address(t)
	state := filepath.Join(dir, "witness.json")
	once := call(t, nil, "audit", "witness", "--from", "http://127.0.0.1:1",
		"--state", state, "--name", "witness.example.ly/1", "--once")
	key := cosignerForm.FindString(once.errors)
	if key == "" {
		t.Fatal("the witness does not say which key it has")
	}
	extra := []string{
		"DAFTAR_PUBLIC_URL=https://pay.example.ly", "DAFTAR_WITNESSES=" + key + " http://" + listen,
	}
	s := serve(t, db.ServiceURL(), extra...)
	who := newShop(t, s.env)
	s.ask(t, who, http.MethodPost, "/payment-intents",
		order("b-1")) // the witness does not run yet, and delays nothing
	awaitCheckpoint(t, s.env, "1")
	root := strings.TrimSuffix(s.base, "/api/v1")
	w, out := start(t, dir, nil, "audit", "witness", "--from", root,
		"--state", state, "--listen", listen, "--every", "1s")
	for n := 2; n <= 4; n++ {
		s.ask(t, who, http.MethodPost, "/payment-intents", order("b-"+strconv.Itoa(n)))
	}
	pgtest.WaitFor(t, "a cosigned checkpoint", func() bool {
		note := fetch(t, root+"/transparency/checkpoint")
		return strings.HasPrefix(note, "pay.example.ly\n4\n") && strings.Contains(note, "\n— witness.example.ly/1 ")
	})
	awaitForkGauge(t, s, "0")
	s.Stop(t, syscall.SIGTERM)

	rewriteLedger(t, db)
	again := serve(t, db.ServiceURL(), append(extra, "DAFTAR_LISTEN="+strings.TrimPrefix(root, "http://"))...)
	again.base = s.base
	again.ask(t, who, http.MethodPost, "/payment-intents", order("b-5"))
	// Missing checkpoints alone also set the gauge to 1, but then the server signs: the log entry
	// tells the cases apart.
	pgtest.WaitFor(t, "the witness's word", func() bool {
		return strings.Contains(again.Logged(), "transparency: no checkpoint signed")
	})
	awaitForkGauge(t, again, "1")
	signed := count(t, db, `SELECT count(*)::int FROM transparency_checkpoints`)
	if signed > 2 {
		t.Errorf("%d checkpoints were signed without the witness", signed)
	}
	answer, err := io.ReadAll(out) // until it ends
	if err != nil || !strings.Contains(string(answer), "WRONG: THE LOG WAS REWRITTEN") {
		t.Errorf("the witness says %s%s (%v)", answer, w.Logged(), err)
	}
	evidence, err := filepath.Glob(filepath.Join(dir, "witness.json.evidence-4-*"))
	if err != nil || len(evidence) != 2 {
		t.Errorf("evidence %v, %v", evidence, err)
	}
	again.ask(t, who, http.MethodPost, "/payment-intents", order("b-6"))
	pgtest.WaitFor(t, "the tree", func() bool {
		return count(t, db, `SELECT size::int FROM transparency_tree`) == 6
	})
	if now := count(t, db, `SELECT count(*)::int FROM transparency_checkpoints`); now != signed {
		t.Errorf("%d checkpoints more were signed", now-signed)
	}
	if info, err := os.Stat(state); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the state has the rights %v (%v)", info, err)
	}
}

func TestWitnessIsCalledRightly(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	for name, args := range map[string][]string{
		"no address":    {"--state", state},
		"no state":      {"--from", "https://pay.example.ly"},
		"a bad address": {"--from", "pay.example.ly", "--state", state},
		"too often":     {"--from", "https://pay.example.ly", "--state", state, "--every", "1ms"},
		"once and for all": {
			"--from", "https://pay.example.ly", "--state", state, "--once", "--listen", "127.0.0.1:0",
		},
		"a bad key": {"--from", "https://pay.example.ly", "--state", state, "--key", "nonsense"},
	} {
		if r := call(t, nil, append([]string{"audit", "witness"}, args...)...); r.code != 2 {
			t.Errorf("%s: exit %d, %s%s", name, r.code, r.out, r.errors)
		}
	}
	r := call(t, nil, "audit", "witness", "--from", "http://127.0.0.1:1", "--state",
		filepath.Join(state, "not", "there"), "--once")
	if r.code != 2 {
		t.Errorf("a state that cannot be kept: exit %d, %s", r.code, r.errors)
	}
	r = call(t, nil, "audit", "witness", "--from", "http://127.0.0.1:1", "--state", state, "--once")
	if r.code != 3 {
		t.Errorf("a log out of reach: exit %d, %s", r.code, r.errors)
	}
	r = call(t, []string{"DAFTAR_DATABASE_URL=postgres://localhost/x", "DAFTAR_WITNESSES=nobody"}, "doctor")
	if r.code != 2 || !strings.Contains(r.errors, "DAFTAR_WITNESSES:") {
		t.Errorf("exit %d, %s", r.code, r.errors)
	}
}

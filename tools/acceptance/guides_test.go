package acceptance_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// guides does what the other guides say, each in a terminal of its own: the commands run,
// and print each line that the guide shows as theirs.
func (q *quickStart) guides() {
	q.t.Helper()
	files, err := filepath.Glob("../../docs/*.ar.md") // each has an English edition with the same code
	if err != nil {
		q.t.Fatal(err)
	}
	ran := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ar.md")
		if name == "quickstart" || name == "webhooks" { // TestQuickStart and TestGuideToWebhooks run theirs
			continue
		}
		script, shown := q.setup, ""
		for _, s := range snippetsOf(read(q.t, "../../docs/"+name+".md")) {
			switch s.language {
			case "sh":
				script += s.source
				ran++
			case "text":
				shown += s.source
			case "": // a picture
			case "sql":
				succeedsOnce(q.t, s.source)
			default:
				q.t.Errorf("%s.md has a piece of %s that nothing runs", name, s.language)
			}
		}
		if script == q.setup {
			continue
		}
		printed := q.run(script)
		for line := range strings.Lines(shown) {
			if line = strings.TrimSpace(line); !strings.Contains(printed, line) {
				q.t.Errorf("%s.md shows %q, and its commands print\n%s", name, line, printed)
			}
		}
	}
	if ran < 9 {
		q.t.Errorf("only %d pieces of the guides were run", ran)
	}
}

// succeedsOnce runs a statement of a shop twice: the first time it changes the order, the
// second time nothing.
func succeedsOnce(t *testing.T, statement string) {
	t.Helper()
	pool := pgtest.Database(t).OwnerPool(t)
	if _, err := pool.Exec(t.Context(), `CREATE TABLE orders (reference text, paid_at timestamptz)`); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), `INSERT INTO orders VALUES ('order-1001'), ('cart-7'), ('another')`); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int64{1, 0} {
		done, err := pool.Exec(t.Context(), statement)
		if err != nil || done.RowsAffected() != want {
			t.Errorf("%s changes %d rows (%v), want %d", statement, done.RowsAffected(), err, want)
		}
	}
}

// The commands of the guide to webhooks do what it says, with the service's address, the
// credentials and the ids of a payment in place of those that it shows. tools/docs/verifiers
// runs its verifiers.
func TestGuideToWebhooks(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL())
	who := newShop(t, s.env)
	intent := s.ask(t, who, "POST", "/payment-intents", order("guide")).data.UUID
	shown := strings.NewReplacer("https://pay.example", "http://"+s.host(), "b3d6f0a4-52c7-5e18-a1f9-0d4c6e7b8a91", intent, "pk_…", who.key, "at_…", who.token)
	ran := 0
	for _, piece := range snippetsOf(read(t, "../../docs/webhooks.md")) {
		switch {
		case piece.language == "sql":
			succeedsOnce(t, piece.source)
			ran++
		case piece.language == "sh" && strings.HasPrefix(piece.source, "curl "):
			printed, err := exec.CommandContext(t.Context(), "bash", "-euc", shown.Replace(piece.source)).Output()
			if err != nil || !strings.Contains(string(printed), `"status":"requires_payment_method"`) {
				t.Errorf("%s prints %s: %v", piece.source, printed, err)
			}
			ran++
		case piece.language == "sh":
			command := strings.Replace(strings.TrimSpace(piece.source), "APPLICATION", who.app, 1)
			if r := call(t, s.env, strings.Fields(strings.TrimPrefix(command, "daftar "))...); r.code != 0 {
				t.Errorf("%s: exit %d: %s", command, r.code, r.errors)
			}
			ran++
		}
	}
	if ran != 3 {
		t.Errorf("%d commands were run", ran)
	}
}

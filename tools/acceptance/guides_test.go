package acceptance_test

import (
	"os/exec"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// snippet is a code block of a guide.
type snippet struct {
	section, part    string // its headings
	before           string // the line before it
	language, source string
}

// snippetsOf reads the guide.
func snippetsOf(text string) (all []snippet) {
	var s snippet
	inside := false
	for line := range strings.Lines(text) {
		plain := strings.TrimSuffix(line, "\n")
		switch {
		case inside && plain == "```":
			inside = false
			all = append(all, s)
			s.source = ""
		case inside:
			s.source += line
		case strings.HasPrefix(plain, "```"):
			inside, s.language = true, strings.TrimPrefix(plain, "```")
		case strings.HasPrefix(plain, "## "):
			s.section, s.part, s.before = plain, "", ""
		case strings.HasPrefix(plain, "### "):
			s.part, s.before = strings.TrimPrefix(strings.TrimPrefix(plain, "### "), "With "), ""
		case plain != "":
			s.before = plain
		}
	}
	return all
}

// succeedsOnce runs a statement of a shop twice: the first time it changes the order, the
// second time nothing.
func succeedsOnce(t *testing.T, statement string) {
	t.Helper()
	pool := pgtest.Database(t).OwnerPool(t)
	const tableSQL = `CREATE TABLE orders (reference text, paid_at timestamptz)`
	if _, err := pool.Exec(t.Context(), tableSQL); err != nil {
		t.Fatal(err)
	}
	const ordersSQL = `INSERT INTO orders VALUES ('order-1001'), ('cart-7'), ('another')`
	if _, err := pool.Exec(t.Context(), ordersSQL); err != nil {
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
	shown := strings.NewReplacer(
		"https://pay.example", "http://"+s.host(),
		"b3d6f0a4-52c7-5e18-a1f9-0d4c6e7b8a91", intent,
		"pk_…", who.key,
		"at_…", who.token,
	)
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

package acceptance_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"daftar/books/bookstest"
	"daftar/books/export"
	"daftar/domain"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

// bookkeeping is an organisation with the books of a history, and a server that follows its log.
type bookkeeping struct {
	*service

	db      *pgtest.DB
	history bookstest.History
	dir     string
}

func keepBooks(t *testing.T, h bookstest.History) bookkeeping {
	t.Helper()
	db := pgtest.Database(t)
	pool := db.OwnerPool(t)
	const organizationSQL = `INSERT INTO organizations (uuid, name, created_at) VALUES ($1, 'متجر', now())`
	const applicationSQL = `
		INSERT INTO applications (uuid, organization_uuid, name, active, namespace, api_key_hash,
		                          api_key_ending, api_key_rolled_at, webhook_secret,
		                          webhook_secret_rolled_at, created_at)
		VALUES ($1, $2, 'shop', true, $1, sha256($3), 'abcd', now(), '', now(), now())`
	if _, err := pool.Exec(t.Context(), organizationSQL, h.Tenant.Organization); err != nil {
		t.Fatal(err)
	}
	for _, a := range h.Applications {
		if _, err := pool.Exec(t.Context(), applicationSQL, a, h.Tenant.Organization, a[:]); err != nil {
			t.Fatal(err)
		}
	}
	columns := []string{
		"position", "stream_id", "version", "type", "schema_version", "payload", "metadata", "recorded_at",
	}
	_, err := pool.CopyFrom(t.Context(), pgx.Identifier{"events"}, columns,
		pgx.CopyFromSlice(len(h.Events), func(n int) ([]any, error) {
			e := h.Events[n]
			return []any{
				e.Position, [16]byte(e.Stream), e.Version, e.Type, e.SchemaVersion, string(e.Payload),
				string(e.Metadata), e.RecordedAt,
			}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"DAFTAR_DATABASE_URL=" + db.URL(), "DAFTAR_SECRET_KEY=" + secretKey}
	if r := call(t, env, "projections", "rebuild", "intents", "--accept-drift"); r.code != 0 {
		t.Fatalf("rebuild: exit %d, %s%s", r.code, r.out, r.errors)
	}
	k := bookkeeping{
		serve(t, db.ServiceURL(), "DAFTAR_PUBLIC_URL=https://books.example.ly"), db, h, t.TempDir(),
	}
	awaitCheckpoint(t, k.env, strconv.Itoa(len(h.Events)))
	return k
}

// books calls a command on the organisation's books.
func (k bookkeeping) books(t *testing.T, args ...string) run {
	t.Helper()
	of := []string{"--org", k.history.Tenant.Organization.String()}
	return call(t, k.env, slices.Concat([]string{"books"}, args, of)...)
}

// bookLines are accounts with amounts in an answer.
type bookLines []struct {
	Account string `json:"account"`
	Amount  int64  `json:"amount"`
}

func (l bookLines) byName() map[string]int64 {
	all := map[string]int64{}
	for _, a := range l {
		all[a.Account] = a.Amount
	}
	return all
}

// Balances and the journal are those of package books, at every time.
func TestBooks(t *testing.T) {
	t.Parallel()
	k := keepBooks(t, bookstest.Random(3, 300))
	journal := k.history.Journal()
	day := domain.DayOf(journal[len(journal)/2].At)
	for at, upTo := range map[string]int{
		"2100-01-01": len(journal), "2000-01-01": 0, day.String(): untilDay(journal, day),
		journal[7].At.Format("2006-01-02T15:04:05.000000Z07:00"): 8,
	} {
		type balance struct {
			Position   int64
			RecordedAt *string `json:"recorded_at"`
			Due, Sum   int64
			Accounts   bookLines
		}
		r := k.books(t, "balance", "--json", "--at", at)
		got, want := answered[balance](t, []string{"balance", at}, r), bookstest.Balances(journal[:upTo])
		if diff := cmp.Diff(want, got.Accounts.byName()); diff != "" || got.Sum != 0 {
			t.Errorf("at %s, sum %d (-want +got):\n%s", at, got.Sum, diff)
		}
		due := want["assets:due:moamalat"] + want["assets:due:plutu"] + want["assets:due:sandbox"]
		if got.Due != due || (got.RecordedAt == nil) != (got.Position == 0) {
			t.Errorf("at %s: %+v, want %d to be due", at, got, due)
		}
		lines := strings.Split(strings.TrimSpace(k.books(t, "journal", "--json", "--at", at).out), "\n")
		for n, e := range journal[:upTo] {
			type entry struct {
				Position   int64
				Kind, Day  string
				Reference  string
				Settlement *string
				Lines      bookLines
			}
			got := parse[entry](t, lines[n])
			if got.Position != e.Position || got.Kind != string(e.Kind) || got.Reference != e.Reference ||
				got.Day != domain.DayOf(e.At).String() || len(got.Lines) != len(e.Lines) ||
				(got.Settlement == nil) != e.ValueDate.IsZero() {
				t.Errorf("entry %d is %s, want %+v", n, lines[n], e)
			}
		}
		if upTo > 0 && len(lines) != upTo {
			t.Errorf("the journal at %s has %d entries, want %d", at, len(lines), upTo)
		}
	}
	rest := strings.Count(k.books(t, "journal", "--json", "--from", day.Add(1).String()).out, "\n")
	if want := len(journal) - untilDay(journal, day); rest != want {
		t.Errorf("%d entries after %s, want %d", rest, day, want)
	}
	if text := k.books(t, "journal").out; strings.Contains(text, "\u202e") || !strings.Contains(text, `\u202e`) {
		t.Error("a reference changes the direction of the text after it")
	}
	k.refuse(t)
	k.verify(t, len(journal))
}

// untilDay is how many entries there are up to the end of a day.
func untilDay(journal []export.Entry, day domain.Day) int {
	n := 0
	for _, e := range journal {
		if e.At.Before(day.Add(1).Start()) {
			n++
		}
	}
	return n
}

// refuse calls commands that cannot be right.
func (k bookkeeping) refuse(t *testing.T) {
	t.Helper()
	for args, code := range map[string]int{
		"balance --at yesterday": 2, "export": 2, "export --format xlsx": 2, "journal --mode sandbox": 2,
		"balance --mode test": 1, "export --format csv --mode test": 1,
	} {
		if r := k.books(t, strings.Fields(args)...); r.code != code || r.out != "" {
			t.Errorf("%s: exit %d, want %d: %s", args, r.code, code, r.out+r.errors)
		}
	}
}

// verify finds the books right, and then a sum that was changed.
func (k bookkeeping) verify(t *testing.T, entries int) {
	t.Helper()
	type report struct {
		OK      bool
		Entries int
	}
	r := k.books(t, "verify", "--json")
	if got := parse[report](t, r.out); r.code != 0 || !got.OK || got.Entries != entries {
		t.Errorf("verify: exit %d, %s, want %d entries", r.code, r.out, entries)
	}
	env := append(auditor(t, k.db), k.env[1:]...)
	audited := k
	audited.service = &service{env: env}
	for _, args := range []string{"balance", "journal", "export --format csv", "verify"} {
		if r := audited.books(t, strings.Fields(args)...); r.code != 0 || r.out == "" {
			t.Errorf("%s with an auditor's login: exit %d, %s", args, r.code, r.errors)
		}
	}
	// A read model that the books are read by.
	const deleteSQL = `DELETE FROM intents WHERE uuid = $1`
	first := k.history.Journal()[0].Stream
	if _, err := k.db.OwnerPool(t).Exec(t.Context(), deleteSQL, first); err != nil {
		t.Fatal(err)
	}
	if r := k.books(t, "verify"); r.code != 1 || !strings.Contains(r.out, "THE BOOKS DIFFER") {
		t.Errorf("an intent less: exit %d, %s", r.code, r.out)
	}
}

// script runs docs/books/verify.py on an export.
func (k bookkeeping) script(t *testing.T, log, exported string, kept ...string) (out string, err error) {
	t.Helper()
	file := write(t, k.dir, "books.txt", exported)
	c := exec.CommandContext(t.Context(), "python3",
		append([]string{"../../docs/books/verify.py", file}, kept...)...)
	c.Stdin = strings.NewReader(log)
	text, err := c.CombinedOutput()
	return string(text), err
}

// The script finds each export right, whatever its form and span, and every change of what it is given.
func TestBooksWithoutOurWord(t *testing.T) {
	t.Parallel()
	k := keepBooks(t, bookstest.Random(5, 300))
	log := call(t, k.env, "events", "export").out
	kept := write(t, k.dir, "kept", call(t, k.env, "audit", "checkpoint").out)
	var exported string
	for _, args := range [][]string{
		{"--at", "2026-09-03"}, {"--from", "2026-09-02", "--at", "2026-09-04"}, {},
	} {
		for _, f := range export.Formats() {
			r := k.books(t, append([]string{"export", "--format", string(f)}, args...)...)
			exported = r.out
			if out, err := k.script(t, log, exported, kept); r.code != 0 || err != nil {
				t.Errorf("%s %v: exit %d, %s%s", f, args, r.code, r.errors, out)
			}
		}
	}
	k.sameBalances(t, log, exported)
	lines := strings.SplitAfter(log, "\n")
	inLog := func(old, instead string) [2]string {
		return [2]string{strings.Replace(log, old, instead, 1), exported}
	}
	inExport := func(old, instead string) [2]string {
		return [2]string{log, strings.Replace(exported, old, instead, 1)}
	}
	size := " " + strconv.Itoa(len(k.history.Events)) + " "
	for name, c := range map[string]struct {
		given [2]string
		want  string
	}{
		"an event changed":      {inLog(`\"amount\":`, `\"amount\":1`), "root"},
		"metadata changed":      {inLog("system", "nobody"), "root"},
		"an event missing":      {inLog(lines[4], ""), "follows"},
		"the end missing":       {inLog(lines[len(lines)-2], ""), "ends"},
		"an amount changed":     {inExport(",assets:due", ",assets:bank"), "position"},
		"an entry missing":      {[2]string{log, withoutEntry(exported)}, "position"},
		"an application less":   {inExport(k.history.Applications[0].String(), ""), "position"},
		"another root":          {inExport(size, size+"x"), "root"},
		"beyond the checkpoint": {inExport(size, " 7 "), "covers"},
	} {
		out, err := k.script(t, c.given[0], c.given[1])
		if err == nil || !strings.Contains(out, "WRONG") || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v, %s", name, err, out)
		}
	}
	forged := write(t, k.dir, "forged", strings.Replace(read(t, kept), "\n", "\n1", 1))
	if out, err := k.script(t, log, exported, forged); err == nil || !strings.Contains(out, "WRONG") {
		t.Errorf("a checkpoint of a larger log: %v, %s", err, out)
	}
}

// sameBalances holds the script to package books.
func (k bookkeeping) sameBalances(t *testing.T, log, exported string) {
	t.Helper()
	out, err := k.script(t, log, exported)
	if err != nil {
		t.Errorf("the script: %v", err)
	}
	for account, amount := range bookstest.Balances(k.history.Journal()) {
		line := fmt.Sprintf("\n%-36s %s LYD\n", account, export.Amount(amount))
		if !strings.Contains(out, line) {
			t.Errorf("the script does not say %q:\n%s", line, out)
		}
	}
}

var (
	// guideOutput finds the commands of a guide that are shown with their output.
	guideOutput = regexp.MustCompile("(?s)```sh\n([^`]*?)```\n\n```text\n(.*?)```")
	spaceAtEnd  = regexp.MustCompile(` +\n`)
)

// The commands of the guide for accountants print what it shows, over the payments that it tells of.
func TestGuideToAccounting(t *testing.T) {
	t.Parallel()
	k := keepBooks(t, bookstest.Story())
	write(t, k.dir, "verify.py", read(t, "../../docs/books/verify.py"))
	write(t, k.dir, "kept", call(t, k.env, "audit", "checkpoint").out)
	path := "PATH=" + filepath.Dir(programtest.Daftar(t)) + ":" + os.Getenv("PATH")
	shown := guideOutput.FindAllStringSubmatch(read(t, "../../docs/accounting.md"), -1)
	if len(shown) < 8 {
		t.Fatalf("%d commands", len(shown))
	}
	for _, one := range shown {
		command := strings.ReplaceAll(one[1], "--org U", "--org "+k.history.Tenant.Organization.String())
		c := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", command)
		c.Dir, c.Env = k.dir, append(slices.Clone(k.env), path, "LC_ALL=C.UTF-8", "HOME="+k.dir)
		out, err := c.Output()
		printed := spaceAtEnd.ReplaceAllString(string(out), "\n")
		if diff := cmp.Diff(one[2], printed); diff != "" || err != nil {
			t.Errorf("%s: %v (-guide +printed):\n%s", one[1], err, diff)
		}
	}
}

// withoutEntry leaves out the last entry of a table.
func withoutEntry(table string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(table, "\n"), "\n")
	last := strings.Split(lines[len(lines)-1], ",")[2]
	var rest []string
	for _, l := range lines {
		if fields := strings.Split(l, ","); len(fields) < 3 || fields[2] != last {
			rest = append(rest, l)
		}
	}
	return strings.Join(rest, "")
}

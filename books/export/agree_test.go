package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/books/bookstest"
	"daftar/books/export"
)

// hledger, ledger and beancount read the journals of random histories, find every entry in balance, and
// have the balances of package books.
func TestToolsAgree(t *testing.T) {
	t.Parallel()
	agree(t, 6, 200)
}

// agree holds the three programs to package books, for histories of some events each.
func agree(t *testing.T, histories, events int) {
	t.Helper()
	dir := t.TempDir()
	var want []tally
	var beans []string
	kinds := map[string]int{}
	for n := range histories {
		h := bookstest.Random(uint64(n), events)
		journal := h.Journal()
		for _, e := range journal {
			kinds[string(e.Kind)]++
		}
		want = append(want, tally{len(journal), bookstest.Balances(journal)})
		file := filepath.Join(dir, fmt.Sprintf("%d.journal", n))
		bean := strings.TrimSuffix(file, "journal") + "beancount"
		beans = append(beans, bean)
		save(t, file, written(t, export.Hledger, h))
		save(t, bean, written(t, export.Beancount, h))
		for program, in := range map[string]reader{
			"hledger": {balancesInHledger, entriesInHledger}, "ledger": {balancesInLedger, entriesInLedger},
		} {
			if diff := cmp.Diff(want[n].Balances, in.balances(t, file)); diff != "" {
				t.Errorf("history %d in %s (-want +got):\n%s", n, program, diff)
			}
			if n%20 > 0 {
				continue // most of the time goes into starting programs
			}
			if got := in.entries(t, file); got != want[n].Entries {
				t.Errorf("history %d in %s: %d entries, want %d", n, program, got, want[n].Entries)
			}
		}
	}
	for n, got := range inBeancount(t, beans) {
		if diff := cmp.Diff(want[n], got); diff != "" {
			t.Errorf("history %d in beancount (-want +got):\n%s", n, diff)
		}
	}
	if len(kinds) != 6 {
		t.Errorf("the histories have entries of the kinds %v", kinds)
	}
}

// reader reads a journal by one of the programs.
type reader struct {
	balances func(*testing.T, string) map[string]int64
	entries  func(*testing.T, string) int
}

// tally is what a program finds in a journal.
type tally struct {
	Entries  int              `json:"entries"`
	Balances map[string]int64 `json:"balances"` // without those of 0
}

func save(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// written is a history's journal in a form.
func written(t *testing.T, f export.Format, h bookstest.History) string {
	t.Helper()
	var b bytes.Buffer
	w := export.New(f, &b, headOf(h))
	for _, e := range h.Journal() {
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func headOf(h bookstest.History) export.Head {
	return export.Head{
		Origin: "pay.example.ly", Size: int64(len(h.Events)), Root: "AAAA", Organization: h.Tenant.Organization,
		Mode: h.Tenant.Mode, Applications: h.Applications, UpTo: int64(len(h.Events)),
	}
}

// answer is that of a program which has nothing to complain of.
func answer(t *testing.T, name string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil || errs.Len() > 0 {
		t.Fatalf("%s %v: %v\n%s", name, args, err, errs.String())
	}
	return string(out)
}

// dirhams reads an amount such as 1234.500 LYD.
func dirhams(t *testing.T, text string) int64 {
	t.Helper()
	figures, found := strings.CutSuffix(strings.TrimSpace(text), " LYD")
	whole, decimals, _ := strings.Cut(figures, ".")
	n, err := strconv.ParseInt(whole+decimals, 10, 64)
	if !found || len(decimals) != 3 || err != nil {
		t.Fatalf("amount %q", text)
	}
	return n
}

// balancesInHledger has hledger check that every account and commodity is declared, too.
func balancesInHledger(t *testing.T, file string) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	for _, row := range rowsOfHledger(t, file, "balance", "--strict", "--flat", "--no-total")[1:] {
		all[row[0]] = dirhams(t, row[1])
	}
	return all
}

func entriesInHledger(t *testing.T, file string) int {
	t.Helper()
	rows := rowsOfHledger(t, file, "print")
	n, err := strconv.Atoi(rows[len(rows)-1][0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func rowsOfHledger(t *testing.T, file string, args ...string) [][]string {
	t.Helper()
	out := answer(t, "hledger", append([]string{"-f", file}, append(args, "-O", "csv")...)...)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// balancesInLedger is balancesInHledger of ledger.
func balancesInLedger(t *testing.T, file string) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	out := answer(t, "ledger", "--args-only", "-f", file, "--pedantic", "--strict", "balance", "--flat",
		"--no-total", "--balance-format", "%(account)\t%(display_total)\n")
	for line := range strings.Lines(out) {
		account, amount, _ := strings.Cut(line, "\t")
		all[account] = dirhams(t, amount)
	}
	return all
}

func entriesInLedger(t *testing.T, file string) int {
	t.Helper()
	return strings.Count(answer(t, "ledger", "--args-only", "-f", file, "print", "--raw"), "; position: ")
}

// inBeancount has beancount read files, in one process.
func inBeancount(t *testing.T, files []string) []tally {
	t.Helper()
	var all []tally
	// Debian's own Python has beancount, whichever is first in PATH.
	out := answer(t, "/usr/bin/python3", append([]string{"testdata/balances.py"}, files...)...)
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		for account, amount := range one.Balances {
			delete(one.Balances, account)
			one.Balances[strings.ToLower(account)] = amount
		}
	}
	return all
}

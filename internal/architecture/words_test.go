package architecture_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is how wide a line may be, so that two versions fit next to each other. A tab counts
// one. The linter (lll) and tools/docs, for prose, have the same number.
const maxColumns = 110

// A link may be longer: broken, it does not work. So may generated code, and what PostgreSQL has
// stored of a function since its migration was applied.
func TestLinesAreNarrow(t *testing.T) {
	t.Parallel()
	eachFile(t, func(file, text string) {
		if strings.HasPrefix(text, "// Code generated ") {
			return
		}
		stored := false
		for n, line := range strings.Split(text, "\n") {
			if strings.HasSuffix(file, ".sql") && strings.Count(line, "$$")%2 == 1 {
				stored = !stored
			}
			columns := utf8.RuneCountInString(line)
			if columns > maxColumns && !stored && !strings.Contains(line, "://") {
				t.Errorf("%s:%d has %d columns", file, n+1, columns)
			}
		}
	}, ".go", ".sql")
}

// quaint are turns that a reader has to read twice, each with what the field says instead.
var quaint = []struct{ turn, better string }{
	{`(?i:(says|tells) whether)`, "reports whether"},
	{`(?i:beside)`, "next to"},
	{`(?i:anew)`, "again"},
	{`(?i:whoever)`, "the first that, anybody who"},
	{`Cancelled|[Cc]ancelling`, "canceled, canceling"}, // a state of LYPay is written cancelled
}

// Migrations are left out: what PostgreSQL has stored of their comments stays.
func TestWordsAreTheFields(t *testing.T) {
	t.Parallel()
	patterns := make([]*regexp.Regexp, len(quaint))
	for n, q := range quaint {
		patterns[n] = regexp.MustCompile(`\b(` + q.turn + `)\b`)
	}
	eachFile(t, func(file, text string) {
		if strings.HasSuffix(file, "architecture/words_test.go") || file == "CHANGELOG.md" {
			return
		}
		for n, line := range strings.Split(text, "\n") {
			for k, pattern := range patterns {
				if found := pattern.FindString(line); found != "" {
					t.Errorf("%s:%d has %q, and the field says %s", file, n+1, found, quaint[k].better)
				}
			}
		}
	}, ".go", ".md")
}

// eachFile calls f with the files of the product and of the tools that end in one of the endings.
func eachFile(t *testing.T, f func(file, text string), endings ...string) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root && notOurs(entry.Name()):
			return fs.SkipDir
		}
		for _, ending := range endings {
			if entry.IsDir() || !strings.HasSuffix(file, ending) {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			f(strings.TrimPrefix(file, root+string(filepath.Separator)), string(text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

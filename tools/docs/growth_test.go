package docs_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var madeTable = regexp.MustCompile(`(?m)^CREATE (?:UNLOGGED )?TABLE (\w+) \(`)

// The page on growth has a row for every table that a migration creates.
func TestEveryTableThatGrowsIsDescribed(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(root, "migrations", "*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	_, sizes, _ := strings.Cut(read(t, filepath.Join(root, "docs", "scaling.md")), "## Sizes")
	sizes, _, _ = strings.Cut(sizes, "\n## ")
	tables := 0
	for _, file := range files {
		for _, made := range madeTable.FindAllStringSubmatch(read(t, file), -1) {
			tables++
			if !strings.Contains(sizes, "`"+made[1]+"`") {
				t.Errorf("docs/scaling.md does not say how %s grows", made[1])
			}
		}
	}
	if tables < 40 {
		t.Errorf("%d tables are found: the migrations are not read as they are written", tables)
	}
}

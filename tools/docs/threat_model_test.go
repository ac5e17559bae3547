package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var namedTest = regexp.MustCompile("`([a-z][a-z/]*)\\.((?:Test|Fuzz)\\w+)`")

// Every test that the security pages name as a proof exists, and every row of an attack has one.
func TestThreatModelNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	var page []byte
	for _, name := range []string{"docs/threat-model.md", "docs/security-scan.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		page = append(page, text...)
	}
	known := map[string][]string{}
	named := 0
	for n, line := range strings.Split(string(page), "\n") {
		found := namedTest.FindAllStringSubmatch(line, -1)
		for _, m := range found {
			named++
			folder, name := m[1], m[2]
			if _, ok := known[folder]; !ok {
				known[folder] = testsOf(t, filepath.Join(root, filepath.FromSlash(folder)))
			}
			if !slices.Contains(known[folder], name) {
				t.Errorf("line %d: there is no %s in %s: %s", n+1, name, folder, line)
			}
		}
		cells := strings.Split(line, " | ")
		if len(cells) == 5 && !strings.Contains(line, "shown by") && len(found) == 0 {
			t.Errorf("line %d: no test shows %s", n+1, cells[1])
		}
	}
	if named < 80 {
		t.Errorf("%d tests are named: the page is not read as it is written", named)
	}
}

// testsOf returns the names of the tests in a folder.
func testsOf(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)

// The security pages link to existing files.
func TestSecurityPagesLeadSomewhere(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"docs/threat-model.md", "docs/security-scan.md", "SECURITY.md"} {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		links := link.FindAllStringSubmatch(string(text), -1)
		if len(links) == 0 {
			t.Errorf("%s has no links: they are not found", page)
		}
		for _, m := range links {
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s leads to %s: %v", page, m[1], err)
			}
		}
	}
}

package architecture_test

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

const (
	module   = "daftar"
	maxLines = 350
)

// impure are imports with which Decide and Evolve could depend on more than their
// arguments.
var impure = []string{
	"context", "os", "os/...", "net", "net/...", "database/sql", "database/sql/...",
	"log", "log/...", "math/rand", "math/rand/...", "crypto/rand",
	"github.com/jackc/...", "github.com/rs/zerolog",
}

var emptyNames = []string{
	"utils", "util", "common", "pkg", "models", "service", "services",
	"helpers", "helper", "manager", "misc",
}

func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		allowed, known := allowedImports(s.pkg)
		if !known {
			t.Errorf("%s: package %s has no row in the table of imports", s.path, s.pkg)
			continue
		}
		for _, imported := range s.imports {
			own, ours := strings.CutPrefix(imported, module+"/")
			if !ours {
				continue
			}
			product := !s.test && !strings.HasPrefix(s.pkg, "tools/") && !slices.Contains(forTests, s.pkg)
			if product && slices.Contains(forTests, own) {
				t.Errorf("%s imports %s, which is for tests", s.path, own)
			}
			if !s.test && !matchesAny(allowed, own) {
				t.Errorf("%s: %s may not import %s", s.path, s.pkg, own)
			}
		}
	}
}

// shared are the packages of one tool that the tests of another may use.
var shared = []string{"acceptance/browsertest", "docs/npmtest"}

// The product imports no package of tools: it is built and tested without their
// dependencies. Nor do tools import each other, except for the packages in shared.
func TestToolsStandApart(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, imported := range s.imports {
			own, ours := strings.CutPrefix(imported, module+"/tools/")
			if !ours {
				continue
			}
			tool, _, _ := strings.Cut(own, "/")
			ofTools := strings.HasPrefix(s.pkg, "tools/") && slices.Contains(shared, own)
			if !matches("tools/"+tool+"/...", s.pkg) && !ofTools {
				t.Errorf("%s imports %s, which belongs to a tool", s.path, imported)
			}
		}
	}
}

// ofAllAdapters are the packages that all adapters share.
var ofAllAdapters = []string{
	"payments/acquirer/exchange", "payments/acquirer/fake", "payments/acquirer/acquirertest",
	"payments/acquirer/statements", "payments/acquirer/conformance",
}

// An adapter does not import another adapter, not even in tests, which the table of
// imports would allow.
func TestAdaptersDoNotKnowEachOther(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if !isAdapter(s.pkg) {
			continue
		}
		for _, imported := range s.imports {
			own, ours := strings.CutPrefix(imported, module+"/")
			if ours && own != s.pkg && path.Dir(own) == "payments/acquirer" && !slices.Contains(ofAllAdapters, own) {
				t.Errorf("%s imports its sibling %s", s.path, own)
			}
		}
	}
}

func isAdapter(pkg string) bool {
	return path.Dir(pkg) == "payments/acquirer" && pkg != "payments/acquirer/registry" &&
		!slices.Contains(ofAllAdapters, pkg)
}

// Watermill needs a connection of database/sql, which the feed makes from pgx's. The rest of the
// code has one way to write a statement and to read a row.
func TestDatabaseSQLStaysInTheFeed(t *testing.T) {
	t.Parallel()
	inTheFeed := 0
	for _, s := range sources(t) {
		switch {
		case !slices.ContainsFunc(s.imports, func(i string) bool { return matches("database/sql/...", i) }):
		case s.pkg == "eventstore/feed":
			inTheFeed++
		default:
			t.Errorf("%s imports database/sql", s.path)
		}
	}
	if inTheFeed == 0 {
		t.Error("the feed does not import it either: this test looks for the wrong name")
	}
}

// The decisions about money and attempts depend on their arguments alone.
func TestDecisionsArePure(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range sources(t) {
		if s.pkg != "domain" && s.pkg != "payments/attempt" || s.test {
			continue
		}
		seen[s.pkg] = true
		for _, imported := range s.imports {
			if matchesAny(impure, imported) {
				t.Errorf("%s imports %s", s.path, imported)
			}
		}
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && readsClock(call) {
				t.Errorf("%s: a pure package reads the clock", s.files.Position(call.Pos()))
			}
			return true
		})
	}
	if len(seen) != 2 {
		t.Errorf("of the pure packages there are %v", seen)
	}
}

func readsClock(s *ast.SelectorExpr) bool {
	pkg, ok := s.X.(*ast.Ident)
	return ok && pkg.Name == "time" && slices.Contains([]string{
		"Now", "Since", "Until", "After", "NewTimer", "NewTicker", "Sleep", "Tick", "AfterFunc",
	}, s.Sel.Name)
}

func TestFilesAreShort(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.lines > maxLines {
			t.Errorf("%s has %d lines, more than %d", s.path, s.lines, maxLines)
		}
	}
}

func TestEveryPackageIntroducesItself(t *testing.T) {
	t.Parallel()
	introduced := map[string]bool{}
	for _, s := range sources(t) {
		if s.test && !introduced[s.pkg] {
			continue
		}
		says := path.Base(s.path) == "doc.go" && s.syntax.Doc.Text() != ""
		if s.syntax.Name.Name == "main" {
			says = s.syntax.Doc.Text() != ""
		}
		introduced[s.pkg] = introduced[s.pkg] || says
	}
	for pkg, did := range introduced {
		if !did {
			t.Errorf("%s has no doc.go that says what it promises", pkg)
		}
	}
}

func TestFoldersAreNamedForWhatTheyDo(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for part := range strings.SplitSeq(s.pkg, "/") {
			if slices.Contains(emptyNames, part) {
				t.Errorf("%s: %q says nothing", s.path, part)
			}
		}
	}
}

// `make test-long` runs the tests whose names begin with TestLong, from files that
// only its build tag compiles: none is run twice, and none is forgotten.
func TestNamesOfLongTests(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if !s.test {
			continue
		}
		tagged := false
		for _, group := range s.syntax.Comments {
			tagged = tagged || group.Pos() < s.syntax.Package &&
				strings.HasPrefix(group.List[0].Text, "//go:build long")
		}
		if named := strings.HasSuffix(s.path, "_long_test.go"); named != tagged {
			t.Errorf("%s: named a long test: %t, tagged long: %t", s.path, named, tagged)
		}
		for _, declaration := range s.syntax.Decls {
			f, is := declaration.(*ast.FuncDecl)
			if !is || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") || f.Name.Name == "TestMain" {
				continue
			}
			if strings.HasPrefix(f.Name.Name, "TestLong") != tagged {
				t.Errorf("%s: %s: a long test is named TestLong… and is in a file with the tag",
					s.path, f.Name.Name)
			}
		}
	}
}

// The tests above rely on these patterns.
func TestPatterns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"domain", "domain", true},
		{"domain", "domains", false},
		{"internal/...", "internal/web", true},
		{"internal/...", "internals", false},
		{"...", "anything/at/all", true},
		{"payments/acquirer/*", "payments/acquirer/sandbox", true},
		{"payments/acquirer/*", "payments/acquirer", false},
		{"payments/acquirer/*", "payments/acquirer/sandbox/bank", false},
		{"os", "os/exec", false},
		{"net/...", "net", true},
	} {
		if got := matches(c.pattern, c.name); got != c.want {
			t.Errorf("%s on %s: %t", c.pattern, c.name, got)
		}
	}
	if _, known := allowedImports("nowhere"); known {
		t.Error("a package without a row is known")
	}
}

func allowedImports(pkg string) ([]string, bool) {
	for _, row := range rules {
		if matches(row.packages, pkg) {
			return row.imports, true
		}
	}
	return nil, false
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

func matches(pattern, name string) bool {
	if pattern == "..." {
		return true
	}
	if base, all := strings.CutSuffix(pattern, "/..."); all {
		return name == base || strings.HasPrefix(name, base+"/")
	}
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}

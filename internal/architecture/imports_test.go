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

// rules says which of our packages a package may import; patterns as in
// path.Match, and "x/..." for x and everything below. The first row that fits
// counts. Tests may import more: they look at several packages together.
var rules = []struct {
	packages string
	imports  []string
}{
	{"domain", nil},
	{"eventstore", []string{"internal/plaintext", "internal/postgres", "internal/failpoint", "internal/worker"}}, // SQL, where to crash, back-off, nothing else
	{"eventstore/feed", []string{"eventstore", "internal/postgres", "internal/failpoint", "internal/worker"}},
	{"projections", []string{"domain", "eventstore/...", "internal/plaintext", "internal/postgres/...", "internal/worker"}}, // what rebuilds it is not its business
	{"projections/rebuild", []string{"projections", "eventstore", "internal/postgres", "internal/failpoint", "internal/worker"}},
	{"ledger", []string{"domain", "eventstore", "projections", "internal/postgres", "internal/tracing"}},
	{"reconcile", []string{"domain", "projections", "internal/plaintext", "internal/postgres"}}, // reads alone
	{"recovery", []string{"domain", "eventstore", "projections", "transparency", "webhooks", "internal/postgres"}},
	{"accounts", []string{"domain", "internal/..."}},
	{"accounts/people", []string{"accounts", "internal/..."}},
	{"accounts/people/passkeytest", nil},
	{"accounts/settings", []string{"accounts", "domain", "internal/..."}},
	{"accounts/accountstest", []string{"accounts/...", "domain", "internal/..."}},
	{"requestlog", []string{"accounts", "domain", "internal/postgres", "internal/worker"}},
	{"transparency", []string{"eventstore/...", "internal/..."}},
	{"transparency/witness", []string{"transparency", "internal/exactjson", "internal/wholefile", "internal/worker"}}, // no database

	{"payments/acquirer", []string{"domain"}},
	{"payments/acquirer/exchange", []string{"payments/acquirer"}},
	{"payments/acquirer/fake", nil},
	{"payments/acquirer/acquirertest", []string{"payments/acquirer", "payments/acquirer/fake", "domain"}},
	// The text of QR codes is a format: the adapter and its fake may share it.
	{"payments/acquirer/lypay/numo", nil},
	{"payments/acquirer/lypay/fake", []string{"payments/acquirer/fake", "payments/acquirer/lypay/numo"}},
	{"payments/acquirer/lypay", []string{"payments/acquirer", "payments/acquirer/exchange", "payments/acquirer/lypay/numo", "domain"}},
	{"payments/acquirer/*/fake", []string{"payments/acquirer/fake", "domain"}}, // a process of its own: nothing of the service's
	{"payments/acquirer/sandbox/bank", []string{"domain", "internal/locale"}},
	{"payments/acquirer/*", []string{"payments/acquirer", "payments/acquirer/exchange", "domain"}},
	{"payments/attempt", []string{"payments/acquirer", "domain"}}, // pure, as domain is
	{"payments", append([]string{"accounts/settings", "payments/acquirer", "payments/attempt"}, core...)},
	{"payments/decisions", core},
	{"payments/refunds", append([]string{"payments", "payments/acquirer", "payments/decisions"}, core...)}, // asks by the engine
	// Says on a receipt what the shop was told, and proves it.
	{"checkout", append([]string{"accounts/settings", "payments", "payments/acquirer", "payments/attempt", "transparency", "webhooks"}, core...)},
	{"docs", nil}, // the guides, as text
	{"docs/site", []string{"internal/layout", "internal/locale", "internal/web"}},         // needs no database
	{"httpapi", append([]string{"payments/acquirer", "requestlog", "webhooks"}, core...)}, // says why attempts failed; hands deliveries to a forwarder
	// Of acquirers it knows the port and no adapter: it opens accounts to check them.
	{"dashboard", append([]string{"accounts/...", "checkout", "dashboard/view", "payments", "payments/acquirer", "payments/decisions", "payments/refunds", "reconcile", "requestlog", "webhooks"}, core...)},
	// What it shows: methods and reasons, actors, deliveries, reconciliations, the guide.
	{"dashboard/view", []string{"accounts/...", "docs", "domain", "ledger", "payments", "payments/acquirer", "payments/attempt", "payments/decisions", "payments/refunds", "projections", "reconcile", "requestlog", "webhooks", "internal/layout", "internal/locale", "internal/mail", "internal/plaintext"}},
	{"webhooks", core},
	{"export", []string{"eventstore/...", "internal/worker"}}, // knows nothing of payments
	{"expiry", core},

	// The wiring: it puts the parts together, and only cmd and tools import it.
	{"cmd/daftar/config", []string{"accounts", "accounts/people", "export", "httpapi", "transparency", "internal/mail", "internal/postgres", "internal/tracing", "internal/web"}},
	{"cmd/daftar/server", append([]string{
		"accounts/...",
		"cmd/daftar/config", "checkout", "dashboard", "dashboard/view", "docs/site", "expiry", "export", "httpapi", "migrations", "payments/...", "projections/rebuild", "requestlog", "transparency", "webhooks",
	}, core...)},
	{"cmd/daftar/cli", []string{"accounts", "cmd/daftar/config", "domain", "httpapi", "migrations",
		"internal/..."}},
	{"cmd/daftar-dev/fakes", []string{"payments/acquirer/...", "cmd/daftar/config"}},
	{"cmd/daftar-dev/demo", []string{"cmd/daftar-dev/fakes", "cmd/daftar/config", "cmd/daftar/server",
		"accounts/...", "domain", "httpapi", "migrations", "payments", "internal/..."}},
	{"cmd/...", []string{"..."}},
	{"internal/output", nil},

	{"migrations", []string{"internal/postgres"}},
	{"internal/freeport", nil},
	{"internal/postgres", []string{"internal/postgres/primary"}},
	{"internal/postgres/primary", nil},
	{"internal/postgres/pgtest", []string{"internal/pgcluster", "internal/postgres", "migrations"}},
	{"internal/logo", nil}, // pictures alone
	{"internal/logtest", nil},
	{"internal/pgcluster/patroni", []string{"internal/freeport", "internal/pgcluster"}},
	{"internal/pgcluster", []string{"internal/freeport", "internal/postgres"}},
	{"internal/architecture", nil},
	{"internal/locale", []string{"domain", "internal/plaintext"}}, // amounts in words
	{"internal/layout", []string{"internal/locale"}},
	{"internal/web", []string{"domain", "internal/throttle"}}, // whose request it is
	{"internal/ops", []string{"internal/postgres", "internal/tracing", "internal/web"}},
	{"internal/plaintext", nil},
	{"internal/sealing", []string{"internal/postgres"}},
	{"internal/mail", []string{"internal/postgres", "internal/sealing", "internal/worker"}}, // knows nothing of what it brings
	{"internal/tracing", nil},
	{"internal/throttle", nil},
	{"internal/exactjson", nil},
	{"internal/wholefile", nil},
	{"internal/worker", nil},
	{"internal/failpoint", nil},

	{"tools/...", []string{"..."}}, // modules of their own; TestToolsStandApart
}

// core is what the parts that face the outside stand on.
var core = []string{"ledger", "projections", "accounts", "domain", "eventstore/...", "internal/..."}

// forTests are packages that the product may not contain.
var forTests = []string{"accounts/accountstest", "accounts/people/passkeytest", "payments/acquirer/acquirertest", "internal/logtest", "internal/postgres/pgtest"}

// impure are the imports that would let Decide and Evolve depend on more than
// their arguments.
var impure = []string{
	"context", "os", "os/...", "net", "net/...", "database/sql", "database/sql/...",
	"log", "log/...", "math/rand", "math/rand/...", "crypto/rand",
	"github.com/jackc/...", "github.com/rs/zerolog",
}

var emptyNames = []string{"utils", "util", "common", "pkg", "models", "service", "services", "helpers", "helper", "manager", "misc"}

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
			if !s.test && !strings.HasPrefix(s.pkg, "tools/") && !slices.Contains(forTests, s.pkg) && slices.Contains(forTests, own) {
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
// dependencies. Nor do tools import each other, but for what is shared.
func TestToolsStandApart(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, imported := range s.imports {
			own, ours := strings.CutPrefix(imported, module+"/tools/")
			if !ours {
				continue
			}
			tool, _, _ := strings.Cut(own, "/")
			if !matches("tools/"+tool+"/...", s.pkg) && !(strings.HasPrefix(s.pkg, "tools/") && slices.Contains(shared, own)) {
				t.Errorf("%s imports %s, which belongs to a tool", s.path, imported)
			}
		}
	}
}

// The adapters are the one place where the table's patterns would let siblings
// through in tests as well.
// ofAllAdapters are the packages beside adapters that they share.
var ofAllAdapters = []string{"payments/acquirer/exchange", "payments/acquirer/fake", "payments/acquirer/acquirertest"}

func TestAdaptersDoNotKnowEachOther(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if path.Dir(s.pkg) != "payments/acquirer" {
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

// What decides about money and attempts depends on its arguments alone.
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
	return ok && pkg.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "After", "NewTimer", "NewTicker", "Sleep", "Tick", "AfterFunc"}, s.Sel.Name)
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
			tagged = tagged || group.Pos() < s.syntax.Package && strings.HasPrefix(group.List[0].Text, "//go:build long")
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
				t.Errorf("%s: %s: a long test is named TestLong… and is in a file with the tag", s.path, f.Name.Name)
			}
		}
	}
}

// The rules below are what the tests above rest on.
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

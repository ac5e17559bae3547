package architecture_test

import (
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	racedList     = regexp.MustCompile(`(?m)^RACED\s*:= ((?:.*\\\n)*.*)$`)
	racedLongList = regexp.MustCompile(`(?m)^RACED_LONG\s*:= (.*)$`)
)

// racedLong is the reason of the packages in RACED_LONG.
const racedLong = "make test-long runs it with the race detector"

// notRaced are packages with concurrent code, by patterns as in rules, that `make test` runs
// without the race detector, each with the reason.
var notRaced = map[string]string{
	"checkout":                 racedLong,
	"dashboard":                racedLong,
	"payments/acquirer/fake":   "a fake",
	"payments/acquirer/*/fake": "a fake",
	"payments/acquirer/*/bank": "a fake",
	"internal/failpoint":       "compiled into no release",
	"internal/freeport":        "for tests",
	"projections/rebuild":      "its channels are those of the interface of Prometheus",
}

// The race detector finds nothing in code that is not concurrent: RACED of the Makefile has the
// packages with concurrent code, and no others. Goroutines of a test do not count: they share
// nothing but the database.
func TestRaceDetectorWhereCodeRunsThingsAtOnce(t *testing.T) {
	t.Parallel()
	tested, atOnce := map[string]bool{}, map[string]bool{}
	for _, s := range sources(t) {
		switch {
		case strings.HasPrefix(s.pkg, "tools/"):
		case s.test:
			tested[s.pkg] = true
		case runsThingsAtOnce(s):
			atOnce[s.pkg] = true
		}
	}
	want := []string{"tools/torture"}
	for pkg := range atOnce {
		switch {
		case !tested[pkg] || isException(pkg):
		case isOfMerchants(pkg):
			want = append(want, pkg) // a module
		default:
			want = append(want, "daftar/"+pkg)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, listed(t, racedList)); diff != "" {
		t.Errorf("RACED of the Makefile (-want +got):\n%s", diff)
	}
	var wantLong []string
	for pkg, reason := range notRaced {
		if reason == racedLong {
			wantLong = append(wantLong, "daftar/"+pkg)
		}
	}
	slices.Sort(wantLong)
	if diff := cmp.Diff(wantLong, listed(t, racedLongList)); diff != "" {
		t.Errorf("RACED_LONG of the Makefile (-want +got):\n%s", diff)
	}
	for exception := range notRaced {
		found := slices.ContainsFunc(slices.Collect(maps.Keys(atOnce)), func(pkg string) bool {
			return tested[pkg] && matches(exception, pkg)
		})
		if !found {
			t.Errorf("%s is an exception for nothing", exception)
		}
	}
}

func isException(pkg string) bool {
	return matchesAny(slices.Collect(maps.Keys(notRaced)), pkg)
}

// listed is a variable of the Makefile, sorted.
func listed(t *testing.T, variable *regexp.Regexp) []string {
	t.Helper()
	found := variable.FindStringSubmatch(read(t, "Makefile"))
	if found == nil {
		t.Fatalf("the Makefile has no %s", variable)
	}
	return slices.Sorted(slices.Values(strings.Fields(strings.ReplaceAll(found[1], "\\\n", " "))))
}

// runsThingsAtOnce reports whether a file starts goroutines, or has what they need: locks,
// atomics or channels.
func runsThingsAtOnce(s source) bool {
	if slices.Contains(s.imports, "sync") || slices.Contains(s.imports, "sync/atomic") {
		return true
	}
	found := false
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			f, method := n.Fun.(*ast.SelectorExpr)
			found = found || method && f.Sel.Name == "Go"
		}
		return !found
	})
	return found
}

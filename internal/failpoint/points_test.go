package failpoint_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"daftar/internal/failpoint"
)

// Each declared point is called in one place in the code, and each call names a declared
// point: a mistyped name would never crash anything.
func TestPointsAreThoseInTheCode(t *testing.T) {
	t.Parallel()
	places := calls(t, filepath.Join("..", ".."))
	declared := map[string]bool{}
	for _, p := range failpoint.Points {
		if declared[p.Name] || p.Name == "" || p.Why == "" {
			t.Errorf("point %q is declared twice, or says nothing", p.Name)
		}
		declared[p.Name] = true
		if len(places[p.Name]) != 1 {
			t.Errorf("point %s is at %v in the code, want one place", p.Name, places[p.Name])
		}
	}
	for name, at := range places {
		if !declared[name] {
			t.Errorf("%v: point %q is not declared", at, name)
		}
	}
}

// calls finds the calls of Here in programs, by point.
func calls(t *testing.T, root string) map[string][]string {
	t.Helper()
	places := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		notOurs := strings.HasPrefix(name, ".") || name == "testdata" || name == "bin" || name == "var"
		if entry.IsDir() && path != root && notOurs {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		syntax, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isHere(call.Fun) {
				return true
			}
			name := "(no literal)"
			if literal, ok := call.Args[0].(*ast.BasicLit); ok {
				name, _ = strconv.Unquote(literal.Value)
			}
			places[name] = append(places[name], files.Position(call.Pos()).String())
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return places
}

func isHere(f ast.Expr) bool {
	s, ok := f.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Here" {
		return false
	}
	pkg, ok := s.X.(*ast.Ident)
	return ok && pkg.Name == "failpoint"
}

// The released program has no failpoints.
func TestTheShippedProgramCannotBeCrashed(t *testing.T) {
	t.Parallel()
	files, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.GoFiles}}",
		"daftar/internal/failpoint").CombinedOutput()
	if got := strings.TrimSpace(string(files)); err != nil || got != "[doc.go off.go points.go]" {
		t.Errorf("without the tag the package is %s, %v", got, err)
	}
	if failpoint.Enabled {
		t.Error("this test was built with the tag failpoints: it shows nothing")
	}
	text, err := os.ReadFile("off.go")
	if err != nil || !strings.Contains(string(text), "func Here(string) {}\n") {
		t.Errorf("without the tag a point does something, %v", err)
	}
}

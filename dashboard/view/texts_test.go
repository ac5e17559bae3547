package view_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/dashboard/view"
)

// Every action that any package records has words in both languages.
func TestEveryActionHasWords(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "var" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		for _, action := range actionsIn(t, path) {
			found++
			for _, l := range languages {
				if view.ActionIn(l, action) == "" {
					t.Errorf("%s: no words for %s in %s", path, action, l)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range accounts.Permissions {
		for _, l := range languages {
			if view.PermissionIn(l, p) == "" {
				t.Errorf("no words for the permission %s in %s", p, l)
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d actions were found", found)
	}
}

// actionsIn are the constants of type accounts.Action in a file.
func actionsIn(t *testing.T, path string) []accounts.Action {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil // half written; the compiler will say so
	}
	var all []accounts.Action
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Type == nil {
			return true
		}
		name := ""
		switch kind := spec.Type.(type) {
		case *ast.Ident:
			name = file.Name.Name + "." + kind.Name
		case *ast.SelectorExpr:
			if in, ok := kind.X.(*ast.Ident); ok {
				name = in.Name + "." + kind.Sel.Name
			}
		}
		if name != "accounts.Action" {
			return true
		}
		for _, value := range spec.Values {
			if literal, ok := value.(*ast.BasicLit); ok {
				text, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, accounts.Action(text))
			}
		}
		return true
	})
	return all
}

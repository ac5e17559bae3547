package architecture_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

type source struct {
	path    string // slash-separated, from the module's root
	pkg     string // the folder: the import path without the module
	test    bool
	imports []string
	syntax  *ast.File
	files   *token.FileSet
	lines   int
}

// sources are the Go files of the product and of the tools.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := parseAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var parseAll = sync.OnceValues(func() ([]source, error) {
	root := filepath.Join("..", "..")
	var all []source
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			// The programs of docs/samples are merchants', and each is alone: they are no package.
			if file != root && notOurs(name) || file == filepath.Join(root, "docs", "samples") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		s, err := parse(root, file)
		all = append(all, s)
		return err
	})
	return all, err
})

// notOurs reports whether the go tool ignores a folder, or its files are not kept in the repository.
func notOurs(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		slices.Contains([]string{"testdata", "node_modules", "bin", "var"}, name)
}

func parse(root, file string) (source, error) {
	relative, err := filepath.Rel(root, file)
	if err != nil {
		return source{}, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return source{}, err
	}
	files := token.NewFileSet()
	syntax, err := parser.ParseFile(files, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	s := source{
		path:   filepath.ToSlash(relative),
		pkg:    path.Dir(filepath.ToSlash(relative)),
		test:   strings.HasSuffix(file, "_test.go"),
		syntax: syntax,
		files:  files,
		lines:  bytes.Count(text, []byte("\n")),
	}
	for _, spec := range syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, imported)
	}
	return s, nil
}

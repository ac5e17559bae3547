package main

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// repository is the root of the repository.
const repository = "../../.."

// The documentation shows the description and the guides completely.
func TestDocumentsAreTrue(t *testing.T) {
	t.Parallel()
	want, err := documents(repository)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string][]byte)
	files, err := filepath.Glob(filepath.Join(repository, "docs", "site", "documents", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if got[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/site/documents is stale; go generate ./docs writes it again (-documents +files):\n%s", diff)
	}
}

// A description that cannot be parsed, or has a broken reference, is an error.
func TestBrokenDescription(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"empty": "", "no YAML": "a: [", "no operations": "servers: [{url: /api}]",
		"a reference to nowhere": "paths: {/a: {get: {parameters: [{$ref: '#/nowhere'}]}}}",
	} {
		_, err := readReference([]byte(document))
		if err == nil || !strings.Contains(err.Error(), "API description") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Each operation of the reference has a program in each language, and each program an operation.
func TestSamplesAreThoseOfTheOperations(t *testing.T) {
	t.Parallel()
	folder := fstest.MapFS{
		"README.md": {},
		"find.go":   {Data: []byte("package main\n\nfunc main() {\n\ta()\n\tb()\n}\n")},
	}
	for _, ending := range []string{"sh", "php", "ts", "py"} {
		folder["find."+ending] = &fstest.MapFile{Data: []byte("call()\n")}
	}
	find := []operation{{ID: "find", Method: "GET", Path: "/found"}}
	if err := addSamples(find, folder); err != nil {
		t.Fatal(err)
	}
	want := []sample{
		{"curl", "sh", "call()"}, {"PHP", "php", "call()"}, {"TypeScript", "ts", "call()"},
		{"Python", "py", "call()"}, {"Go", "go", "a()\nb()"},
	}
	if diff := cmp.Diff(want, find[0].Samples); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
	for name, change := range map[string]func(fstest.MapFS){
		"GET /found in Python":       func(m fstest.MapFS) { delete(m, "find.py") },
		"lost.ts is of no operation": func(m fstest.MapFS) { m["lost.ts"] = &fstest.MapFile{} },
		"sample find.go has no main": func(m fstest.MapFS) { m["find.go"] = &fstest.MapFile{} },
	} {
		other := maps.Clone(folder)
		change(other)
		err := addSamples([]operation{{ID: "find", Method: "GET", Path: "/found"}}, other)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want %q, got %v", name, err)
		}
	}
}

func TestTextsAreComplete(t *testing.T) {
	t.Parallel()
	for _, in := range editions {
		for field, value := range reflect.ValueOf(in.words).Fields() {
			if value.String() == "" {
				t.Errorf("%s has no %s", in.lang, field.Name)
			}
		}
	}
}

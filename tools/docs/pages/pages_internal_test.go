package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

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

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// repository is the root of the repository.
const repository = "../../.."

// docs/events.md describes the code completely.
func TestCatalogueIsTrue(t *testing.T) {
	t.Parallel()
	want, err := catalogue(repository)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(repository, "docs", "events.md"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/events.md is stale; go generate ./docs writes it again (-code +file):\n%s", diff)
	}
}

// Each version with a golden file, that is, each that was ever stored, has its heading and its
// example.
func TestEveryStoredVersionIsInIt(t *testing.T) {
	t.Parallel()
	text, err := catalogue(repository)
	if err != nil {
		t.Fatal(err)
	}
	var goldens []string
	for _, set := range sets {
		found, err := filepath.Glob(filepath.Join(repository, set, "testdata", "events", "*.json"))
		if err != nil || len(found) == 0 {
			t.Fatalf("golden files of %s: %v, %v", set, found, err)
		}
		goldens = append(goldens, found...)
	}
	for _, golden := range goldens {
		name, rest, found := strings.Cut(strings.TrimSuffix(filepath.Base(golden), ".json"), ".v")
		number, _, special := strings.Cut(rest, ".")
		if !found {
			t.Errorf("%s is not named TYPE.vN", golden)
		}
		if !strings.Contains(string(text), "\n### "+name+", version "+number+"\n") {
			t.Errorf("%s version %s is missing", name, number)
		}
		example, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !special && !bytes.Contains(text, example) {
			t.Errorf("the example of %s version %s is missing", name, number)
		}
	}
}

// A field without a comment fails the generation.
func TestEveryFieldIsExplained(t *testing.T) {
	t.Parallel()
	broken := t.TempDir()
	for name, text := range map[string]string{
		"eventstore/event.go": "package eventstore\n// Metadata says it.\ntype Metadata struct {\n" +
			"\t// Who.\n\tActor string `json:\"actor\"`\n}\n",
		"domain/codec.go": "package domain\nconst TypeMade = \"made\"\n" +
			"// Made says that it was made.\ntype Made struct{}\n" +
			"type madeV1 struct {\n\tAt time.Time `json:\"at\"`\n}\n" +
			"func (e Made) stored() (string, int, any) { return TypeMade, 1, madeV1{} }\n",
	} {
		path := filepath.Join(broken, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := catalogue(broken); err == nil || !strings.Contains(err.Error(), "madeV1.At") {
		t.Errorf("a field without a comment: %v, want it named", err)
	}
}

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
	"go.yaml.in/yaml/v4"
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
		_, err := readReference([]byte(document), editions[1], func(text string) string { return text })
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
			if field.Name != "lang" && value.String() == "" {
				t.Errorf("%s has no %s", in.lang, field.Name)
			}
		}
	}
}

// A text of the description without Arabic, and Arabic of no text, are errors that name it.
func TestEveryTextIsTranslated(t *testing.T) {
	t.Parallel()
	const pairs = "- en: A payment, to come\n  ar: دفعة ستأتي\n- en: Gone\n  ar: ذهب\n"
	for _, row := range []struct {
		what, want string
		says       []string
	}{
		{"complete", "", []string{"A payment, to\n  come", "Gone", ""}},
		{"missing", "New", []string{"A payment, to come", "Gone", "New"}},
		{"stale", "Gone", []string{"A payment, to come"}},
	} {
		translated, err := parseTranslation([]byte(pairs))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range row.says {
			if said := translated.say(text); strings.HasPrefix(text, "A payment") && said != "دفعة ستأتي" {
				t.Errorf("%s: %q is translated as %q", row.what, text, said)
			}
		}
		err = translated.check()
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", row.what, err)
		}
	}
	if _, err := parseTranslation([]byte("a: [")); err == nil {
		t.Error("a broken translation is read")
	}
}

// Limits are in words that people use, and amounts as they are written elsewhere.
func TestRulesAreInWords(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, schema, arabic, english string }{
		{"merchant_reference", "{type: string, minLength: 1, maxLength: 255}",
			"نص: من 1 إلى 255 حرفًا", "string: 1–255 characters"},
		{"reason", `{type: [string, "null"], maxLength: 255}`,
			"نص أو null: حتى 255 حرفًا", "string or null: at most 255 characters"},
		{"amount", "{type: integer, format: int64, minimum: 1000, maximum: 1000000000}",
			"عدد صحيح: من 1.000 إلى 1,000,000.000\u00a0د.ل", "integer: 1.000 to 1,000,000.000\u00a0LYD"},
		{"data.refund.amount", "{type: integer, format: int64, minimum: 1}",
			"عدد صحيح: 0.001\u00a0د.ل على الأقل", "integer: at least 0.001\u00a0LYD"},
		{"limit", "{type: integer, minimum: 1, maximum: 100, default: 25}",
			"عدد صحيح: من 1 إلى 100; إن لم ترسله فهو 25", "integer: 1 to 100; 25 if left out"},
		{"currency", "{type: string, minLength: 3, maxLength: 3, enum: [LYD]}",
			"نص: دائمًا `LYD`", "string: always `LYD`"},
		{"status", "{type: string, enum: [a, b]}", "نص: إحدى القيم: `a`، `b`", "string: one of `a`, `b`"},
		{"metadata", "{type: object, maxProperties: 20, propertyNames: {maxLength: 40}, " +
			"additionalProperties: {maxLength: 255}}",
			"كائن: حتى 20 مفتاحًا; المفتاح حتى 40 حرفًا، والقيمة حتى 255 حرفًا",
			"object: at most 20 keys; a key at most 40 characters, a value at most 255"},
		{"currency", "{type: string, pattern: '^[A-Z]{3}$'}",
			"نص: ثلاثة أحرف لاتينية كبيرة", "string: three capital letters"},
	} {
		var file yaml.Node
		if err := yaml.Unmarshal([]byte(row.schema), &file); err != nil {
			t.Fatal(err)
		}
		schema := node{Node: file.Content[0], r: &reader{root: file.Content[0]}}
		for n, want := range []string{row.arabic, row.english} {
			words := editions[n].words
			got := words.typeOf(schema) + ": " + strings.Join(words.rules(row.name, schema), "; ")
			if got != want {
				t.Errorf("%s %s is %q, want %q", row.name, row.schema, got, want)
			}
		}
	}
}

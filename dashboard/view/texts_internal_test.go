package view

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/internal/locale"
	"daftar/payments/refunds"
	"daftar/reconcile"
	"daftar/webhooks"
)

var languages = []locale.Lang{locale.Arabic, locale.English}

var kindOfFailure = regexp.MustCompile(`(?m)^\terror\w+\s+= ("\w+")`)

var troubleOfRefund = regexp.MustCompile(`\sTrouble\s+= "(\w+)"`)

// Each stored trouble of a refund has a different text.
func TestTroublesOfRefundsHaveWords(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../payments/refunds/refunds.go")
	if err != nil {
		t.Fatal(err)
	}
	stored := troubleOfRefund.FindAllStringSubmatch(string(source), -1)
	if len(stored) < 9 {
		t.Fatalf("only %d troubles were found", len(stored))
	}
	for _, l := range languages {
		words := map[string]string{}
		for _, found := range stored {
			said := textsIn(l).Refunds.TroubleText(refunds.Trouble(found[1]))
			if said == found[1] || words[said] != "" {
				t.Errorf("%s: %s has the words %q, as %s has", l, found[1], said, words[said])
			}
			words[said] = found[1]
		}
	}
}

// Each stored kind of a webhook's failure has a different text, on the page and on the command
// line.
func TestFailuresOfWebhooksHaveWords(t *testing.T) {
	t.Parallel()
	read := func(file string) string {
		text, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	kinds := kindOfFailure.FindAllStringSubmatch(read("webhooks/send.go")+read("webhooks/tls.go"), -1)
	commands := read("cmd/daftar/commands/webhooks.go")
	if len(kinds) < 15 {
		t.Fatalf("only %d kinds were found", len(kinds))
	}
	for _, l := range languages {
		words := map[string]string{}
		for _, k := range kinds {
			kind, err := strconv.Unquote(k[1])
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(commands, "\t"+k[1]+":") {
				t.Errorf("the command line has no words for %s", kind)
			}
			try := webhooks.Try{Error: kind}
			if kind == "status" || kind == "redirect" {
				try.Status = new(500 + len(words))
			}
			said := textsIn(l).Applications.Outcome(try)
			if said == "" || words[said] != "" {
				t.Errorf("%s: %s has the words %q, as %s has", l, kind, said, words[said])
			}
			words[said] = kind
		}
	}
}

// No text is empty. The compiler ensures that it has both languages: each is one entry.
func TestTextsAreComplete(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		found := 0
		look(reflect.ValueOf(*textsIn(l)), l.String(), func(name, text string) {
			found++
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s is empty", name)
			}
			if l == locale.English && arabicLetter.MatchString(text) {
				t.Errorf("%s is Arabic: %s", name, text)
			}
		})
		if found < 200 {
			t.Errorf("only %d texts were found in %s", found, l)
		}
	}
}

// Every value that pages name by a map has a text.
func TestEveryValueHasWords(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		texts := textsIn(l)
		want := func(words string, value any) {
			if words == "" {
				t.Errorf("no words for %T %v in %s", value, value, l)
			}
		}
		for _, r := range accounts.Roles {
			want(texts.Roles[r], r)
			want(texts.People.Allowed[r], r)
		}
		for s := StepApplication; s <= StepLink; s++ {
			want(texts.Developers.Asks[s], s)
		}
		for _, s := range spans {
			want(texts.Money.SpanNames[s], s)
		}
		for _, p := range accounts.Permissions {
			want(texts.Audit.Permissions[p], p)
		}
		for _, k := range reconcile.Kinds {
			want(texts.Reconcile.Kinds[k].Name, k)
		}
		for _, p := range reconcile.Problems {
			want(texts.Reconcile.Problems[p], p)
		}
		for _, name := range reconcile.Acquirers() {
			want(texts.Acquirers.Name(name), name)
		}
	}
}

var arabicLetter = regexp.MustCompile(`\p{Arabic}`)

// look visits every text in a value.
func look(v reflect.Value, name string, visit func(name, text string)) {
	switch v.Kind() {
	case reflect.String:
		visit(name, v.String())
	case reflect.Struct:
		for n := range v.NumField() {
			look(v.Field(n), name+"."+v.Type().Field(n).Name, visit)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			look(v.MapIndex(key), fmt.Sprintf("%s[%v]", name, key), visit)
		}
	case reflect.Slice, reflect.Array:
		for n := range v.Len() {
			look(v.Index(n), fmt.Sprintf("%s[%d]", name, n), visit)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			look(v.Elem(), name, visit)
		}
	}
}

// Every action that any package records has a text in both languages.
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
		for _, action := range recordedActions(t, path) {
			found++
			for _, l := range languages {
				if textsIn(l).Audit.Actions[action] == "" {
					t.Errorf("%s: no words for %s in %s", path, action, l)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 30 {
		t.Errorf("only %d actions were found", found)
	}
}

// recordedActions are the constants of type accounts.Action in a file.
func recordedActions(t *testing.T, path string) []accounts.Action {
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

package registry_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/conformance"
	"daftar/payments/acquirer/registry"
	"daftar/payments/acquirer/sandbox"
	"daftar/payments/acquirer/statements"
)

var (
	arabic       = regexp.MustCompile(`\p{Arabic}`)
	variableForm = regexp.MustCompile(`^DAFTAR_[A-Z_]+$`)
	columnForm   = regexp.MustCompile(`^[a-z]+$`)
)

// Every description is complete, in both languages, and its names are unique.
func TestDescriptionsAreComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	once := func(what, name string) {
		t.Helper()
		if key := what + " " + name; name == "" || seen[key] {
			t.Errorf("the %s %q is empty, or not unique", what, name)
		} else {
			seen[key] = true
		}
	}
	checkText := func(of string, text locale.Text) {
		t.Helper()
		if strings.TrimSpace(text.Arabic) == "" || text.English == "" || arabic.MatchString(text.English) {
			t.Errorf("%s: %+v", of, text)
		}
	}
	for _, d := range registry.All() {
		once("acquirer", d.Name)
		checkText(d.Name, d.Label)
		for _, m := range d.Methods {
			once("method", string(m.Method))
			checkText(d.Name+" "+string(m.Method), m.Label)
			checkText(d.Name+" "+string(m.Method)+" hint", m.Hint)
		}
		for _, s := range d.Settings {
			once("setting", d.Name+"."+s.Name)
			checkText(d.Name+"."+s.Name, s.Label)
			checkText(d.Name+"."+s.Name+" hint", s.Hint)
		}
		for _, v := range d.Variables {
			once("variable", v.Name)
			if !variableForm.MatchString(v.Name) || v.Meaning == "" {
				t.Errorf("%s: %+v", d.Name, v)
			}
		}
		checkText(d.Name+" lookup", d.Lookup)
		checkStatement(t, d)
		if d.Open != nil {
			checkText(d.Name+" about", d.About)
			checkProvider(t, d)
		}
	}
}

// checkStatement checks that a statement's line has an amount and a reference to the payment.
func checkStatement(t *testing.T, d acquirer.Description) {
	t.Helper()
	columns := d.Statement.Columns
	if len(columns[statements.Amount]) == 0 ||
		len(columns[statements.Reference])+len(columns[statements.Number]) == 0 ||
		d.Statement.Unit != statements.Dinars && d.Statement.Unit != statements.Dirhams {
		t.Errorf("%s: statements %+v", d.Name, d.Statement)
	}
	for field, names := range columns {
		malformed := func(n string) bool { return !columnForm.MatchString(n) }
		if !slices.Contains(statements.Fields, field) || slices.ContainsFunc(names, malformed) {
			t.Errorf("%s: the column of %s is %q", d.Name, field, names)
		}
	}
}

// checkProvider checks the description against the provider that it opens.
func checkProvider(t *testing.T, d acquirer.Description) {
	t.Helper()
	if len(d.Variables) == 0 || len(d.Settings) == 0 {
		t.Fatalf("%s has no address, or its accounts need nothing", d.Name)
	}
	p, err := d.Open(acquirer.Addresses{d.Variables[0].Name: "https://acquirer.example"})
	if err != nil {
		t.Fatal(err)
	}
	if p.Name() != d.Name {
		t.Errorf("%s opens %s", d.Name, p.Name())
	}
	for _, c := range p.Capabilities() {
		if by, _, known := registry.OfMethod(c.Method); !known || by.Name != d.Name {
			t.Errorf("%s takes money by %s, which it does not describe", d.Name, c.Method)
		}
		if c.ReferenceLength != d.Statement.ReferenceLength {
			t.Errorf("%s knows %d characters of a reference, its statements %d",
				c.Method, c.ReferenceLength, d.Statement.ReferenceLength)
		}
	}
}

func TestUnknownNames(t *testing.T) {
	t.Parallel()
	if _, known := registry.Named("moneybag"); known {
		t.Error("an unknown acquirer is found")
	}
	if _, _, known := registry.OfMethod("shells"); known {
		t.Error("an unknown method is found")
	}
	_, known := registry.Named("sandbox")
	if !known || len(registry.WithAccounts()) != len(registry.All())-1 {
		t.Error("the sandbox is missing, or not the only one without accounts")
	}
}

// The document has the table of behaviours that adapters are tested by, for all methods.
func TestTheDocumentHasTheTable(t *testing.T) {
	t.Parallel()
	const path = "../../../docs/acquirers.md"
	const begin, end = "<!-- conformance -->\n", "<!-- end of conformance -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), begin)
	written, _, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no place for the table", path)
	}
	want := "\n" + conformance.Table(columns(t)) + "\n"
	t.Log(want)
	if diff := cmp.Diff(want, written); diff != "" {
		t.Errorf("%s has another table (-want +got):\n%s", path, diff)
	}
}

// columns returns the methods of the sandbox, and then those of the acquirers with accounts.
func columns(t *testing.T) []conformance.Column {
	t.Helper()
	bank, err := sandbox.New(sandbox.Config{URL: "http://bank.example", Secret: "a secret"})
	if err != nil {
		t.Fatal(err)
	}
	var all []conformance.Column
	add := func(name string, methods []acquirer.Capability) {
		for _, c := range methods {
			all = append(all, conformance.Column{Acquirer: name, Capability: c})
		}
	}
	add(sandbox.Name, bank.Capabilities())
	for _, d := range registry.WithAccounts() {
		p, err := d.Open(acquirer.Addresses{d.Variables[0].Name: "http://acquirer.example"})
		if err != nil {
			t.Fatal(err)
		}
		add(d.Name, p.Capabilities())
	}
	return all
}

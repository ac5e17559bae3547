package docs_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"daftar/facts"
	"daftar/webhooks"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// described is the API's description, against which the tables of the guides are checked. The API
// itself is checked against it.
type described struct {
	Info  struct{ Version string }
	Paths map[string]map[string]struct {
		Responses map[string]any
	}
	Webhooks   map[string]any
	Components struct {
		Schemas map[string]struct {
			Properties map[string]struct {
				Enum                                   []string
				Minimum, Maximum, MinLength, MaxLength string
				MaxProperties                          string
				PropertyNames, AdditionalProperties    struct{ MaxLength string }
				Properties                             map[string]struct{ MaxLength string }
			}
		}
	}
}

func api(t *testing.T) (d described) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, "httpapi", "openapi.yaml"))), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

var row = regexp.MustCompile(`(?m)^\| *(.*?) *\|(.*)$`)

// table is the table of a section of a guide: the other columns by the first one.
func table(t *testing.T, file, heading string) map[string]string {
	t.Helper()
	_, section, found := strings.Cut(read(t, filepath.Join(root, "docs", file)), heading+"\n")
	if !found {
		t.Fatalf("%s has no %q", file, heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	rows := map[string]string{}
	for n, m := range row.FindAllStringSubmatch(section, -1) {
		if n >= 2 { // below the header
			rows[strings.ReplaceAll(m[1], "`", "")] = m[2]
		}
	}
	return rows
}

func sameNames(t *testing.T, what string, want []string, rows map[string]string) {
	t.Helper()
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), slices.Sorted(maps.Keys(rows))); diff != "" {
		t.Errorf("%s (-described +in the guide):\n%s", what, diff)
	}
}

// The guides list the errors, reasons and limits that there are. The Arabic
// editions have the same rows (TestEditionsAgree).
func TestTablesAreWhole(t *testing.T) {
	t.Parallel()
	d := api(t)
	var statuses []string
	for _, methods := range d.Paths {
		for _, operation := range methods {
			for status := range operation.Responses {
				if status >= "400" {
					statuses = append(statuses, status)
				}
			}
		}
	}
	sameNames(t, "the statuses of errors", statuses, table(t, "errors.md", "## Statuses"))
	reasons := d.Components.Schemas["PaymentIntentEvent"].Properties["reason"].Enum
	rows := table(t, "errors.md", "## Why a refund failed")
	maps.Copy(rows, table(t, "errors.md", "## Why an attempt failed"))
	sameNames(t, "the reasons", reasons, rows)
	if !strings.Contains(read(t, filepath.Join(root, "docs", "changes.md")), "\n## "+d.Info.Version+"\n") {
		t.Errorf("changes.md has nothing about %s", d.Info.Version)
	}
}

// The types of webhooks in the description are those of the kinds of events, and one for tests.
func TestWebhooksAreDescribed(t *testing.T) {
	t.Parallel()
	var want []string
	for _, k := range facts.Webhooks() {
		want = append(want, k.Webhook)
	}
	described := api(t).Components.Schemas["PaymentIntentEvent"].Properties["type"].Enum
	if diff := cmp.Diff(want, described); diff != "" {
		t.Errorf("the history (-facts +openapi.yaml):\n%s", diff)
	}
	want = append(want, webhooks.TypeTest)
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(api(t).Webhooks))); diff != "" {
		t.Errorf("(-facts +openapi.yaml):\n%s", diff)
	}
}

// The limits of fields are those of the description.
func TestLimitsAreTrue(t *testing.T) {
	t.Parallel()
	for schema, section := range map[string]string{
		"CreatePaymentIntent": "## Fields of a payment intent", "CreateRefund": "## Fields of a refund",
	} {
		limitsAreTrue(t, schema, table(t, "limits.md", section))
	}
}

func limitsAreTrue(t *testing.T, schema string, rows map[string]string) {
	t.Helper()
	fields := api(t).Components.Schemas[schema].Properties
	want := map[string][]string{}
	for name, f := range fields {
		limits := []string{
			f.Minimum, f.Maximum, f.MaxProperties,
			f.PropertyNames.MaxLength, f.AdditionalProperties.MaxLength,
		}
		if name == "currency" {
			limits = f.Enum
		} else {
			limits = append(limits, f.MinLength, f.MaxLength)
		}
		for below, g := range f.Properties {
			want[name+"."+below] = []string{g.MaxLength}
		}
		if len(f.Properties) == 0 {
			want[name] = limits
		}
	}
	sameNames(t, "the fields of "+schema, slices.Collect(maps.Keys(want)), rows)
	for name, limits := range want {
		text := strings.ReplaceAll(rows[name], ",", "")
		for _, limit := range limits {
			if limit != "" && !regexp.MustCompile(`\b`+limit+`\b`).MatchString(text) {
				t.Errorf("the limit %s of %s is not in limits.md: %s", limit, name, text)
			}
		}
	}
}

// The special numbers and codes are those of the sandbox.
func TestSpecialNumbersAreTrue(t *testing.T) {
	t.Parallel()
	code := read(t, filepath.Join(root, "payments", "acquirer", "sandbox", "bank", "numbers.go"))
	_, behaviours, _ := strings.Cut(code, "var behaviours = ")
	behaviours, _, _ = strings.Cut(behaviours, "\n}")
	var numbers, codes []string
	for _, m := range regexp.MustCompile(`'([0-9])': `).FindAllStringSubmatch(behaviours, -1) {
		numbers = append(numbers, "092000000"+m[1])
	}
	assigned := regexp.MustCompile(`(?:right|declined)Code += "([0-9]+)"`)
	for _, m := range assigned.FindAllStringSubmatch(code, -1) {
		codes = append(codes, m[1])
	}
	sameNames(t, "the special numbers", numbers, table(t, "testing.md", "## Special numbers"))
	sameNames(t, "the codes", append(codes, "anything else"), table(t, "testing.md", "## Codes"))
}

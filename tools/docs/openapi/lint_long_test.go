//go:build long

package openapi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daftar/tools/docs/npmtest"
)

// thirdParty is the folder with the npm packages that check openapi.yaml.
const thirdParty = "testdata/thirdparty"

// linter is a third-party linter of openapi.yaml.
type linter struct {
	name string
	// args are the arguments, of which the last is the file to check.
	args func(tools *npmtest.Tools, file string) []string
	// read returns the broken rules in the linter's output.
	read func(t *testing.T, output string) []string
}

var linters = []linter{
	{
		name: "spectral",
		args: func(tools *npmtest.Tools, file string) []string {
			return []string{
				"lint", "--ruleset", tools.Path("spectral.yaml"), "--fail-severity", "hint", "--format", "json",
				"--quiet", file,
			}
		},
		read: func(t *testing.T, output string) (rules []string) {
			var found []struct{ Code, Message string }
			parse(t, output, &found)
			for _, f := range found {
				rules = append(rules, f.Code+": "+f.Message)
			}
			return rules
		},
	},
	{
		name: "redocly",
		args: func(tools *npmtest.Tools, file string) []string {
			return []string{
				"lint", "--config", tools.Path("redocly.yaml"), "--format", "json", "--max-problems", "1000", file,
			}
		},
		read: func(t *testing.T, output string) (rules []string) {
			var found struct {
				Problems []struct{ RuleID, Message string }
			}
			parse(t, output, &found)
			for _, f := range found.Problems {
				rules = append(rules, f.RuleID+": "+f.Message)
			}
			return rules
		},
	},
}

func parse(t *testing.T, output string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(output), into); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
}

func (l linter) lint(t *testing.T, text []byte) (rules []string) {
	t.Helper()
	tools := npmtest.Open(t, thirdParty)
	file := filepath.Join(tools.Work, "openapi.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	said := tools.Run(l.name, l.args(tools, file)...)
	rules = l.read(t, said.Output)
	if (said.Exit != 0) != (len(rules) > 0) {
		t.Fatalf("%s: exit %d with %d findings: %s", l.name, said.Exit, len(rules), said.Errors)
	}
	return rules
}

// The description follows the rules of two linters. TestOpenAPIIsValid checks that it is valid
// OpenAPI.
func TestLongLinters(t *testing.T) {
	t.Parallel()
	for _, l := range linters {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			for _, rule := range l.lint(t, document(t)) {
				t.Error(rule)
			}
		})
	}
}

// A misconfigured linter would find nothing anywhere: each mistake here must be found by the rules
// in its row.
func TestLongLintersFindMistakes(t *testing.T) {
	t.Parallel()
	mistakes := []struct{ of, by, spectral, redocly string }{
		{"      operationId: describe\n", "", "operation-has-all", "operation-operationId"},
		{"operationId: createPaymentIntent", "operationId: PaymentIntents_create", "operation-id-camel-case", ""},
		{"description: The OpenAPI document of the version", "x-description: The OpenAPI document of the version",
			"operation-description", "operation-description"},
		{"tags: [Payment intents]\n      operationId: retrievePaymentIntent",
			"operationId: retrievePaymentIntent", "operation-has-all", ""},
		{"                  status: canceled\n", "                  status: lost\n", "oas3-valid-media-example",
			"no-invalid-media-type-examples"},
		{"summary: Hosted checkout for payments in Libyan dinars.", "summary: 7", "oas3-schema", "struct"},
		{"        \"503\":\n          $ref: \"#/components/responses/Unavailable\"\n  /payment-intents/{uuid}",
			"  /payment-intents/{uuid}", "operation-describes-failures", ""},
		{"    OutOfScope:\n      description: The access token does not have the scope that this needs.\n" +
			"      headers:\n        X-Request-Id:",
			"    OutOfScope:\n      description: The access token does not have the scope that this needs.\n" +
				"      headers:\n        X-Id:", "answer-has-request-id", ""},
		{"required: [message]\n", "required: []\n", "error-has-message", ""},
		{"description: What is wrong with the key.\n", "minLength: 1\n", "property-has-description", ""},
		{"      examples:\n        yours:\n          summary: An id of your own\n" +
			"          value: order-1001.create-1\n", "", "parameter-has-example", ""},
		{"    Status:\n      type: string", "    Unused:\n      type: string\n    Status:\n      type: string",
			"oas3-unused-component", "no-unused-components"},
		{"  /openapi.yaml:", "  /openAPI_document.yaml:", "paths-kebab-case", ""},
		{"        metadata:\n          type: [object, \"null\"]\n          description: |",
			"        metadata:\n          type: [object, array, \"null\"]\n          description: |",
			"type-is-one", ""},
	}
	text := string(document(t))
	for _, m := range mistakes {
		if !strings.Contains(text, m.of) {
			t.Errorf("openapi.yaml has no %q", m.of)
		}
		text = strings.Replace(text, m.of, m.by, 1)
	}
	for _, l := range linters {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			found := l.lint(t, []byte(text))
			for _, m := range mistakes {
				rule := map[string]string{"spectral": m.spectral, "redocly": m.redocly}[l.name]
				if rule != "" && !slices.ContainsFunc(found, func(f string) bool {
					return strings.HasPrefix(f, rule+":")
				}) {
					t.Errorf("%q does not break %s; found %q", m.by, rule, found)
				}
			}
		})
	}
}

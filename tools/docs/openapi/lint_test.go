package openapi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"daftar/tools/docs/npmtest"
)

// thirdParty is the folder with the packages of npm that judge openapi.yaml.
const thirdParty = "testdata/thirdparty"

// linter is a third-party linter of openapi.yaml.
type linter struct {
	name string
	// args end with the file that is linted.
	args func(tools *npmtest.Tools, file string) []string
	// read finds the rules that were broken in what the linter said.
	read func(t *testing.T, output string) []string
}

var linters = []linter{
	{
		name: "spectral",
		args: func(tools *npmtest.Tools, file string) []string {
			return []string{"lint", "--ruleset", tools.Path("spectral.yaml"), "--fail-severity", "hint", "--format", "json", "--quiet", file}
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
			return []string{"lint", "--config", tools.Path("redocly.yaml"), "--format", "json", "--max-problems", "1000", file}
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

func TestLinters(t *testing.T) {
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

//go:build long

package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daftar/tools/docs/npmtest"
)

// The documents follow the rules of markdownlint, and a violation is found.
func TestLongMarkdown(t *testing.T) {
	t.Parallel()
	tools := npmtest.Open(t, "testdata/markdown")
	all := documents(t)
	all["broken.md"] = []byte("# One\n\n### Three\n\n[reversed](  )\n* a\n- b\n")
	for name, content := range all {
		file := filepath.Join(tools.Work, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said := tools.Run("markdownlint-cli2", "--config", tools.Path(".markdownlint-cli2.jsonc"), "**/*.md")
	planted := 0
	for line := range strings.Lines(said.Errors) {
		if strings.HasPrefix(line, "broken.md:") {
			planted++
			continue
		}
		t.Error(strings.TrimSpace(line))
	}
	if planted < 4 || said.Exit != 1 {
		t.Errorf("of what is wrong with broken.md it finds %d: exit %d\n%s", planted, said.Exit, said.Errors)
	}
}

package npmtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daftar/tools/docs/npmtest"
)

// folder creates a folder with a tool that prints its arguments, its folder and environment.
func folder(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	bin := filepath.Join(root, "node_modules", ".bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		filepath.Join(root, "node_modules", ".package-lock.json"): "{}",
		filepath.Join(bin, "tell"): "#!/bin/sh\n" +
			"echo \"$@\"; pwd; env; echo mistake >&2; exit 3\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestRun(t *testing.T) {
	t.Setenv("DAFTAR_SECRET_KEY", "not for tools")
	tools := npmtest.Open(t, folder(t))
	got := tools.Run("tell", "a b", "c")
	if got.Exit != 3 || got.Errors != "mistake\n" {
		t.Errorf("exit %d, errors %q", got.Exit, got.Errors)
	}
	for _, part := range []string{
		"a b c\n" + tools.Work + "\n", "REDOCLY_TELEMETRY=off\n", "SCARF_ANALYTICS=false\n",
		"HTTPS_PROXY=http://127.0.0.1:9\n",
	} {
		if !strings.Contains(got.Output, part) {
			t.Errorf("the tool did not get %q, but %s", part, got.Output)
		}
	}
	if strings.Contains(got.Output, "DAFTAR") {
		t.Errorf("the tool sees our environment: %s", got.Output)
	}
}

func TestRunNode(t *testing.T) {
	t.Parallel()
	tools := npmtest.Open(t, folder(t))
	got := tools.RunNode([]string{"WORD=yes"}, "--eval", "console.log(process.env.WORD); process.exit(4)")
	if got.Exit != 4 || got.Output != "yes\n" {
		t.Errorf("%+v", got)
	}
}

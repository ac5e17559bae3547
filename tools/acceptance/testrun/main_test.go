package main

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/acceptance/programtest"
)

// The command finds everything in its environment; its exit code is passed on, and afterwards
// everything is gone.
func TestRun(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said")
	t.Setenv("SAID", said)
	names := []string{pgtest.Variable, browsertest.Variable, programtest.Variable}
	script := `for name in "$@"; do printenv "$name"; done >"$SAID"
		test -d "$` + programtest.Variable + `" && exit 7`
	code, err := run(append([]string{"sh", "-c", script, "sh"}, names...))
	if code != 7 || err != nil {
		t.Errorf("exit code %d, %v; want the command's 7", code, err)
	}
	text, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Fields(string(text))
	if len(values) != len(names) {
		t.Fatalf("the command was given %q", values)
	}
	// Another process may have taken a port that is free again, so the test checks for our own
	// password and browser.
	if conn, err := pgx.Connect(t.Context(), values[0]); err == nil {
		_ = conn.Close(t.Context())
		t.Errorf("%s still answers", conn.Config().Host)
	}
	browser, err := url.Parse(values[1])
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := http.Get("http://" + browser.Host + "/json/version"); err == nil {
		version, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if strings.Contains(string(version), browser.Path) {
			t.Errorf("%s still answers", browser.Host)
		}
	}
	if _, err := os.Stat(values[2]); !os.IsNotExist(err) {
		t.Errorf("the folder of programs is there: %v", err)
	}
}

func TestExecute(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]int{"exit 0": 0, "exit 3": 3, "kill -9 $$": -1} {
		if code, err := execute([]string{"sh", "-c", command}, nil); code != want || err != nil {
			t.Errorf("%s: %d, %v; want %d", command, code, err, want)
		}
	}
	if _, err := execute([]string{filepath.Join(t.TempDir(), "missing")}, nil); err == nil {
		t.Error("a command that is not there ran")
	}
}

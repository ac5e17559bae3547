package main

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daftar/internal/browsertest"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/programtest"
)

// The command finds everything in its environment; its exit code is passed on, and
// afterwards all of it is gone.
func TestRun(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said")
	t.Setenv("SAID", said)
	names := []string{pgtest.Variable, browsertest.Variable, programtest.Variable}
	script := `for name in "$@"; do printenv "$name"; done >"$SAID"; test -d "$` + programtest.Variable + `" && exit 7`
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
	for _, address := range values[:2] {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if conn, err := net.Dial("tcp", u.Host); err == nil {
			_ = conn.Close()
			t.Errorf("%s still answers", u.Host)
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

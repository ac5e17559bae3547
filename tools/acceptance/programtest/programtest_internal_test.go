package programtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// write creates a program of one file.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const says = "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"built\") }\n"

// If several processes request a program at the same time, it is built once, and each gets it
// complete.
func TestProgramIsBuiltOnce(t *testing.T) {
	t.Parallel()
	dir, source := t.TempDir(), write(t, says)
	run := func() {
		path, err := build(dir, "program", source)
		if err != nil {
			t.Error(err)
			return
		}
		if said, err := exec.CommandContext(t.Context(), path).Output(); err != nil || string(said) != "built" {
			t.Errorf("the program says %q, %v", said, err)
		}
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(run)
	}
	all.Wait()
	// From now on a build would fail.
	if err := os.WriteFile(source, []byte("package main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run()
	if half, err := filepath.Glob(filepath.Join(dir, "*.new")); err != nil || len(half) > 0 {
		t.Errorf("files are left: %v, %v", half, err)
	}
}

// A program that does not compile is reported with the compiler's message, and is built when it
// compiles.
func TestProgramDoesNotCompile(t *testing.T) {
	t.Parallel()
	dir, source := t.TempDir(), write(t, "package main\n\nfunc main() { missing() }\n")
	_, err := build(dir, "program", source)
	if err == nil || !strings.Contains(err.Error(), "build program:") ||
		!strings.Contains(err.Error(), "undefined: missing") {
		t.Errorf("the error is %v", err)
	}
	if err := os.WriteFile(source, []byte(says), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := build(dir, "program", source); err != nil {
		t.Errorf("after the mistake was corrected: %v", err)
	}
}

// suite represents the tests of a package that builds programs.
type suite struct {
	t   *testing.T
	dir string
}

func (s *suite) Run() int {
	first, err := folder()
	if err != nil {
		s.t.Error(err)
	}
	second, err := folder()
	if err != nil || second != first {
		s.t.Errorf("the folder is %s, then %s, %v", first, second, err)
	}
	s.dir = first
	return 3
}

func TestFolder(t *testing.T) {
	shared := t.TempDir()
	for name, variable := range map[string]string{"of the run": shared, "of the process": ""} {
		t.Setenv(Variable, variable)
		s := &suite{t: t}
		if code := Around(s).Run(); code != 3 {
			t.Errorf("%s: exit code %d, want the suite's 3", name, code)
		}
		if (s.dir == shared) != (variable == shared) {
			t.Errorf("%s: %s", name, s.dir)
		}
		if _, err := os.Stat(s.dir); (err == nil) != (variable == shared) {
			t.Errorf("%s: afterwards %v; what is shared stays, what is not goes", name, err)
		}
	}
}

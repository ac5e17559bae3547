package pgcluster

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNewestServerWins(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	install := func(version string, names ...string) string {
		bin := filepath.Join(root, version, "bin")
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(bin, name), nil, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		return bin
	}
	old := install("14", "initdb", "postgres")
	nine := install("9.6", "initdb", "postgres")
	fifteen := install("15", "initdb", "postgres")
	sixteen := install("16", "initdb", "postgres")
	client := install("17", "psql")
	for name, c := range map[string]struct {
		dirs []string
		want string
	}{
		"newest":                   {[]string{fifteen, sixteen, old}, sixteen},
		"a client is no server":    {[]string{fifteen, client}, fifteen},
		"too old":                  {[]string{old, nine}, ""},
		"nothing":                  {nil, ""},
		"a directory that is gone": {[]string{filepath.Join(root, "99", "bin"), fifteen}, fifteen},
	} {
		if got := newest(c.dirs); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestDirectoryNeedsTheLeastCapabilities(t *testing.T) {
	t.Parallel()
	closed := filepath.Join(t.TempDir(), "closed", "postgres")
	if err := os.Mkdir(filepath.Dir(closed), 0o700); err != nil {
		t.Fatal(err)
	}
	open, err := os.MkdirTemp("", "daftar-open-") //nolint:usetesting // t.TempDir's parents follow the umask
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(open) })
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	id, err := serverIdentity()
	if err != nil {
		t.Fatal(err)
	}
	another := id.root

	used, with, err := id.prepareDirectory(t.Context(), filepath.Join(open, "postgres"), open,
		capabilityChoices())
	if err != nil || used != filepath.Join(open, "postgres") || len(with.caps) != 0 {
		t.Errorf("open directory: %s with capabilities %v, %v; want itself with none", used, with.caps, err)
	}
	used, with, err = id.prepareDirectory(t.Context(), closed, open, capabilityChoices())
	if err != nil || used != closed || (len(with.caps) > 0) != another {
		t.Errorf("closed directory: %s with capabilities %v, %v", used, with.caps, err)
	}
	// A kernel that grants no capability.
	used, with, err = id.prepareDirectory(t.Context(), closed, open, [][]uintptr{nil})
	if err != nil || len(with.caps) != 0 {
		t.Fatalf("without capabilities: %v, %v", with.caps, err)
	}
	if elsewhere := filepath.Dir(used) == open; elsewhere != another {
		t.Errorf("without capabilities: the data is in %s", used)
	}
	again, _, err := id.prepareDirectory(t.Context(), closed, open, [][]uintptr{nil})
	if err != nil || again != used {
		t.Errorf("the next run looks in %s, not in %s: %v", again, used, err)
	}
}

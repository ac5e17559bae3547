package wholefile_test

import (
	"os"
	"path/filepath"
	"testing"

	"daftar/internal/wholefile"
)

// The file replaces an older one, with its own mode. No other file remains, also if it cannot
// be written.
func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"first", "", "the third, longer than the others"} {
		if err := wholefile.Write(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := wholefile.Write(filepath.Join(dir, "not", "there"), nil, 0o600); err == nil {
		t.Error("written into a missing folder")
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := wholefile.Write(filepath.Join(dir, "folder"), []byte("x"), 0o600); err == nil {
		t.Error("written over a folder")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
}

package architecture_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Files for merchants have the same limit as our own.
func TestFilesForMerchantsAreShort(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, folder := range []string{"sdk", "examples", "docs/samples", "plugins"} {
		err := filepath.WalkDir(filepath.Join("..", "..", folder),
			func(file string, entry fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				if entry.IsDir() {
					if notOurs(entry.Name()) || entry.Name() == "dist" {
						return fs.SkipDir
					}
					return nil
				}
				programs := []string{".php", ".js", ".ts", ".mjs", ".py", ".go"}
				isProgram := slices.Contains(programs, filepath.Ext(file))
				if entry.Name() == "schema.ts" || strings.Contains(entry.Name(), ".gen.") || !isProgram {
					return nil // generated, or no program
				}
				text, err := os.ReadFile(file)
				if lines := bytes.Count(text, []byte("\n")); lines > maxLines {
					t.Errorf("%s has %d lines, more than %d", file, lines, maxLines)
				}
				seen++
				return err
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 20 {
		t.Errorf("%d files only", seen)
	}
}

// An SDK says the version of its package with every request.
func TestSDKsSendTheirVersion(t *testing.T) {
	t.Parallel()
	for _, sdk := range []struct{ name, manifest, source string }{
		{"php", "composer.json", "src/Connection.php"},
		{"typescript", "package.json", "src/request.ts"},
	} {
		var manifest struct{ Version string }
		text, err := os.ReadFile(filepath.Join("..", "..", "sdk", sdk.name, sdk.manifest))
		if err == nil {
			err = json.Unmarshal(text, &manifest)
		}
		if err != nil {
			t.Fatal(err)
		}
		source, err := os.ReadFile(filepath.Join("..", "..", "sdk", sdk.name, sdk.source))
		if err != nil {
			t.Fatal(err)
		}
		want := "daftar-" + sdk.name + "/" + manifest.Version + " "
		if manifest.Version == "" || !bytes.Contains(source, []byte(want)) {
			t.Errorf("%s does not send %q", sdk.name, want)
		}
	}
}

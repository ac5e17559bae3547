//go:build long

package storybook_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"daftar/tools/acceptance/browsertest"
)

// keeping makes the test write the kept pictures that are missing or differ, and remove those
// without a story.
var keeping = os.Getenv("WRITE_PICTURES") == "new"

// Each story with pictures looks as in its kept pictures. A change of a page must include new
// pictures, which `make pictures` writes, so that reviewers see the change.
func TestLongPictures(t *testing.T) {
	if err := os.RemoveAll(seenPictures); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(keptPictures, 0o755); err != nil {
		t.Fatal(err)
	}
	address := servePictured(t, nil)
	var adding sync.Mutex
	shown := map[string]bool{}
	t.Run("stories", func(t *testing.T) {
		for _, w := range picturedWays() {
			t.Run(w.String(), func(t *testing.T) {
				t.Parallel()
				folder := t.TempDir()
				names := w.take(t, address, folder)
				w.judge(t, folder, names)
				adding.Lock()
				defer adding.Unlock()
				for _, name := range names {
					shown[name] = true
				}
			})
		}
	})
	if len(shown) < 180 && !t.Failed() {
		t.Errorf("%d pictures only", len(shown))
	}
	checkLeftovers(t, shown)
	checkBrowser(t)
}

// judge compares the new pictures of a folder with the kept ones.
func (w picturedWay) judge(t *testing.T, folder string, names []string) {
	t.Helper()
	differences, compared := compare(t, keptPictures, folder, seenPictures)
	differs := map[string]difference{}
	for _, d := range differences {
		if d.counts() {
			differs[d.Name] = d
		}
	}
	missing := 0
	for _, name := range names {
		kept := filepath.Join(keptPictures, filepath.FromSlash(name))
		_, err := os.Stat(kept)
		d, changed := differs[name]
		switch {
		case (err != nil || changed) && keeping:
			write(t, kept, read(t, filepath.Join(folder, filepath.FromSlash(name))))
		case err != nil:
			missing++
			t.Errorf("%s is not kept yet: look at the new story, then run `make pictures`", name)
		case changed:
			t.Errorf("%s differs in %d pixels, %d of them close together; it was %s pixels large and is %s. "+
				"Look at var/pictures/%s*; if it is intended, run `make pictures`",
				name, d.Pixels, d.Densest, d.Before, d.After, strings.TrimSuffix(name, "png"))
		}
	}
	if !keeping && compared+missing != len(names) {
		t.Errorf("%d of %d pictures were compared", compared, len(names))
	}
}

// checkLeftovers finds kept pictures without a story.
func checkLeftovers(t *testing.T, shown map[string]bool) {
	t.Helper()
	if t.Failed() && keeping {
		return // some story may not have been reached
	}
	err := filepath.WalkDir(keptPictures, func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".png" {
			return err
		}
		name, err := filepath.Rel(keptPictures, path)
		switch {
		case err != nil || shown[filepath.ToSlash(name)]:
			return err
		case keeping:
			return os.Remove(path)
		}
		t.Errorf("no story has the picture %s: `make pictures` removes it", name)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// checkBrowser logs if the kept pictures are those of another release of the browser.
func checkBrowser(t *testing.T) {
	t.Helper()
	browser := browsertest.Open(t, browsertest.Options{}).Browser() + "\n"
	if keeping {
		write(t, keptBrowser, []byte(browser))
		return
	}
	if of := string(read(t, keptBrowser)); of != browser {
		t.Logf("The kept pictures are those of %s, this is %s. "+
			"If unchanged pages differ, `make pictures` keeps what this one draws.",
			strings.TrimSpace(of), strings.TrimSpace(browser))
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

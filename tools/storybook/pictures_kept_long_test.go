//go:build long

package storybook_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"daftar/tools/acceptance/browsertest"
)

// keeping has the test write the kept pictures that are missing or differ, and remove those that
// no story has.
var keeping = os.Getenv("WRITE_PICTURES") == "new"

// Each story that is pictured looks as its kept pictures do. A change of a page comes with new ones, which `make
// pictures` writes, so that its reviewers see it.
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

// judge holds the new pictures of a folder against the kept ones.
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
			write(t, kept, keepable(t, read(t, filepath.Join(folder, filepath.FromSlash(name)))))
		case err != nil:
			missing++
			t.Errorf("%s is kept nowhere: look at the new story, then `make pictures`", name)
		case changed:
			t.Errorf("%s differs in %d pixels, %d of them close together; it was %s pixels large and is %s. Look at var/pictures/%s*; where it is meant, `make pictures`",
				name, d.Pixels, d.Densest, d.Before, d.After, strings.TrimSuffix(name, "png"))
		}
	}
	if !keeping && compared+missing != len(names) {
		t.Errorf("%d of %d pictures were compared", compared, len(names))
	}
}

// checkLeftovers finds kept pictures of what no story shows.
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

// checkBrowser says where the kept pictures are those of another release of the browser.
func checkBrowser(t *testing.T) {
	t.Helper()
	browser := browsertest.Open(t, browsertest.Options{}).Browser() + "\n"
	if keeping {
		write(t, keptBrowser, []byte(browser))
		return
	}
	if of := string(read(t, keptBrowser)); of != browser {
		t.Logf("The kept pictures are those of %s, this is %s. Where pages differ that nobody changed, `make pictures` keeps what this one draws.",
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

// keepable is the same picture in fewer bytes, every pixel in its colour: by a palette where the
// picture has few enough colours for one.
func keepable(t *testing.T, picture []byte) []byte {
	t.Helper()
	all := decoded(t, picture)
	const most = 256
	var palette color.Palette
	place := map[color.NRGBA]uint8{}
	small := image.NewPaletted(all.Rect, nil)
	for n := range small.Pix {
		c := color.NRGBA{all.Pix[4*n], all.Pix[4*n+1], all.Pix[4*n+2], all.Pix[4*n+3]}
		at, known := place[c]
		if !known {
			if len(palette) == most {
				return encoded(t, all)
			}
			at = uint8(len(palette))
			place[c], palette = at, append(palette, c)
		}
		small.Pix[n] = at
	}
	small.Palette = palette
	return encoded(t, small)
}

func decoded(t *testing.T, picture []byte) *image.NRGBA {
	t.Helper()
	drawn, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	all := image.NewNRGBA(drawn.Bounds())
	draw.Draw(all, all.Rect, drawn, all.Rect.Min, draw.Src)
	return all
}

func encoded(t *testing.T, picture image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

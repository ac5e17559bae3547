//go:build long

package storybook_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daftar/internal/web"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/docs/npmtest"
	"daftar/tools/storybook"
)

// What counts as a change. With the same browser a page that nobody changed differs in no pixel;
// another release of it draws edges a little differently here and there.
const (
	colourThreshold = "0.05" // of the distance between black and white, as people see it
	squareSide      = "16"
	mostInSquare    = 4 // pixels of a square that may differ
)

// highestPicture is where a picture ends, in pixels: what is below looks like what is above.
const highestPicture = 1_200

// Where the kept pictures lie, the version of the browser that made them, and where a failed test
// leaves what it saw.
var (
	keptPictures = filepath.Join(picturing, "kept")
	keptBrowser  = filepath.Join(keptPictures, "browser.txt")
	seenPictures = filepath.Join("..", "..", "var", "pictures")
)

// picturedWay is how stories are shown for their pictures.
type picturedWay struct {
	kind

	width, height int
	stories       []string // nil: all
}

// picturedWays are all of them: each story in Arabic on a phone and in English on a desk, which has both
// layouts and both directions, and in the dark those that have every colour.
func picturedWays() []picturedWay {
	dark := []string{"pay", "pay-brand", "otp-wrong", "qr", "receipt-just-paid", "receipt-late", "payments", "payment", "money", "webhooks", "errors"}
	return []picturedWay{
		{kind{storybook.Light, web.Arabic}, smallWidth, smallHeight, nil},
		{kind{storybook.Light, web.English}, 1280, 800, nil},
		{kind{storybook.Dark, web.Arabic}, smallWidth, smallHeight, dark},
	}
}

func (w picturedWay) String() string {
	name := fmt.Sprintf("%s.%d", w.lang, w.width)
	if w.scheme == storybook.Dark {
		name += ".dark"
	}
	return name
}

// name is that of a story's picture, as a path below the folder of the kept ones.
func (w picturedWay) name(g storybook.Group, p storybook.Page) string {
	return g.Folder + "/" + p.Name + "." + w.String() + ".png"
}

// take writes the picture of each of the way's stories into a folder and returns their names.
func (w picturedWay) take(t *testing.T, address, folder string) (names []string) {
	t.Helper()
	b := browsertest.Open(t, browsertest.Options{Width: w.width, Height: w.height, Scripts: true, ReducedMotion: true, Dark: w.scheme == storybook.Dark})
	for _, g := range storybook.Groups() {
		for _, p := range g.Pages {
			if w.stories != nil && !slices.Contains(w.stories, p.Name) {
				continue
			}
			page := storybook.Path(w.scheme, g, p, w.lang)
			b.Navigate(address + page)
			for _, family := range browsertest.Evaluate[[]string](b, `[...new Set([...document.querySelectorAll("body, body *")].map(e => getComputedStyle(e).fontFamily))]`) {
				if family != sansFamily && family != monoFamily {
					t.Errorf("%s has texts in %s, a font that each machine has its own of", page, family)
				}
			}
			name := w.name(g, p)
			write(t, filepath.Join(folder, filepath.FromSlash(name)), b.Picture(highestPicture))
			names = append(names, name)
		}
	}
	return names
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// difference is what a new picture has that the kept one of its name has not.
type difference struct {
	Name          string
	Before, After string // their sizes
	Pixels        int    // that differ, in the whole picture
	Densest       int    // in the square in which most do
}

// counts says that somebody would see it.
func (d difference) counts() bool { return d.Before != d.After || d.Densest > mostInSquare }

// compare holds the new pictures of a folder against the kept ones of their names. Both, and what
// differs, are in the folder output for each difference.
func compare(t *testing.T, kept, made, output string) (all []difference, compared int) {
	t.Helper()
	tools := npmtest.Open(t, picturing)
	var folders []string
	for _, folder := range []string{kept, made, output} {
		absolute, err := filepath.Abs(folder)
		if err != nil {
			t.Fatal(err)
		}
		folders = append(folders, absolute)
	}
	said := tools.RunNode(nil, append(append([]string{tools.Path("compare.mjs")}, folders...), squareSide, colourThreshold)...)
	if said.Exit != 0 {
		t.Fatalf("compare pictures: exit %d\n%s%s", said.Exit, said.Output, said.Errors)
	}
	for line := range strings.Lines(said.Output) {
		var d struct {
			difference

			Pictures int
		}
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatalf("compare pictures: %v: %s", err, line)
		}
		if compared += d.Pictures; d.Name != "" {
			all = append(all, d.difference)
		}
	}
	return all, compared
}

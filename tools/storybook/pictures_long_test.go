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

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/docs/npmtest"
	"daftar/tools/storybook"
)

// What counts as a change. With the same browser an unchanged page differs in no pixel; another
// release of it draws some edges slightly differently.
const (
	colourThreshold = "0.05" // of the distance between black and white, as people see it
	squareSide      = "16"
	mostInSquare    = 4 // pixels of a square that may differ
)

// highestPicture is the largest height of a picture, in pixels: the rest of a page looks like its
// beginning.
const highestPicture = 1_200

// The folder of the kept pictures, the version of the browser that made them, and the folder for
// the pictures of a failed test.
var (
	keptPictures = filepath.Join(picturing, "kept")
	keptBrowser  = filepath.Join(keptPictures, "browser.txt")
	seenPictures = filepath.Join("..", "..", "var", "pictures")
)

// picturedWay is a language, a scheme and a width in which stories are pictured.
type picturedWay struct {
	kind

	width, height int
	stories       []story
}

// ownLayout are stories whose layout differs from the first of their template. Stories that differ
// only in texts, in a notice or in the problem of a field are not here, because the tests of texts
// check them.
var ownLayout = []string{
	"checkout/pay-long", "checkout/pay-five", "checkout/pay-all-methods", "checkout/pay-all-down",
	"checkout/pay-two-problems", "checkout/pay-brand", "checkout/pay-brand-wide", "checkout/otp",
	"checkout/otp-brand", "checkout/receipt-just-paid", "checkout/receipt-brand",
	"docs/quickstart", "docs/errors", "docs/api",
	"dashboard/sign-in-passkey", "dashboard/sign-in-wrong", "dashboard/code-passkey", "dashboard/passkeys-none",
	"dashboard/payments-many", "dashboard/payments-none", "dashboard/payment-late", "dashboard/payment-refunded",
	"dashboard/money", "dashboard/reconcile-differs", "dashboard/refund-by-hand", "dashboard/outcome-proposed",
	"dashboard/developers-curl", "dashboard/acquirer-refused",
}

// inEveryColour are stories that together have every colour of a scheme.
var inEveryColour = []string{
	"checkout/pay", "checkout/pay-brand", "checkout/otp-wrong", "checkout/qr", "checkout/receipt-just-paid",
	"checkout/receipt-late",
	"dashboard/payments", "dashboard/payment", "dashboard/money", "dashboard/webhooks", "docs/errors",
}

// picturedWays are all of them: the first story of each template, and those with their own layout, in
// Arabic on a phone and in English on a desk, which has both layouts and both directions; on the phone
// also the first with each detail of a payment, and in the dark those that have every colour.
func picturedWays() []picturedWay {
	phone := firstOfEach(func(s story) string {
		if slices.Contains(ownLayout, s.name()) {
			return s.name()
		}
		return s.template() + " " + s.page.Detail
	})
	desk := firstOfEach(func(s story) string {
		if slices.Contains(ownLayout, s.name()) {
			return s.name()
		}
		return s.template()
	})
	dark := slices.DeleteFunc(stories(), func(s story) bool { return !slices.Contains(inEveryColour, s.name()) })
	return []picturedWay{
		{kind{storybook.Light, locale.Arabic}, smallWidth, smallHeight, phone},
		{kind{storybook.Light, locale.English}, 1280, 800, desk},
		{kind{storybook.Dark, locale.Arabic}, smallWidth, smallHeight, dark},
	}
}

func (w picturedWay) String() string {
	name := fmt.Sprintf("%s.%d", w.lang, w.width)
	if w.scheme == storybook.Dark {
		name += ".dark"
	}
	return name
}

// name is the path of a story's picture, relative to the folder of the kept ones.
func (w picturedWay) name(s story) string { return s.name() + "." + w.String() + ".png" }

// take writes the pictures of its stories into a folder and returns their names.
func (w picturedWay) take(t *testing.T, address, folder string) (names []string) {
	t.Helper()
	b := browsertest.Open(t, browsertest.Options{
		Width: w.width, Height: w.height, Scripts: true,
		ReducedMotion: true, Dark: w.scheme == storybook.Dark,
	})
	for _, s := range w.stories {
		b.Navigate(address + w.path(s))
		const families = `[...new Set([...document.querySelectorAll("body, body *")].map(
			e => getComputedStyle(e).fontFamily))]`
		for _, family := range browsertest.Evaluate[[]string](b, families) {
			if family != sansFamily && family != monoFamily {
				t.Errorf("%s has texts in %s, a font that each machine has its own of", w.path(s), family)
			}
		}
		name := w.name(s)
		write(t, filepath.Join(folder, filepath.FromSlash(name)), b.Picture(highestPicture))
		names = append(names, name)
	}
	return names
}

// A name without a story would leave a layout without a picture.
func TestLongPicturedStoriesExist(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Concat(ownLayout, inEveryColour) {
		if !slices.ContainsFunc(stories(), func(s story) bool { return s.name() == name }) {
			t.Errorf("there is no story %s", name)
		}
	}
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

// difference describes how a new picture differs from the kept one.
type difference struct {
	Name          string
	Before, After string // their sizes
	Pixels        int    // that differ, in the whole picture
	Densest       int    // in the square in which most do
}

// counts reports whether the difference is visible.
func (d difference) counts() bool { return d.Before != d.After || d.Densest > mostInSquare }

// compare compares the new pictures of a folder with the kept ones of the same names. It writes
// both, and a picture of each difference, into the folder output.
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
	arguments := append([]string{tools.Path("compare.mjs")}, folders...)
	said := tools.RunNode(nil, append(arguments, squareSide, colourThreshold)...)
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

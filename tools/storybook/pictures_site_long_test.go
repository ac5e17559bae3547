//go:build long

package storybook_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"daftar/tools/docs/npmtest"
	"daftar/tools/storybook"
)

// picturing is the folder of the tools that compare pictures, and of the kept pictures.
const picturing = "testdata/pictures"

// drawnWith are the fonts of the pages in pictures, by their files. Otherwise a page uses the
// fonts of its reader's machine. These are the same everywhere and have every character that
// the pages have.
var drawnWith = map[string]string{
	"sans.ttf": "DejaVuSans.ttf", "sans-bold.ttf": "DejaVuSans-Bold.ttf",
	"mono.ttf": "DejaVuSansMono.ttf", "mono-bold.ttf": "DejaVuSansMono-Bold.ttf",
}

// The font families of the pages in pictures.
const (
	sansFamily = `"Daftar Arabic", Sans`
	monoFamily = `Mono, Sans`
)

// still is appended to the style sheets for pictures. It sets the fonts and stops everything
// that moves or scrolls: text in a scrolling layer has a different subpixel position each time.
const still = `
@font-face { font-family: Sans; src: url("/fonts/sans.ttf"); font-weight: 400; font-display: block }
@font-face { font-family: Sans; src: url("/fonts/sans-bold.ttf"); font-weight: 600 700; font-display: block }
@font-face { font-family: Mono; src: url("/fonts/mono.ttf"); font-weight: 400; font-display: block }
@font-face { font-family: Mono; src: url("/fonts/mono-bold.ttf"); font-weight: 600 700; font-display: block }
.scroll, pre, .mono, textarea, nav { overflow: clip !important }
input, ::file-selector-button { font-family: inherit }
*, ::before, ::after {
	animation: none !important; transition: none !important; caret-color: transparent !important
}
`

// stopped is prepended to the script of the pages, so that no time passes for it.
const stopped = "Date.now = function () { return 1763671265000 }; " +
	"window.setInterval = window.setTimeout = function () { return 0 };\n"

var sans, mono = regexp.MustCompile(`--sans: [^;]*;`), regexp.MustCompile(`--mono: [^;]*;`)

// pictured changes a file of the storybook so that its picture is the same on every machine, each time.
func pictured(t *testing.T, name, content string) string {
	t.Helper()
	switch {
	case path.Base(name) == "daftar.js":
		return stopped + content
	case path.Ext(name) != ".css" || name == "storybook.css":
		return content
	case len(sans.FindAllString(content, -1)) != 1 || len(mono.FindAllString(content, -1)) != 1:
		t.Errorf("%s does not name its fonts once", name)
	}
	content = sans.ReplaceAllString(content, "--sans: "+sansFamily+";")
	content = mono.ReplaceAllString(content, "--mono: "+monoFamily+";")
	return strings.Replace(content, "font-display: optional", "font-display: block", 1) + still
}

// servePictured serves the storybook for pictures. If change is not nil, it changes each file
// further.
func servePictured(t *testing.T, change func(name, content string) string) (address string) {
	t.Helper()
	tools := npmtest.Open(t, picturing)
	all := map[string][]byte{}
	for name, content := range files(t) {
		text := pictured(t, name, string(content))
		if change != nil {
			text = change(name, text)
		}
		all[name] = []byte(text)
	}
	fonts := map[string][]byte{}
	for name, file := range drawnWith {
		content, err := os.ReadFile(tools.Path(filepath.Join("node_modules", "dejavu-fonts-ttf", "ttf", file)))
		if err != nil {
			t.Fatal(err)
		}
		fonts[name] = content
	}
	pages := storybook.Handler(all)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if font, found := fonts[strings.TrimPrefix(r.URL.Path, "/fonts/")]; found {
			w.Header().Set("Content-Type", "font/ttf")
			w.Header().Set("Cache-Control", "max-age=3600") // the next page has it already
			_, _ = w.Write(font)
			return
		}
		pages.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

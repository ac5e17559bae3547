package docs_test

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	fence    = regexp.MustCompile("(?s)(?:\\A|\n)```.*?\n```\n")
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	level    = regexp.MustCompile(`(?m)^#+ `)
	linkTo   = regexp.MustCompile(`\]\(([^)]*)\)`)
	figure   = regexp.MustCompile(`[0-9](?:[0-9,.]*[0-9])?`)
)

// An Arabic edition says what the English one does: the same sections, code, names and
// links, and tables with the same rows and figures. The glossary of Arabic words is no
// edition: another test checks its terms against the catalogues.
func TestEditionsAgree(t *testing.T) {
	t.Parallel()
	var arabic []string
	for _, folder := range []string{"docs", "docs/integrate", "sdk/*"} {
		found, err := filepath.Glob(filepath.Join(root, folder, "*.ar.md"))
		if err != nil {
			t.Fatal(err)
		}
		arabic = append(arabic, found...)
	}
	plugins, err := filepath.Glob(filepath.Join(root, "plugins", "*", "*.ar.md"))
	if err != nil {
		t.Fatal(err)
	}
	arabic = append(arabic, plugins...)
	arabic = slices.DeleteFunc(arabic, func(file string) bool { return filepath.Base(file) == "glossary.ar.md" })
	arabic = append(arabic, filepath.Join(root, "docs", "samples", "README.ar.md"))
	if len(arabic) < 18 {
		t.Fatalf("%d Arabic editions", len(arabic))
	}
	for _, file := range arabic {
		other := strings.TrimSuffix(file, ".ar.md") + ".md"
		want, got := editionOf(read(t, other)), editionOf(read(t, file))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s is not %s (-English +Arabic):\n%s", file, other, diff)
		}
	}
}

// edition is what is the same in both languages.
type edition struct {
	Fences, Levels, Spans, Links []string
	Rows                         [][]string // the figures in each row of a table
}

func editionOf(text string) edition {
	e := edition{Fences: fence.FindAllString(text, -1)}
	text = fence.ReplaceAllString(text, "")
	e.Levels = level.FindAllString(text, -1)
	spans := map[string]bool{}
	for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
		spans[m[1]] = true
	}
	e.Spans = slices.Sorted(maps.Keys(spans))
	for _, m := range linkTo.FindAllStringSubmatch(text, -1) {
		file, _, _ := strings.Cut(m[1], "#") // headings are named by their words
		e.Links = append(e.Links, strings.Replace(file, ".ar.", ".", 1))
	}
	slices.Sort(e.Links)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			figures := figure.FindAllString(line, -1)
			slices.Sort(figures)
			e.Rows = append(e.Rows, figures)
		}
	}
	return e
}

//go:build long

package storybook_test

import (
	"testing"

	"daftar/tools/acceptance/browsertest"
)

// Every page, in both languages and both schemes: each story in two kinds that have neither in
// common, the next in the other two. Axe, which takes most of the time, judges each story in one of
// them: a template has several stories, and its colours are the same in both languages, which
// TestDarkSchemeOnlyChangesColours shows.
func TestLongEveryPageOnAPhone(t *testing.T) {
	t.Parallel()
	all := stories()
	if len(all) < 300 {
		t.Errorf("%d pages only", len(all))
	}
	for n, k := range kinds {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			mine := everyNth(all, n/2, 2)
			k.judgeOnAPhone(t, everyNth(mine, n%2, 2), (*browsertest.Tab).MustPassAxe)
			k.judgeOnAPhone(t, everyNth(mine, 1-n%2, 2), func(*browsertest.Tab) {})
		})
	}
}

// Where scripts are off, a reader who needs large text misses nothing either.
func TestLongLargeTextWithoutScripts(t *testing.T) {
	t.Parallel()
	templates := firstOfEach(story.template)
	for n, k := range kinds[:2] {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			o := browsertest.Options{Width: narrow, FontSize: doubled}
			k.visit(t, o, everyNth(templates, n, 2), func(b *browsertest.Tab, _ browsertest.Page, s story) {
				k.judgeLargeText(t, b, s)
				b.Resize(narrow, browserHeight)
			})
		})
	}
}

//go:build long

package storybook_test

import (
	"testing"

	"daftar/tools/acceptance/browsertest"
)

// Every page, in both languages and both schemes: each story in two kinds that differ in both, the
// next in the other two. Axe, which takes most of the time, checks each story in one of them,
// because a template has several stories and the same colours in both languages
// (TestDarkSchemeOnlyChangesColours).
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

// Without scripts, a reader who needs large text sees everything, too.
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

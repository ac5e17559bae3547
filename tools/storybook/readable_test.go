package storybook_test

import (
	"testing"

	"daftar/tools/acceptance/browsertest"
)

// unreadable returns the texts that are smaller than 12 pixels, names of shops that are nearer than
// 12 pixels to the edge above them or have more than two lines, and amounts that leave their box.
const unreadable = `(() => {
	const found = [], text = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	while (text.nextNode()) {
		const n = text.currentNode, e = n.parentElement
		if (!n.data.trim() || !e.checkVisibility() || e.closest(".unseen, script, noscript, style")) continue
		const size = parseFloat(getComputedStyle(e).fontSize)
		if (size < 11.99) found.push(size.toFixed(1) + " px: " + n.data.trim().slice(0, 30))
	}
	for (const e of document.querySelectorAll("td, th, .tile dd")) { // words that a style sheet adds
		const size = parseFloat(getComputedStyle(e, "::before").fontSize)
		if (e.dataset.label && size < 11.99) found.push(size.toFixed(1) + " px: " + e.dataset.label)
	}
	const name = document.querySelector(".top b")
	if (name) {
		const box = name.getBoundingClientRect(), gap = box.top - name.closest(".top").getBoundingClientRect().top
		if (gap < 12) found.push("the name is " + gap.toFixed(1) + " px below the edge")
		const lines = box.height / parseFloat(getComputedStyle(name).lineHeight)
		if (lines > 2.1) found.push("the name has " + lines.toFixed(1) + " lines")
	}
	for (const e of document.querySelectorAll(".sum .amount")) {
		if (!e.checkVisibility()) continue
		const range = document.createRange(), slip = e.closest(".sum").getBoundingClientRect()
		range.selectNodeContents(e)
		const r = range.getBoundingClientRect()
		if (r.left < slip.left + 8 || r.right > slip.right - 8) found.push("the amount is at the border")
	}
	return found
})()`

// Every template can be read on a small phone and on a desk. TestLongEveryStoryIsReadable checks all
// stories.
func TestEveryTemplateIsReadable(t *testing.T) {
	t.Parallel()
	mustBeReadable(t, firstOfEach(story.template))
}

// mustBeReadable checks stories, the next one in another language and scheme.
func mustBeReadable(t *testing.T, some []story) {
	t.Helper()
	for n, k := range kinds[:2] {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			o := browsertest.Options{Width: smallWidth, Height: smallHeight, Scripts: true}
			k.visit(t, o, everyNth(some, n, 2), func(b *browsertest.Tab, _ browsertest.Page, s story) {
				for _, width := range []int{1280, smallWidth} {
					b.Resize(width, smallHeight)
					for _, what := range browsertest.Evaluate[[]string](b, unreadable) {
						t.Errorf("%s on %d pixels: %s", k.path(s), width, what)
					}
				}
			})
		})
	}
}

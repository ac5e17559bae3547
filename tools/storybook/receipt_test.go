package storybook_test

import (
	"strings"
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
	"daftar/tools/storybook/checkoutstories"
)

// device replaces the functions by which a phone shares or copies a text.
const device = `
Object.defineProperty(navigator, 'share', {value: function (what) {
	document.documentElement.dataset.shared = what.text;
	return Promise.resolve();
}});
Object.defineProperty(navigator, 'clipboard', {value: {writeText: function (text) {
	document.documentElement.dataset.copied = text;
	return Promise.resolve();
}}});
`

// A receipt is shared and copied as a text with a link to its proof, not to the payer's page.
func TestReceiptIsSharedAndCopied(t *testing.T) {
	t.Parallel()
	address := serveChanged(t, "daftar.js", func(script string) string { return device + script })
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Scripts: true})
	for l, said := range map[locale.Lang]string{
		locale.Arabic: "نُسخ الإيصال.", locale.English: "The receipt is copied.",
	} {
		b.Navigate(address + checkoutPage(storybook.Light, "receipt", l))
		b.Click("[data-share]")
		b.Click("[data-copy]")
		b.Await("the page to say that it is copied", func(browsertest.Page) bool {
			return browsertest.Evaluate[string](b, `document.getElementById("status").textContent`) == said
		})
		for _, what := range []string{"data-shared", "data-copied"} {
			text := b.Attribute("html", what)
			for _, part := range []string{checkoutstories.CheckURL, "1,234.500", "7K3QX0M2TD", "مقهى الميدان"} {
				if !strings.Contains(text, part) {
					t.Errorf("%s: %q lacks %q", what, text, part)
				}
			}
			if strings.Contains(text, checkoutstories.Address) || strings.Contains(text, "5678") {
				t.Errorf("%s: %q tells of the payer", what, text)
			}
		}
	}
}

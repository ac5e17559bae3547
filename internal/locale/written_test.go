package locale_test

import (
	"testing"

	"daftar/internal/locale"
)

func TestScriptLanguage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"مقهى الميدان":   "ar",
		"Maydan Coffee":  "en",
		"1042: آلة قهوة": "ar",
		"42 – Café":      "en",
		"1042":           "",
		"":               "",
		"شركة Maydan":    "ar",
	} {
		if got := locale.ScriptLanguage(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	const want = `<bdi lang="en">&lt;b&gt;&#34;متجر&#34;</bdi>`
	if got := string(locale.MerchantTextHTML(`<b>"متجر"`)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

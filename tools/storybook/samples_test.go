package storybook_test

import (
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// The reference shows each call in one language, which a reader chooses by pointer or keyboard, even
// without a script. The choice for one call leaves the others.
func TestSampleOfTheChosenLanguageIsShown(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t, browsertest.Options{Width: narrow})
	b.Navigate(serve(t) + string(storybook.Light) + "/docs/api." + locale.English.String() + ".html")
	shown := func(operation string) []string {
		return browsertest.Evaluate[[]string](b, `[...document.querySelectorAll("pre[id^='`+operation+`-']")]
			.filter(e => e.checkVisibility()).map(e => e.id.replace(/.*-/, ""))`)
	}
	mustShow := func(operation, want string) {
		t.Helper()
		if got := shown(operation); len(got) != 1 || got[0] != want {
			t.Errorf("%s is shown in %v, not in %s", operation, got, want)
		}
	}
	mustShow("createPaymentIntent", "sh")
	for _, ending := range []string{"go", "php", "ts", "py", "sh"} {
		b.Click(`label[for="createPaymentIntent.` + ending + `"]`)
		mustShow("createPaymentIntent", ending)
	}
	b.Press(browsertest.Down)
	mustShow("createPaymentIntent", "php")
	mustShow("retrievePaymentIntent", "sh")
}

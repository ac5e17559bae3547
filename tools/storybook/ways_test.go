package storybook_test

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
	"daftar/tools/storybook/checkoutstories"
)

// checkoutPage is the address of a story's page.
func checkoutPage(scheme storybook.Scheme, name string, l locale.Lang) string {
	return string(scheme) + "/checkout/" + name + "." + l.String() + ".html"
}

// dashboardPage is the file of a story of the dashboard.
func dashboardPage(story string, l locale.Lang) string {
	return string(storybook.Light) + "/dashboard/" + story + "." + l.String() + ".html"
}

// serveChanged serves the storybook with one of its files changed.
func serveChanged(t *testing.T, name string, change func(string) string) (address string) {
	t.Helper()
	return serveFiles(t, func(path, content string) string {
		if _, of, _ := strings.Cut(path, "/"); of == name {
			return change(content)
		}
		return content
	})
}

// serveFiles serves the storybook with files changed.
func serveFiles(t *testing.T, change func(name, content string) string) (address string) {
	t.Helper()
	changed := maps.Clone(files(t))
	for name, content := range changed {
		changed[name] = []byte(change(name, string(content)))
	}
	s := httptest.NewServer(storybook.Handler(changed))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// choose is the selector of a method's control.
func choose(method string) string { return `input[name=method][value=` + method + `]` }

// shownFields returns the visible fields.
func shownFields(b *browsertest.Tab) string {
	return browsertest.Evaluate[string](b,
		`[...document.querySelectorAll("input.t")].filter(e => e.checkVisibility()).map(e => e.name).join(" ")`)
}

// With five ways to pay, the button is within two screens of a small phone, whichever is chosen,
// and all controls are large enough.
func TestTheWayToPayFitsInTwoScreens(t *testing.T) {
	t.Parallel()
	mustFitInTwoScreens(t, locale.Arabic, "pay-five-sadad")
}

// mustFitInTwoScreens checks pages with five ways to pay.
func mustFitInTwoScreens(t *testing.T, l locale.Lang, names ...string) {
	t.Helper()
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Height: smallHeight, Scripts: true})
	for _, name := range names {
		if p := b.Navigate(address + checkoutPage(storybook.Light, name, l)); p.Overflow > 0 {
			t.Errorf("%s: %d pixels wider than the screen", name, p.Overflow)
		}
		b.MustPassAxe()
		for _, offer := range checkoutstories.MerchantOffers() {
			b.Click(choose(string(offer.Method)))
			end := browsertest.Evaluate[float64](b,
				`document.querySelector("form button").getBoundingClientRect().bottom + scrollY`)
			t.Logf("%s with %s: the button ends at %.0f", name, offer.Method, end)
			if end > 2*smallHeight {
				t.Errorf("%s with %s: the button ends at %.0f pixels, want two screens, %d",
					name, offer.Method, end, 2*smallHeight)
			}
		}
		small := browsertest.Evaluate[[]string](b, `[...document.querySelectorAll(".way, input.t, button, .switch")]
			.filter(e => e.checkVisibility() && Math.min(e.offsetHeight, e.offsetWidth) < 48).map(e => e.outerHTML)`)
		if len(small) > 0 {
			t.Errorf("%s: too small to be pressed: %v", name, small)
		}
	}
}

// A field is shown for the methods that need it, even without a script.
func TestFieldsAreThoseOfTheChosenMethod(t *testing.T) {
	t.Parallel()
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: narrow})
	b.Navigate(address + checkoutPage(storybook.Light, "pay-five", locale.Arabic))
	for _, offer := range checkoutstories.MerchantOffers() {
		b.Click(choose(string(offer.Method)))
		var needs []string
		for _, field := range offer.Needs {
			needs = append(needs, string(field))
		}
		if got, want := shownFields(b), strings.Join(needs, " "); got != want {
			t.Errorf("%s: fields %q, want %q", offer.Method, got, want)
		}
	}
	b.Navigate(address + checkoutPage(storybook.Light, "pay-five-not-chosen", locale.Arabic))
	if got := shownFields(b); got != "phone birth_year" {
		t.Errorf("before a choice: fields %q, want all", got)
	}
}

// A browser that does not know :has ignores its rules, and shows all fields.
func TestFieldsAreShownToOldBrowsers(t *testing.T) {
	t.Parallel()
	address := serveChanged(t, "daftar.css", func(sheet string) string {
		return strings.ReplaceAll(sheet, ":has(", ":unknown(")
	})
	b := browsertest.Open(t, browsertest.Options{Width: narrow})
	b.Navigate(address + checkoutPage(storybook.Light, "pay-five", locale.English))
	for _, offer := range checkoutstories.MerchantOffers() {
		b.Click(choose(string(offer.Method)))
		if got := shownFields(b); got != "phone birth_year" {
			t.Errorf("%s: fields %q, want all", offer.Method, got)
		}
	}
}

// A code can be scanned from a distance, by scanners that need dark on white.
func TestCodesCanBeScanned(t *testing.T) {
	t.Parallel()
	for _, k := range kinds[:2] {
		b := browsertest.Open(t, browsertest.Options{Dark: k.scheme == storybook.Dark})
		address := serve(t)
		for _, name := range []string{"qr", "qr-long"} {
			b.Navigate(address + checkoutPage(k.scheme, name, k.lang))
			for _, width := range []int{narrow, smallWidth, 1280} {
				b.Resize(width, browserHeight)
				seen := browsertest.Evaluate[struct {
					Width, Height float64
					Ground, Dark  string
				}](b, `(() => {
					const code = document.querySelector("#qr svg")
					const colour = name => getComputedStyle(code.querySelector(name)).fill
					const r = code.getBoundingClientRect()
					return {Width: r.width, Height: r.height, Ground: colour("rect"), Dark: colour("path")}
				})()`)
				if seen.Width < 240 || seen.Height != seen.Width || seen.Ground != "rgb(255, 255, 255)" ||
					seen.Dark != "rgb(0, 0, 0)" {
					t.Errorf("%s, %s on %d pixels: %+v", k, name, width, seen)
				}
			}
		}
	}
}

// The picture is a link, so it is saved without a script.
func TestPictureOfTheCodeIsSaved(t *testing.T) {
	t.Parallel()
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: narrow})
	b.Navigate(address + checkoutPage(storybook.Light, "qr", locale.Arabic))
	link := browsertest.Evaluate[string](b,
		`document.querySelector("a[download]").checkVisibility() ? document.querySelector("a[download]").href : ""`)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil || answer.Header.Get("Content-Type") != "image/png" ||
		!strings.HasPrefix(string(content), "\x89PNG") {
		t.Errorf("%s: %s, %d bytes, %v", link, answer.Header.Get("Content-Type"), len(content), err)
	}
}

// The acquirer's script draws its form on our page; if it does not load, the page reports that to
// all readers, screen readers included.
func TestFormOfAnAcquirer(t *testing.T) {
	t.Parallel()
	const button, missing = `#open-lightbox`, `document.querySelector("#lightbox-missing").checkVisibility()`
	b := browsertest.Open(t, browsertest.Options{Width: narrow, Scripts: true})
	b.Navigate(serve(t) + checkoutPage(storybook.Light, "lightbox", locale.English))
	b.Click(button)
	if got := b.Attribute("#form", "data-reference"); got != "0123456789abcdefghjkmnpqrs" {
		t.Errorf("the form is opened with the reference %q", got)
	}
	b.Click("#form button")
	if browsertest.Evaluate[bool](b, missing) {
		t.Error("the page says that the form did not load")
	}

	without := browsertest.Open(t, browsertest.Options{Width: narrow, Scripts: true})
	without.Navigate(serveChanged(t, "form.js", func(string) string {
		return ""
	}) + checkoutPage(storybook.Light, "lightbox", locale.Arabic))
	without.Click(button)
	if !browsertest.Evaluate[bool](without, missing) {
		t.Error("nothing says that the form did not load")
	}
	without.MustPassAxe()
}

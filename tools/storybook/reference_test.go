package storybook_test

import (
	"strings"
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// referenceAt is the address of the reference in a language.
func referenceAt(t *testing.T, l locale.Lang) string {
	t.Helper()
	return serve(t) + string(storybook.Light) + "/docs/api." + l.String() + ".html"
}

// The measures of the reference: on a desk the list of requests stays in view, and fields and code
// are next to each other; on a phone all is one column. A newcomer sees at once how to authenticate.
func TestReferenceShowsCodeNextToFields(t *testing.T) {
	t.Parallel()
	for _, l := range storybook.Languages {
		b := browsertest.Open(t, browsertest.Options{Width: 1280, Height: 800, Scripts: true})
		b.Navigate(referenceAt(t, l))
		type shape struct {
			Height, Credentials float64 // of the page; where both headers have been named
			Abreast, Stays      bool
			Overflow            float64
		}
		const read = `(() => {
			// What is not in view has an estimated height otherwise.
			document.querySelectorAll(".operation").forEach(e => { e.style.contentVisibility = "visible" })
			const at = id => document.getElementById(id).getBoundingClientRect()
			const credentials = at("authentication.X-API-Key").bottom
			const request = document.querySelector("section[aria-labelledby=createPaymentIntent]")
			request.scrollIntoView({behavior: "instant"})
			scrollBy(0, 200)
			const [fields, code] = [...request.children].map(e => e.getBoundingClientRect())
			const first = document.querySelector(".menu nav a[href='#authentication']")
			return {
				Height: document.documentElement.scrollHeight, Credentials: credentials,
				Abreast: code.top < fields.bottom && (code.left >= fields.right || code.right <= fields.left),
				Stays: code.top >= 0 && first.checkVisibility() && first.getBoundingClientRect().top > 0,
				Overflow: document.documentElement.scrollWidth - innerWidth,
			}
		})()`
		desk := browsertest.Evaluate[shape](b, read)
		if desk.Height > 9000 || desk.Credentials > 800 || !desk.Abreast || !desk.Stays || desk.Overflow > 0 {
			t.Errorf("%s at 1280 pixels: %+v", l, desk)
		}
		b.Resize(smallWidth, smallHeight)
		if phone := browsertest.Evaluate[shape](b, read); phone.Abreast || phone.Overflow > 0 {
			t.Errorf("%s at %d pixels: %+v", l, smallWidth, phone)
		}
	}
}

// An address of a field leads to it, also in a part that is folded; addresses of former pages lead
// to the same requests and webhooks.
func TestReferenceHasAnAddressForEachField(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t, browsertest.Options{Width: 1280, Height: 800})
	for _, id := range []string{
		"createPaymentIntent", "createPaymentIntent.amount", "listPaymentIntents.cursor",
		"PaymentIntent.expires_at",
		"Refund.failure_reason", "header.IdempotentReplayedDiffers", "onPaymentIntentSucceeded",
	} {
		b.Navigate("about:blank")
		b.Navigate(referenceAt(t, locale.English) + "#" + id)
		seen := browsertest.Evaluate[bool](b, `(() => {
			const e = document.getElementById("`+id+`"), r = e.getBoundingClientRect()
			return e.checkVisibility() && r.top >= 0 && r.top < innerHeight
		})()`)
		if !seen {
			t.Errorf("#%s is not in view", id)
		}
	}
	b.Navigate(referenceAt(t, locale.English))
	b.Click(`.menu a[href="#listRefunds"]`)
	top := browsertest.Evaluate[float64](b, `document.getElementById("listRefunds").getBoundingClientRect().top`)
	if top < 0 || top > 40 {
		t.Errorf("the list of requests leads to %.0f pixels above the request", top)
	}
}

// The search finds fields by name and words however they are spelled, and says if there is nothing.
func TestSearchOfTheDocumentation(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		lang           locale.Lang
		typed, address string // of the first that is found; empty: nothing is
	}{
		{locale.English, "expires_at", "/docs/api?lang=en#createPaymentIntent.expires_at"},
		{locale.English, "Signature", "/docs/webhooks?lang=en#verify-the-signature"},
		{locale.Arabic, "المصادقه", "/docs/api#authentication"},
		{locale.Arabic, "zzz", ""},
	} {
		b := browsertest.Open(t, browsertest.Options{Width: 1280, Height: 800, Scripts: true})
		b.Navigate(referenceAt(t, row.lang))
		b.Fill("#find", row.typed)
		b.Await("an answer", func(browsertest.Page) bool {
			return browsertest.Evaluate[string](b, `document.getElementById("found").textContent`) != ""
		})
		found := browsertest.Evaluate[[]string](b,
			`[...document.querySelectorAll("#found a")].map(e => decodeURI(e.getAttribute("href")))`)
		if first := strings.Join(found[:min(1, len(found))], ""); first != row.address {
			t.Errorf("%q finds %s", row.typed, strings.Join(found, ", "))
		}
		wide := browsertest.Evaluate[[]string](b, `[...document.querySelectorAll(".menu nav, .lookup *")]
			.filter(e => e.checkVisibility() && (e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 ||
				e.getBoundingClientRect().right > document.querySelector(".menu").getBoundingClientRect().right))
			.filter(e => !e.matches(".unseen")).map(e => e.outerHTML.slice(0, 60))`)
		if len(wide) > 0 {
			t.Errorf("%q: wider than the navigation: %q", row.typed, wide)
		}
		b.MustPassAxe()
	}
}

// The button that copies code is inside the box with the code, in its top corner.
func TestCodeIsCopiedInItsCorner(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Height: smallHeight, Scripts: true})
	for _, page := range []string{"api.ar", "quickstart.ar", "quickstart.en"} {
		b.Navigate(serve(t) + string(storybook.Light) + "/docs/" + page + ".html")
		outside := browsertest.Evaluate[[]string](b, `[...document.querySelectorAll("[data-copy]")]
			.filter(e => e.checkVisibility()).filter(e => {
				const r = e.getBoundingClientRect(), box = document.getElementById(e.dataset.copy).getBoundingClientRect()
				return r.width < 44 || r.height < 44 || r.top < box.top || r.top > box.top + 8 ||
					r.right > box.right || r.right < box.right - 8 || r.bottom > box.bottom
			}).map(e => e.dataset.copy)`)
		if len(outside) > 0 || b.Count("[data-copy]") < 5 {
			t.Errorf("%s: buttons outside of %v", page, outside)
		}
	}
}

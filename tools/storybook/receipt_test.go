package storybook_test

import (
	"bytes"
	"image/png"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"

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

// Facebook's and Instagram's browsers can neither print nor share: there a customer keeps the receipt
// by plain links, to WhatsApp and to a picture, also without JavaScript.
func TestReceiptIsKeptInAnApp(t *testing.T) {
	t.Parallel()
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth})
	type way struct {
		Href     string
		Download bool
		Height   float64
	}
	for _, l := range storybook.Languages {
		b.Navigate(address + checkoutPage(storybook.Light, "receipt-in-app", l))
		ways := browsertest.Evaluate[[]way](b, `[...document.querySelectorAll(".tools a")].map(a =>
			({Href: a.href, Download: a.hasAttribute("download"), Height: a.getBoundingClientRect().height}))`)
		if len(ways) != 2 || b.Count("[data-print]") != 0 || b.Count("#hold") != 1 {
			t.Fatalf("%s: the ways are %+v", l, ways)
		}
		for _, w := range ways {
			if w.Height < 44 || w.Height > 60 || w.Download {
				t.Errorf("%s: %+v is no target, wraps or is downloaded", l, w)
			}
		}
		sent, err := url.Parse(ways[0].Href)
		if err != nil || sent.Host != "wa.me" {
			t.Errorf("%s: the message goes to %s", l, ways[0].Href)
		}
		message := sent.Query().Get("text")
		for _, part := range []string{
			"\n" + locale.WithLang(checkoutstories.CheckURL, l), "1,234.500", "مقهى الميدان", "2026", "7K3QX0M2TD",
		} {
			if !strings.Contains(message, part) {
				t.Errorf("%s: the message %q lacks %q", l, message, part)
			}
		}
		if strings.Contains(message, "5678") || strings.Contains(message, checkoutstories.Address) {
			t.Errorf("%s: the message %q tells of the payer", l, message)
		}
		answer, err := http.Get(ways[1].Href)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(answer.Body); err != nil {
			t.Errorf("%s: the picture at %s: %v", l, ways[1].Href, err)
		}
		_ = answer.Body.Close()
	}
}

// A scanner reads the address of the proof from the picture of a receipt.
func TestReceiptPictureIsScanned(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"receipt", "receipt-long", "receipt-late"} {
		for _, l := range storybook.Languages {
			story, _ := checkoutstories.Named(name)
			file, err := story.Page(l).Picture()
			if err != nil || len(file) > 60_000 {
				t.Fatalf("%s: %d bytes, %v", name, len(file), err)
			}
			m, err := png.Decode(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			bits, err := gozxing.NewBinaryBitmapFromImage(m)
			if err != nil {
				t.Fatal(err)
			}
			read, err := qrcode.NewQRCodeReader().Decode(bits, nil)
			if err != nil || read.GetText() != locale.WithLang(checkoutstories.CheckURL, l) {
				t.Errorf("%s in %s: a scanner reads %v, %v", name, l, read, err)
			}
		}
	}
}

// A receipt is printed from machines with a mouse; the button's label does not wrap on any.
func TestReceiptIsPrintedWhereThereIsAMouse(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Scripts: true})
	for hovers, want := range map[string]float64{"true": 60, "false": 0} {
		address := serveChanged(t, "daftar.js", func(script string) string {
			return "window.matchMedia = function () { return {matches: " + hovers + "} };\n" + script
		})
		for _, l := range storybook.Languages {
			b.Navigate(address + checkoutPage(storybook.Light, "receipt", l))
			height := browsertest.Evaluate[float64](b,
				`document.querySelector("[data-print]").getBoundingClientRect().height`)
			if height > want || want > 0 && height < 44 {
				t.Errorf("%s, hover %s: the button to print is %g pixels high", l, hovers, height)
			}
		}
	}
}

// The page behind a receipt says the verdict first, then what to compare; roots and positions are
// folded.
func TestProofSaysTheVerdictFirst(t *testing.T) {
	t.Parallel()
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Height: smallHeight})
	for _, l := range storybook.Languages {
		b.Navigate(address + checkoutPage(storybook.Light, "proof", l))
		tops := browsertest.Evaluate[[]float64](b, `["h1", "h2", ".amount", ".rows", "main > .note", "details"]
			.map(s => document.querySelector(s).getBoundingClientRect().top)`)
		for n := 1; n < len(tops); n++ {
			if tops[n] <= tops[n-1] {
				t.Errorf("%s: the parts begin at %v", l, tops)
			}
		}
		if tops[len(tops)-1] > smallHeight {
			t.Errorf("%s: the fold begins at %g", l, tops[len(tops)-1])
		}
		if shown := browsertest.Evaluate[bool](b,
			`[...document.querySelectorAll(".mono, [download]")].some(e => e.checkVisibility())`); shown {
			t.Errorf("%s: the proof of the auditors is not folded", l)
		}
	}
}

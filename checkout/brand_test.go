package checkout_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/checkout"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/internal/logo"
)

// setBrand gives the world's application a brand.
func (w *world) setBrand(b settings.Brand, pictures *logo.Pictures) {
	w.t.Helper()
	pool := w.db.Pool(w.t)
	shops := settings.New(pool, accounts.New(pool, accounts.Options{}), secretKey(w.t), nil)
	err := shops.SetBrand(w.t.Context(), operator, w.app.Organization, w.app.ID, b, pictures)
	if err != nil {
		w.t.Fatal(err)
	}
}

// pictures makes the pictures of a logo: a box of that colour.
func pictures(t *testing.T, ink color.Color) *logo.Pictures {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 100, 100))
	for x := 20; x < 80; x++ {
		for y := 20; y < 80; y++ {
			m.Set(x, y, ink)
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, m); err != nil {
		t.Fatal(err)
	}
	p, err := logo.Read(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

// sheetOf is the address of the style sheet that a page loads.
func (s shown) sheetOf(t *testing.T) string {
	t.Helper()
	for _, n := range s.document.all("link") {
		if n.attr("rel") == "stylesheet" {
			return n.attr("href")
		}
	}
	t.Fatal("no style sheet")
	return ""
}

// pictureOf is the address of the picture that messengers show of a page.
func (s shown) pictureOf() string {
	for _, n := range s.document.all("meta") {
		if n.attr("property") == "og:image" {
			return n.attr("content")
		}
	}
	return ""
}

const forEver = "public, max-age=31536000, immutable"

// A brand is on every page of the application from the next request on, and browsers may cache its
// style sheet and picture until the brand changes.
func TestBrandIsShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	plain := w.want(w.visit(path(i)), 200, "pay")
	if plain.sheetOf(t) != layout.StylesheetPath || plain.pictureOf() != "" {
		t.Errorf("without a brand the page loads %q, picture %q", plain.sheetOf(t), plain.pictureOf())
	}
	version := w.visit(path(i) + "/state").body

	b := settings.Brand{
		Names:    locale.Text{Arabic: "قهوة الساحة", English: "Maydan Coffee"},
		Accent:   "#1a1a2e",
		Phone:    "+218213334444",
		WhatsApp: "+218912345678",
		Website:  "https://maydan.example",
		Address:  "طرابلس",
	}
	w.setBrand(b, pictures(t, color.NRGBA{200, 30, 30, 255}))
	page := w.want(w.visit(path(i)), 200, "pay")
	contains(t, page, "قهوة الساحة", "021 333 4444", "maydan.example", "طرابلس")
	contains(t, w.visit(path(i)+"?lang=en"), "Maydan Coffee")
	if strings.Contains(page.body, merchant) || !strings.Contains(page.body, i.Reference.Capitals()) ||
		!strings.Contains(page.body, `href="tel:&#43;218213334444"`) {
		t.Error("the page has the application's name next to the brand's, or no phone number or reference")
	}
	if w.visit(path(i)+"/state").body == version {
		t.Error("the version of the page is the same with the brand")
	}

	sheet, picture := page.sheetOf(t), page.pictureOf()
	served := w.visit(sheet)
	for _, want := range []string{
		"--accent: #1a1a2e", layout.FontPath,
		".logo { inline-size: 40px; aspect-ratio: 40 / 40; background-image: url(\"data:image/png;base64,",
	} {
		if !strings.Contains(served.body, want) {
			t.Errorf("the style sheet lacks %q", want)
		}
	}
	wantFile(t, served, 200, "text/css; charset=utf-8", forEver)
	wantFile(t, w.visit(sheet), 200, "text/css; charset=utf-8", forEver) // from the cache
	if !strings.HasPrefix(picture, w.url+"/static/daftar.shop."+w.app.ID.String()) {
		t.Errorf("the picture is at %q", picture)
	}
	shared := w.visit(strings.TrimPrefix(picture, w.url))
	wantFile(t, shared, 200, "image/png", forEver)
	if m, err := png.Decode(strings.NewReader(shared.body)); err != nil || m.Bounds().Dx() != 600 {
		t.Errorf("the picture: %v", err)
	}

	// After a change, open pages still get a style sheet: the present one, which must not be cached.
	b.Accent = "#ffd500"
	w.setBrand(b, pictures(t, color.NRGBA{30, 200, 30, 255}))
	next := w.want(w.visit(path(i)), 200, "pay")
	if next.sheetOf(t) == sheet || next.pictureOf() == picture {
		t.Error("another theme has the same address")
	}
	wantFile(t, w.visit(sheet), 200, "text/css; charset=utf-8", forEver) // in this server's cache
	other := w.newServer(w.acquirer)
	w.serve(other.Handler())
	late := w.visit(sheet)
	wantFile(t, late, 200, "text/css; charset=utf-8", "no-cache")
	if !strings.Contains(late.body, "--accent: #") || strings.Contains(late.body, "--accent: #1a1a2e") {
		t.Error("the old address does not have the present theme")
	}
	wantFile(t, w.visit(strings.TrimPrefix(picture, w.url)), 200, "image/png", "no-cache")
}

func wantFile(t *testing.T, s shown, status int, kind, cache string) {
	t.Helper()
	if s.status != status || s.header.Get("Content-Type") != kind || s.header.Get("Cache-Control") != cache ||
		s.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d, Content-Type %q, Cache-Control %q, %q", s.status,
			s.header.Get("Content-Type"), s.header.Get("Cache-Control"), s.header.Get("X-Content-Type-Options"))
	}
}

// Invented addresses of themes get the default style sheet, and no picture.
func TestInventedThemeAddresses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, of := range []string{w.app.ID.String(), uuid.NewString()} {
		s := w.visit("/static/daftar.shop." + of + ".0123456789abcdef.css")
		wantFile(t, s, 200, "text/css; charset=utf-8", "no-cache")
		if !strings.Contains(s.body, "--accent: #0b5d57") || strings.Contains(s.body, "base64") {
			t.Errorf("the style sheet of %s is another", of)
		}
		picture := w.visit("/static/daftar.shop." + of + ".0123456789abcdef.picture")
		if picture.status != http.StatusNotFound {
			t.Errorf("a picture of %s: %d", of, picture.status)
		}
	}
	if got := w.visit("/static/daftar.shop.nobody.0.picture").status; got != http.StatusNotFound {
		t.Errorf("a picture of an invalid id: %d", got)
	}
}

// The page that explains the service is public, and names the service's address.
func TestServiceIsExplained(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, lang := range []string{"", "?lang=en"} {
		page := w.want(w.visit(checkout.SecurePath+lang), 200, "secure")
		contains(t, page, w.url+"/pay/")
		if page.header.Get("X-Robots-Tag") != "noindex" {
			t.Error("search engines may index it")
		}
	}
	w.want(w.send(http.MethodPost, checkout.SecurePath, nil), 405, "not-found")
}

// The page that proves a receipt has the same brand as the receipt.
func TestBrandIsOnTheReceipt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setBrand(settings.Brand{Names: locale.Text{Arabic: "قهوة الساحة"}, WhatsApp: "+218912345678"}, nil)
	i := w.pay(w.create())
	for state, address := range map[string]string{"receipt": path(i), "proof": w.receiptOf(i)} {
		page := w.want(w.visit(address), 200, state)
		contains(t, page, "قهوة الساحة")
		if !strings.Contains(page.body, "https://wa.me/218912345678?text=") {
			t.Errorf("%s: the shop cannot be asked", state)
		}
	}
	english := w.visit(path(i) + "?lang=en")
	contains(t, english, merchant) // no name in this language: the application's
}

package dashboard_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/internal/locale"
	"daftar/internal/logo"
	"daftar/internal/web"
)

// logoFile is a picture as merchants upload it: a box on a transparent ground.
func logoFile(t *testing.T, side int) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, side, side))
	for x := side / 4; x < side/2; x++ {
		for y := side / 4; y < side/2; y++ {
			m.Set(x, y, color.NRGBA{200, 30, 30, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// settingBrand is the form with all that it can have.
func settingBrand(r *asking) request {
	q := anApplication("/brand", "name_en", "A brand", "accent", "#1a1a2e", "phone", "021 333 4444")(r)
	q.file = logoFile(r.t, 60)
	return q
}

func (w *world) brand(t *testing.T, app accounts.Application) settings.Brand {
	t.Helper()
	s, err := w.settings.Shop(t.Context(), app.ID)
	if err != nil {
		t.Fatal(err)
	}
	return s.Brand
}

// What a merchant types is stored in the form that pages need.
func TestBrandIsSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	app, c := w.ours.apps[0], w.developer(t)
	path := w.ours.path("applications/" + app.ID.String() + "/brand")
	c.get(w.ours.path("applications/"+app.ID.String())).is(t, 200).has(t, "مظهر صفحة الدفع")
	page := c.get(path).is(t, 200)
	got := page.header.Get("Content-Security-Policy")
	if got != web.FramingPolicy || !strings.HasSuffix(got, "frame-ancestors 'none'; frame-src 'self'") {
		t.Errorf("policy %q", got)
	}

	fields := []string{
		"name_ar", " مقهى الميدان ", "name_en", "Maydan Coffee", "accent", "1A1A2E", "phone", "٠٢١ ٣٣٣ ٤٤٤٤",
		"whatsapp", "+218 91 234 5678",
		"website", "maydan.example/ar", "address", "طرابلس، ميدان الجزائر",
	}
	saved := c.upload(path, logoFile(t, 300), fields...).leads(t, path)
	c.follow(saved).is(t, 200).has(t, "حُفظ المظهر، ويراه الزبائن من الآن.", "احذف الشعار الحالي", "#1a1a2e",
		"درجة أفتح", "نص أبيض عليه، تباينه")
	b := w.brand(t, app.Application)
	first := b.Logo
	if len(first) != 32 || len(b.Icon) == 0 {
		t.Errorf("logo %q", b.Logo)
	}
	b.Logo, b.Icon, b.Changed = "", nil, w.now()
	want := settings.Brand{
		Names: locale.Text{Arabic: "مقهى الميدان", English: "Maydan Coffee"}, Accent: "#1a1a2e",
		Phone: "+218213334444", WhatsApp: "+218912345678",
		Website: "https://maydan.example/ar", Address: "طرابلس، ميدان الجزائر", Changed: b.Changed,
	}
	if b.Names != want.Names || b.Accent != want.Accent || b.Phone != want.Phone ||
		b.WhatsApp != want.WhatsApp || b.Website != want.Website || b.Address != want.Address {
		t.Errorf("the brand is %+v, want %+v", b, want)
	}
	w.wantRecord(t, settings.ActionSetBrand)
	c.get(w.ours.path("audit")).has(t, "غُيّر مظهر صفحة الدفع لتطبيق", "Maydan Coffee", "+218213334444")

	// Without a file the logo stays; with the box it goes.
	c.upload(path, "", "name_en", "Another").leads(t, path)
	if b := w.brand(t, app.Application); b.Logo != first || b.Names.Arabic != "" {
		t.Errorf("logo %q, names %v", b.Logo, b.Names)
	}
	c.upload(path, "", "remove_logo", "yes").leads(t, path)
	if b := w.brand(t, app.Application); b.Logo != "" || b.Icon != nil {
		t.Errorf("logo %q", b.Logo)
	}
}

// jpegFrame is the header of a JPEG with 64 × 64 grey pixels.
var jpegFrame = []byte("\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00" +
	"\xff\xc2\x00\x0b\x08\x00\x40\x00\x40\x01\x01\x11\x00")

// Every error is shown next to its field, and nothing of the form is stored.
func TestBrandIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	app, c := w.ours.apps[0], w.owner(t)
	path := w.ours.path("applications/"+app.ID.String()+"/brand") + "?lang=en"
	for name, row := range map[string]struct {
		file   string
		fields []string
		says   string
	}{
		"a colour": {"", []string{"accent", "green"}, "Write the colour as six digits and letters"},
		"a number": {"", []string{"phone", "1515"}, "This is no telephone number."},
		"WhatsApp": {"", []string{"whatsapp", "call me"}, "This is no telephone number."},
		"a script": {"", []string{"website", "javascript:alert(1)"},
			"Write an address that begins with https://"},
		"credentials": {"", []string{"website", "https://a:b@x.example"},
			"Write an address that begins with https://"},
		"a long name":      {"", []string{"name_ar", strings.Repeat("ا", 81)}, "longer than 80 characters"},
		"a long address":   {"", []string{"address", strings.Repeat("ا", 201)}, "longer than 200 characters"},
		"a drawing in XML": {"<svg xmlns='http://www.w3.org/2000/svg'/>", nil, "SVG is not accepted."},
		"a heavy file":     {strings.Repeat("x", logo.MaxBytes+1), nil, "larger than 2 MB"},
		"an enormous file": {strings.Repeat("x", 17<<20), nil, "larger than 2 MB"},
		"too few pixels":   {logoFile(t, 40), nil, "fewer than 48 pixels"},
		"too many pixels":  {logoFile(t, 2501), nil, "more than 2500 pixels"},
		"too many scans": {"\xff\xd8" + string(jpegFrame) + strings.Repeat("\xff\xda\x00\x02", 101), nil,
			"drawn in too many steps"},
		"a file and a fault": {logoFile(t, 60), []string{"phone", "1515"}, "Choose the logo’s file again"},
	} {
		c.upload(path, row.file, row.fields...).is(t, http.StatusUnprocessableEntity).has(t, row.says)
		if b := w.brand(t, app.Application); !b.Changed.IsZero() {
			t.Errorf("%s: the brand was changed", name)
		}
	}
	c.post(path, "name_en", "x").is(t, http.StatusUnprocessableEntity).has(t, "The form did not come whole.")
	kept := c.upload(path, "", "accent", "green", "name_en", "Maydan")
	if got := kept.form(t, "/brand"); got.Get("name_en") != "Maydan" || got.Get("accent") != "green" {
		t.Errorf("the form forgets what was typed: %v", got)
	}
}

// The preview is the payment page itself. Only our own pages may frame it.
func TestBrandPreview(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	app, c := w.ours.apps[0], w.developer(t)
	path := w.ours.path("applications/" + app.ID.String() + "/brand")
	c.upload(path, logoFile(t, 60), "name_ar", "مقهى الميدان", "name_en", "Maydan Coffee",
		"phone", "0912345678").leads(t, path)
	for lang, name := range map[string]string{"": "مقهى الميدان", "?lang=en": "Maydan Coffee"} {
		page := c.get(path+"/preview"+lang).is(t, 200).has(t, name, "45.750", "091\u00a0234\u00a05678")
		got := page.header.Get("Content-Security-Policy")
		if got != web.FramedPolicy || !strings.HasSuffix(got, "frame-ancestors 'self'") {
			t.Errorf("policy %q", got)
		}
		if strings.Contains(page.body, "<script") || !strings.Contains(page.body, `data-state="pay"`) ||
			!strings.Contains(page.body, "/static/daftar.shop."+app.ID.String()) {
			t.Errorf("the preview is another page: %s", page.body)
		}
		if !strings.Contains(c.get(path).body, `src="`+path+`/preview`+lang+`"`) {
			t.Errorf("the page does not show the preview %q", lang)
		}
	}
}

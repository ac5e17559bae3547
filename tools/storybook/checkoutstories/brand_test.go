package checkoutstories_test

import (
	"net/url"
	"strings"
	"testing"

	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/tools/storybook/checkoutstories"
)

// property is a property of the page that messengers read.
func property(d document, name string) string {
	for _, m := range d.all("meta") {
		if m.attr("property") == name {
			return m.attr("content")
		}
	}
	return ""
}

// Every page shows the merchant's name in the page's language.
func TestBrandedNames(t *testing.T) {
	t.Parallel()
	for lang, name := range map[locale.Lang]string{
		locale.Arabic: "مقهى الميدان للقهوة المختصة", locale.English: "Maydan Speciality Coffee",
	} {
		for _, story := range []string{
			"pay-brand", "pay-brand-names", "otp-brand", "receipt-brand", "expired-brand", "proof-brand",
		} {
			d := page(t, story, lang)
			if got := d.one(t, "title").text(); !strings.HasSuffix(got, locale.Isolate(name)) {
				t.Errorf("%s: title %q", story, got)
			}
			got := d.one(t, "header").text()
			if !strings.Contains(got, name) || strings.Contains(got, "مقهى الميدان "+locale.English.Name()) {
				t.Errorf("%s: the head says %q", story, got)
			}
			for _, n := range d.all("bdi") {
				if n.text() == name && n.attr("lang") != lang.String() {
					t.Errorf("%s: the name is in lang %q", story, n.attr("lang"))
				}
			}
		}
	}
	// Without a name in the brand, the application's name is shown.
	if got := page(t, "pay", locale.English).one(t, "header").text(); !strings.Contains(got, "مقهى الميدان") {
		t.Errorf("the head says %q", got)
	}
}

// A theme needs no further request: the style sheet is another one, and the icon is in the page.
func TestLookIsInTheStyleSheet(t *testing.T) {
	t.Parallel()
	links := func(story string) (sheets []string, icon string, logos int) {
		d := page(t, story, locale.Arabic)
		for _, n := range d.all("link") {
			switch n.attr("rel") {
			case "stylesheet":
				sheets = append(sheets, n.attr("href"))
			case "icon":
				icon = n.attr("href")
			}
		}
		for _, n := range d.all("span") {
			if n.attr("class") == "logo" {
				logos++
			}
		}
		return sheets, icon, logos
	}
	for story, want := range map[string]struct {
		sheet, icon string
		logos       int
	}{
		"pay-brand":        {checkoutstories.ThemePath("square"), "data:image/png;base64,", 1},
		"pay-brand-accent": {checkoutstories.ThemePath("accent"), string(layout.Frame{}.Favicon()), 0},
		"pay":              {layout.StylesheetPath, string(layout.Frame{}.Favicon()), 0},
		"not-found":        {layout.StylesheetPath, string(layout.Frame{}.Favicon()), 0},
	} {
		sheets, icon, logos := links(story)
		if len(sheets) != 1 || sheets[0] != want.sheet || !strings.HasPrefix(icon, want.icon) ||
			logos != want.logos {
			t.Errorf("%s: style sheets %q, icon %.30q, %d logos", story, sheets, icon, logos)
		}
	}
}

// Messengers show whom the link pays, but nothing private: no amount, no reference, no description
// of the order, and not whether it is paid.
func TestPreviewsTellNoAmount(t *testing.T) {
	t.Parallel()
	before := ""
	for _, story := range []string{"pay-brand", "otp-brand", "receipt-brand"} {
		for _, lang := range languages {
			d := page(t, story, lang)
			all := ""
			for _, m := range d.all("meta") {
				all += m.attr("name") + m.attr("property") + m.attr("content") + "\n"
			}
			all += d.one(t, "title").text()
			for _, secret := range []string{"234", "1042", "7K3QX0M2TD", "5678", "/pay/"} {
				if strings.Contains(all, secret) {
					t.Errorf("%s tells %s: %s", story, secret, all)
				}
			}
		}
		d := page(t, story, locale.English)
		got := property(d, "og:title") + property(d, "og:description") + property(d, "og:image")
		const want = "Maydan Speciality Coffee" + "Secure payment page by Daftar" +
			"https://pay.example/story.picture"
		if got != want {
			t.Errorf("%s: preview %q", story, got)
		}
		if before != "" && got != before {
			t.Errorf("%s tells of its state: %q", story, got)
		}
		before = got
	}
	proof := page(t, "proof-brand", locale.Arabic)
	if got := property(proof, "og:description"); got != "التحقق من إيصال عبر دفتر" {
		t.Errorf("a receipt's preview says %q", got)
	}
	for _, story := range []string{"not-found", "unavailable", "secure"} {
		if got := property(page(t, story, locale.English), "og:title"); got != "" {
			t.Errorf("%s has a preview: %q", story, got)
		}
	}
	plain := page(t, "pay", locale.English)
	if got := property(plain, "og:title") + property(plain, "og:image"); got != "مقهى الميدان" {
		t.Errorf("without a brand the preview says %q", got)
	}
}

// Customers find the shop's contact details on every page on which they may need them.
func TestShopCanBeReached(t *testing.T) {
	t.Parallel()
	for _, story := range []string{
		"pay-brand", "otp-brand", "receipt-brand", "receipt-twice-brand", "expired-brand", "proof-brand",
	} {
		d := page(t, story, locale.English)
		if got := d.with(t, "a", "href", "tel:+218213334444").text(); got != "021 333 4444" {
			t.Errorf("%s: the number is shown as %q", story, got)
		}
		shop := d.with(t, "a", "href", "https://www.maydan.example/ar")
		if shop.text() != "maydan.example" || shop.attr("rel") != "noopener noreferrer" {
			t.Errorf("%s: the website is shown as %q, rel %q", story, shop.text(), shop.attr("rel"))
		}
		wantText(t, d, "Contact the shop", "Phone 021 333 4444", "WhatsApp 091 234 5678",
			"طرابلس، ميدان الجزائر، بجانب البريد")
		found := false
		for _, a := range d.all("a") {
			u, err := url.Parse(a.attr("href"))
			if err != nil || u.Host != "wa.me" || u.Path == "/" { // the customer chooses to whom
				continue
			}
			found = true
			text := u.Query().Get("text")
			const want = "Hello, I have a question about a payment. Reference: 7K3QX0M2TD"
			if u.Path != "/218912345678" || text != want || strings.Contains(u.RawQuery, "+") ||
				a.attr("rel") != "noopener noreferrer" {
				t.Errorf("%s: WhatsApp at %s says %q", story, a.attr("href"), text)
			}
		}
		if !found {
			t.Errorf("%s: no WhatsApp", story)
		}
	}
	d := page(t, "pay-brand-accent", locale.Arabic)
	wantText(t, d, "الهاتف 021 333 4444")
	wantNoText(t, d, "واتساب")
	for _, story := range []string{"pay", "pay-brand-names", "receipt"} {
		wantNoText(t, page(t, story, locale.Arabic), "تواصل مع المتجر")
	}
}

// Every page links to the one that explains the service, in its language. That page names the
// address that customers should look for.
func TestServiceIsExplained(t *testing.T) {
	t.Parallel()
	for lang, address := range map[locale.Lang]string{
		locale.Arabic: "/pay/secure", locale.English: "/pay/secure?lang=en",
	} {
		for _, s := range checkoutstories.All() {
			foot := parse(t, render(t, s.Page(lang))).one(t, "footer")
			if s.State == "secure" {
				if len(foot.all("a")) > 0 {
					t.Error("the page leads to itself")
				}
				continue
			}
			a := foot.with(t, "a", "href", address)
			if a.text() != layout.SecurePayment.In(lang) || a.attr("rel") != "noopener" {
				t.Errorf("%s: %q, rel %q", s.Name, a.text(), a.attr("rel"))
			}
		}
		wantText(t, page(t, "secure", lang), layout.SecurePayment.In(lang), "https://pay.example/pay/")
	}
}

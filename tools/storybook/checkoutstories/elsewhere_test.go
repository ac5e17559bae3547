package checkoutstories_test

import (
	"encoding/json"
	"strings"
	"testing"

	"daftar/checkout"
	"daftar/internal/locale"
	"daftar/tools/storybook/checkoutstories"
)

func TestLightboxPage(t *testing.T) {
	t.Parallel()
	d := page(t, "lightbox", locale.English)
	wantText(t, d, "1,234.500 LYD", "7K3QX0M2TD", "Sun 22 Nov, 2:30 pm",
		"Your card number goes to Moamalat only.", "needs JavaScript")
	var settings map[string]any
	err := json.Unmarshal([]byte(d.with(t, "script", "id", "lightbox").text()), &settings)
	if err != nil || settings["AmountTrxn"] != 1234500.0 {
		t.Errorf("settings of the form %v, %v", settings, err)
	}
	// Without the script the button would do nothing.
	button := d.with(t, "button", "id", "open-lightbox")
	if !button.has("hidden") || button.attr("type") != "button" {
		t.Errorf("the button: %v", button.Attr)
	}
	missing := d.with(t, "p", "id", button.attr("data-missing"))
	if !missing.has("hidden") || missing.attr("role") != "alert" {
		t.Errorf("what is said where the form does not load: %v", missing.Attr)
	}
	d.with(t, "form", "action", checkoutstories.GiveUpAction+"?lang=en")
	if d.refresh() != "" || d.one(t, "main").has("data-refresh") {
		t.Error("the page loads itself, and an open form would be lost")
	}
	if n := len(page(t, "lightbox-only", locale.Arabic).all("form")); n != 0 {
		t.Error("an attempt that cannot be given up offers it")
	}
}

// The settings of an acquirer's form stay data, whatever they contain.
func TestSettingsOfAFormAreEscaped(t *testing.T) {
	t.Parallel()
	const evil = `</script><script>alert(1)</script><!--`
	given, err := json.Marshal(map[string]string{"MerchantReference": evil})
	if err != nil {
		t.Fatal(err)
	}
	raw := strings.NewReplacer(`\u003c`, "<", `\u003e`,
		">").Replace(string(given)) // as another encoder writes it
	s := checkout.Lightbox{
		Order: checkoutstories.Order(), ScriptURL: checkoutstories.FormScript,
		Configuration: raw, Deadline: checkoutstories.Deadline,
	}
	d := parse(t, render(t, checkout.Page{Address: checkoutstories.Address, State: s}))
	if n := len(d.all("script")); n != 3 {
		t.Errorf("%d scripts, want ours, the settings and the acquirer's", n)
	}
	var read map[string]string
	err = json.Unmarshal([]byte(d.with(t, "script", "id", "lightbox").text()), &read)
	if err != nil || read["MerchantReference"] != evil {
		t.Errorf("the settings are read as %v, %v", read, err)
	}
	s.Configuration = `alert(1)`
	if _, err := (checkout.Page{Address: checkoutstories.Address, State: s}).Render(); err == nil {
		t.Error("settings that are not JSON are rendered")
	}
	s.Configuration, s.ScriptURL = `{}`, "javascript:alert(1)"
	d = parse(t, render(t, checkout.Page{Address: checkoutstories.Address, State: s}))
	for _, script := range d.all("script") {
		if strings.HasPrefix(script.attr("src"), "javascript") {
			t.Errorf("a script is loaded from %s", script.attr("src"))
		}
	}
}

func TestQRPage(t *testing.T) {
	t.Parallel()
	d := page(t, "qr", locale.Arabic)
	wantText(t, d, "1,234.500 د.ل", "7K3QX0M2TD", "الأحد 22 نوفمبر، 2:30 ظهرًا", "ادفع مرة واحدة فقط.",
		"تدفع من هذا الهاتف نفسه؟")
	code := d.with(t, "svg", "class", "qr")
	if code.attr("role") != "img" || code.attr("aria-label") != "رمز QR لهذه الدفعة عبر لي باي" {
		t.Errorf("the code: %v", code.Attr)
	}
	if got := d.with(t, "div", "id", "qr").attr("data-payload"); got != checkoutstories.CodeText {
		t.Errorf("the code is of %q", got)
	}
	save := d.with(t, "a", "href", checkoutstories.PictureAddress)
	if save.attr("download") != "7K3QX0M2TD.png" || save.has("hidden") {
		t.Errorf("the button that saves the picture: %v", save.Attr)
	}
	d.with(t, "form", "action", checkoutstories.GiveUpAction)
	if got := d.refresh(); got != "5" {
		t.Errorf("refresh %q, want 5", got)
	}
	if n := len(page(t, "qr-only", locale.Arabic).all("form")); n != 0 {
		t.Error("an attempt that cannot be given up offers it")
	}
}

// The time runs on the pages of forms and apps, too.
func TestTimeLeftElsewhere(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"lightbox-ends-soon", "qr-ends-soon"} {
		d := page(t, name, locale.English)
		if got := d.one(t, "main").attr("data-deadline"); got != "2026-11-22T12:30:00.000Z" {
			t.Errorf("%s: the script counts to %q", name, got)
		}
		if got := d.with(t, "p", "class", "left").attr("data-say-300"); got != "Five minutes left to pay." {
			t.Errorf("%s: after a while it says %q", name, got)
		}
	}
}

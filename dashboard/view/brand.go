package view

import (
	"fmt"
	"strings"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/internal/plaintext"
)

func brandNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"brand-set": say("حُفظ المظهر، ويراه الزبائن من الآن.",
			"The look was saved. Customers see it from now on."),
	}
}

// BrandPage changes how an application looks to customers.
type BrandPage struct {
	FormErrors
	Application accounts.Application
	Form        BrandForm
	Logo        bool   // the application has one
	LogoLost    bool   // a file was sent with the form, and has to be chosen again
	Here        string // the path of the page; the preview is below it
	accent      layout.Colour
	coloured    bool // there is an accent
}

func (BrandPage) head(t *Texts) (template, title string) { return "brand", t.Brand.Title }

// NewBrandPage is the page with the present brand of a shop.
func NewBrandPage(s settings.Shop, here string) BrandPage {
	b := s.Brand
	p := BrandPage{Application: s.Application, Logo: b.Logo != "", Here: here, Form: BrandForm{
		NameArabic: b.Names.Arabic, NameEnglish: b.Names.English, Accent: b.Accent, Phone: shownPhone(b.Phone),
		WhatsApp: shownPhone(b.WhatsApp), Website: b.Website, Address: b.Address,
	}}
	p.accent, p.coloured = layout.ParseColour(b.Accent)
	return p
}

func shownPhone(number string) string {
	if number == "" {
		return ""
	}
	return locale.PhoneText(number)
}

// BrandForm is the brand as it was typed.
type BrandForm struct {
	NameArabic, NameEnglish, Accent, Phone, WhatsApp, Website, Address string

	Remove string // empty: the logo stays
}

// Fields are the texts of the form by the names of their fields.
func (f *BrandForm) Fields() map[string]*string {
	return map[string]*string{
		"name_ar":     &f.NameArabic,
		"name_en":     &f.NameEnglish,
		"accent":      &f.Accent,
		"phone":       &f.Phone,
		"whatsapp":    &f.WhatsApp,
		"website":     &f.Website,
		"address":     &f.Address,
		"remove_logo": &f.Remove,
	}
}

// The errors of the file, and of the form as a whole.
var (
	HeavyLogo       = FormError("logo", func(t *Texts) string { return t.Brand.LogoHeavy })
	LargeLogo       = FormError("logo", func(t *Texts) string { return t.Brand.LogoLarge })
	SmallLogo       = FormError("logo", func(t *Texts) string { return t.Brand.LogoSmall })
	BlankLogo       = FormError("logo", func(t *Texts) string { return t.Brand.LogoBlank })
	ManyScansLogo   = FormError("logo", func(t *Texts) string { return t.Brand.LogoScans })
	UnreadableLogo  = FormError("logo", func(t *Texts) string { return t.Brand.LogoFormat })
	BrokenBrandForm = FormError("logo", func(t *Texts) string { return t.Brand.Broken })
)

// Read reads the form and returns its errors after those of the file, wrong. Colours, numbers and
// addresses are completed if people left out a part such as https://.
func (f *BrandForm) Read(wrong FormErrors) (settings.Brand, FormErrors) {
	b := settings.Brand{
		Names:   locale.Text{Arabic: f.NameArabic, English: f.NameEnglish},
		Website: f.Website,
		Address: f.Address,
	}
	for field, text := range map[string]string{"name_ar": f.NameArabic, "name_en": f.NameEnglish} {
		tooLong := func(t *Texts) string { return t.Brand.NameLong }
		wrong = append(wrong, lineErrors(field, text, settings.MaxBrandName, tooLong)...)
	}
	if f.Accent != "" {
		accent, is := layout.ParseColour(f.Accent)
		if b.Accent = accent.String(); !is {
			wrong.Add("accent", func(t *Texts) string { return t.Brand.AccentBad })
		}
	}
	for field, number := range map[string]*string{"phone": &b.Phone, "whatsapp": &b.WhatsApp} {
		typed := *f.Fields()[field]
		if parsed, is := locale.ParsePhone(typed); is {
			*number = parsed
		} else if typed != "" {
			wrong.Add(field, func(t *Texts) string { return t.Brand.PhoneBad })
		}
	}
	if b.Website != "" && !strings.Contains(b.Website, ":") {
		b.Website = "https://" + b.Website
	}
	if b.Website != "" && settings.CheckWebsite(b.Website) != nil {
		wrong.Add("website", func(t *Texts) string { return t.Brand.WebsiteBad })
	}
	tooLong := func(t *Texts) string { return t.Brand.AddressLong }
	wrong = append(wrong, lineErrors("address", f.Address, settings.MaxBrandAddress, tooLong)...)
	return b, wrong.inOrder("name_ar", "name_en", "logo", "accent", "phone", "whatsapp", "website", "address")
}

// lineErrors are the errors of a text of one line.
func lineErrors(field, text string, most int, long func(*Texts) string) FormErrors {
	switch {
	case len([]rune(text)) > most:
		return FormError(field, long)
	case !plaintext.OneLine(text):
		return FormError(field, func(t *Texts) string { return t.Applications.NameBad })
	}
	return nil
}

// inOrder are the errors in the order of the fields on the page.
func (f FormErrors) inOrder(fields ...string) FormErrors {
	var sorted FormErrors
	for _, field := range fields {
		for _, one := range f {
			if one.field == field {
				sorted = append(sorted, one)
			}
		}
	}
	return sorted
}

// ShadeRow is the merchant's colour as it is used in a scheme.
type ShadeRow struct {
	Scheme string
	Colour string
	Ink    string // the colour of the text on it, in words
	Ratio  string // the contrast of that text
	Why    string // the reason for another shade; empty: it is the colour itself
}

// ShadeRows are the shades of the merchant's colour; nil if there is none.
func (r rendering) ShadeRows(p BrandPage) []ShadeRow {
	if !p.coloured {
		return nil
	}
	t := r.T.Brand
	row := func(name string, in layout.Scheme, other string) ShadeRow {
		s := in.Shades(p.accent)
		row := ShadeRow{
			Scheme: name,
			Colour: s.Accent.String(),
			Ink:    t.Black,
			Ratio:  ratio(layout.Contrast(s.Ink, s.Accent)),
		}
		if s.Ink != (layout.Colour{}) {
			row.Ink = t.White
		}
		if s.Accent != p.accent {
			contrast := min(layout.Contrast(p.accent, in.Paper), layout.Contrast(p.accent, in.Card))
			row.Why = strings.NewReplacer(
				"{colour}", "\u2066"+p.accent.String()+"\u2069",
				"{ratio}", "\u2066"+ratio(contrast)+"\u2069",
			).Replace(other)
		}
		return row
	}
	return []ShadeRow{
		row(t.OnLight, layout.LightScheme, t.Darker),
		row(t.OnDark, layout.DarkScheme, t.Lighter),
	}
}

// ratio is the text of a contrast ratio, rounded down so that it never promises too much.
func ratio(contrast float64) string { return fmt.Sprintf("%.1f:1", float64(int(contrast*10))/10) }

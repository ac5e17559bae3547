package view

import (
	"cmp"
	"html/template"
	"strings"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/internal/locale"
)

func shopNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"shop-page-set": say("حُفظت صفحة المتجر، وتسري من الآن.",
			"The shop page was saved. It counts from now on."),
	}
}

// ShopPage makes the shop page of an application, or changes it.
type ShopPage struct {
	FormErrors
	Application accounts.Application
	Page        settings.ShopPage // as it is now; zero: there is none
	Form        ShopForm
	Here        string // the path of the page
	Prefix      string // of the addresses of shop pages
}

func (ShopPage) head(t *Texts) (template, title string) { return "shop-page", t.ShopPage.Title }

// NewShopPage is the page with the present shop page of an application.
func NewShopPage(a accounts.Application, p settings.ShopPage, here, prefix string) ShopPage {
	page := ShopPage{Application: a, Page: p, Here: here, Prefix: prefix}
	page.Form = ShopForm{
		Name: p.Name, DescriptionArabic: p.Descriptions.Arabic, DescriptionEnglish: p.Descriptions.English,
	}
	if p.Fixed > 0 {
		page.Form.Amount = domain.Money{Minor: p.Fixed, Currency: domain.LYD}.Figures()
	}
	if p.Enabled || p.Name == "" {
		page.Form.Enabled = "yes"
	}
	return page
}

// URL is the address of the shop page.
func (p ShopPage) URL() string { return p.Prefix + p.Page.Name }

// Open reports whether the shop page takes payments.
func (p ShopPage) Open() bool {
	return settings.Front{Shop: settings.Shop{Application: p.Application}, Page: p.Page}.Open()
}

// ShopForm is a shop page as it was typed.
type ShopForm struct {
	Name, DescriptionArabic, DescriptionEnglish string

	Amount  string // empty: customers type it
	Enabled string // empty: off
}

// ShopPageTaken is the error of a name that another shop page has.
var ShopPageTaken = FormError("name", func(t *Texts) string { return t.ShopPage.NameTaken })

// Read reads the form. The name of a page that is there stays.
func (f *ShopForm) Read(name string) (p settings.ShopPage, wrong FormErrors) {
	p.Name = cmp.Or(name, strings.ToLower(f.Name))
	p.Enabled = f.Enabled != ""
	p.Descriptions = locale.Text{Arabic: f.DescriptionArabic, English: f.DescriptionEnglish}
	if settings.CheckShopPageName(p.Name) != nil {
		wrong.Add("name", func(t *Texts) string { return t.ShopPage.NameBad })
	}
	for _, one := range []struct{ field, text string }{
		{"description_ar", f.DescriptionArabic}, {"description_en", f.DescriptionEnglish},
	} {
		if settings.CheckShopDescription(one.text) != nil {
			wrong.Add(one.field, func(t *Texts) string { return t.ShopPage.DescriptionBad })
		}
	}
	minor, known := readAmount(f.Amount)
	switch {
	case known && minor == nil:
	case !known, *minor < domain.MinAmount, *minor > domain.MaxAmount:
		wrong.Add("amount", func(t *Texts) string { return t.Links.AmountBad })
	default:
		p.Fixed = *minor
	}
	return p, wrong
}

// ShopPoster is the QR code of a shop page, to be printed.
type ShopPoster struct {
	ShopPage
	Names locale.Text // of the shop; a language without one has the application's
	QR    template.HTML
}

func (ShopPoster) head(t *Texts) (template, title string) {
	return "shop-poster", t.ShopPage.PosterTitle
}

// Shop is the shop's name in a language.
func (p ShopPoster) Shop(l locale.Lang) string { return cmp.Or(p.Names.In(l), p.Application.Name) }

// Scan says what to do with the code.
func (p ShopPoster) Scan(l locale.Lang) string {
	t := textsIn(l).ShopPage
	if p.Page.Fixed > 0 {
		return t.ScanFixed
	}
	return t.Scan
}

// ShopPageLabel is the text for readers who cannot see the QR code.
func ShopPageLabel(l locale.Lang) string { return textsIn(l).ShopPage.QRLabel }

// Fixed is the amount of the page; zero: customers type it.
func (p ShopPage) Fixed() domain.Money {
	return domain.Money{Minor: p.Page.Fixed, Currency: domain.LYD}
}

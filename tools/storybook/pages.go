package storybook

import (
	"daftar/internal/locale"
	"daftar/tools/storybook/checkoutstories"
)

// Group is the pages that one kind of reader sees at one stage.
type Group struct {
	Folder string // of its files
	Who    locale.Text
	What   locale.Text
	Pages  []Page
}

// Page is one page in both languages.
type Page struct {
	Name   string // of its files
	When   locale.Text
	State  string // data-state of the page
	Detail string // data-detail of the page
	View   string // data-page of the page
	render func(l locale.Lang, self string) ([]byte, error)
}

// Groups returns all pages, grouped by their reader and stage.
func Groups() []Group {
	customer := locale.Text{Arabic: "الزبون", English: "The customer"}
	groups := []Group{
		{Folder: "checkout", Who: customer, What: locale.Text{
			Arabic: "يختار كيف يدفع", English: "chooses how to pay",
		}},
		{Folder: "checkout", Who: customer, What: locale.Text{
			Arabic: "يُدخل الرمز", English: "enters the code",
		}},
		{Folder: "checkout", Who: customer, What: locale.Text{
			Arabic: "يدفع في نموذج أو تطبيق", English: "pays in a form or an app",
		}},
		{Folder: "checkout", Who: customer, What: locale.Text{Arabic: "ينتظر", English: "waits"}},
		{Folder: "checkout", Who: customer, What: locale.Text{Arabic: "دفع", English: "has paid"}},
		{Folder: "checkout", Who: customer, What: locale.Text{
			Arabic: "يتحقق من إيصال", English: "checks a receipt",
		}},
		{Folder: "checkout", Who: customer, What: locale.Text{
			Arabic: "انتهت المهلة", English: "is too late",
		}},
		{Folder: "checkout", Who: customer, What: locale.Text{
			Arabic: "لا صفحة له", English: "finds no page",
		}},
		{Folder: "checkout", Who: customer, What: locale.Text{
			Arabic: "يسأل عن الخدمة", English: "asks what this service is",
		}},
	}
	at := map[string]int{
		"pay": 0, "otp": 1, "lightbox": 2, "qr": 2, "processing": 3, "receipt": 4, "proof": 5,
		"expired": 6, "not-found": 7, "unavailable": 7, "secure": 8,
	}
	for _, s := range checkoutstories.All() {
		g := &groups[at[s.State]]
		g.Pages = append(g.Pages, Page{
			Name: s.Name, When: s.When, State: s.State, Detail: s.Detail,
			render: func(l locale.Lang, self string) ([]byte, error) {
				p := s.Page(l)
				p.Address = self
				return p.Render()
			},
		})
	}
	groups = append(groups, bankGroup(), frontGroup(), documentationGroup())
	return append(groups, dashboardGroups()...)
}

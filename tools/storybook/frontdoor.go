package storybook

import (
	"strings"

	"daftar/frontdoor"
	"daftar/internal/locale"
)

// frontPages are the states of the front door.
var frontPages = []struct {
	name string
	when locale.Text
	page frontdoor.Page
}{
	{"welcome", locale.Text{Arabic: "تجربة وحساب تجريبي", English: "a demonstration and sign-up"},
		frontdoor.Page{Demo: true, SignUp: true}},
	{"welcome-demo", locale.Text{Arabic: "تجربة وحدها", English: "a demonstration alone"},
		frontdoor.Page{Demo: true}},
	{"welcome-sign-up", locale.Text{Arabic: "حساب تجريبي وحده", English: "sign-up alone"},
		frontdoor.Page{SignUp: true}},
	{"welcome-plain", locale.Text{Arabic: "بلا تجربة ولا حساب", English: "neither"}, frontdoor.Page{}},
	{"welcome-limited", locale.Text{Arabic: "تجارب كثيرة", English: "too many demonstrations"},
		frontdoor.Page{Demo: true, SignUp: true, Trouble: frontdoor.Limited}},
	{"welcome-failed", locale.Text{Arabic: "تعذّرت التجربة", English: "no demonstration now"},
		frontdoor.Page{Demo: true, SignUp: true, Trouble: frontdoor.Failed}},
}

// frontGroup has the front door, with links to other pages of the storybook.
func frontGroup() Group {
	g := Group{
		Folder: "front", Who: locale.Text{Arabic: "الزائر", English: "A visitor"},
		What: locale.Text{Arabic: "يصل إلى دفتر", English: "comes to Daftar"},
	}
	for _, p := range frontPages {
		g.Pages = append(g.Pages, Page{
			Name: p.name, When: p.when, View: "front",
			render: func(l locale.Lang, self string) ([]byte, error) {
				p.page.Lang = l
				html := `.` + l.String() + `.html"`
				addresses := strings.NewReplacer(
					`"`+locale.WithLang(frontdoor.Path, l.Other())+`"`, `"`+locale.WithLang(self, l.Other())+`"`,
					`"`+locale.WithLang("/dashboard", l)+`"`, `"../dashboard/sign-in`+html,
					`"`+locale.WithLang("/dashboard/sign-up", l)+`"`, `"../dashboard/sign-up`+html,
					`"`+frontdoor.SheetPath+`"`, `"../front.css"`,
				)
				return []byte(addresses.Replace(string(p.page.Render()))), nil
			},
		})
	}
	return g
}

package dashboardstories

import (
	"daftar/accounts/settings"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/locale"
)

// brandStories are the pages on which a merchant changes the look of the payment page.
func brandStories() []Story {
	shop, _, _ := credentials()
	here := view.Within(organization.ID, domain.ModeLive, "applications/"+shop.ID.String()+"/brand")
	branded := settings.Shop{Application: shop.Application, Brand: settings.Brand{
		Names:  locale.Text{Arabic: "مقهى الميدان للقهوة المختصة", English: "Maydan Speciality Coffee"},
		Accent: "#1a1a2e", Phone: "+218213334444",
		WhatsApp: "+218912345678", Website: "https://www.maydan.example/ar",
		Address: "طرابلس، ميدان الجزائر، بجانب البريد",
		Logo:    "00000000000000000000000000000000", Changed: now,
	}}
	yellow := branded
	yellow.Brand.Accent, yellow.Brand.Logo = "#ffd500", ""
	wrong := view.NewBrandPage(settings.Shop{Application: shop.Application}, here)
	wrong.Form = view.BrandForm{Accent: "green", Phone: "1515", Website: "javascript:alert(1)"}
	_, wrong.FormErrors = wrong.Form.Read(view.UnreadableLogo)
	wrong.LogoLost = true
	lost := view.NewBrandPage(branded, here)
	lost.Form.Phone, lost.LogoLost = "1515", true
	_, lost.FormErrors = lost.Form.Read(nil)
	return []Story{
		{"brand", inside(view.SectionApplications, view.NewBrandPage(branded, here))},
		{"brand-none", inside(view.SectionApplications,
			view.NewBrandPage(settings.Shop{Application: shop.Application}, here)).seenBy(developerIdentity)},
		{"brand-yellow", inside(view.SectionApplications, view.NewBrandPage(yellow, here))},
		{"brand-saved", inside(view.SectionApplications, view.NewBrandPage(branded, here)).after("brand-set")},
		{"brand-wrong", inside(view.SectionApplications, wrong)},
		{"brand-logo-lost", inside(view.SectionApplications, lost)},
	}
}

package dashboardstories

import (
	"daftar/accounts/settings"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/layout"
	"daftar/internal/locale"
)

// shopPageStories are the pages about the shop page of an application.
func shopPageStories() []Story {
	shop, _, _ := credentials()
	here := view.Within(organization.ID, domain.ModeLive, "applications/"+shop.ID.String()+"/shop")
	page := func(p settings.ShopPage) view.ShopPage {
		return view.NewShopPage(shop.Application, p, here, "https://pay.example/shop/")
	}
	made := settings.ShopPage{
		Name: "maydan-coffee", Enabled: true, Changed: now,
		Descriptions: locale.Text{Arabic: "قهوة مختصة ومعجّنات", English: "Speciality coffee and pastry"},
	}
	off := made
	off.Enabled, off.Fixed = false, 12_500
	wrong := page(settings.ShopPage{})
	wrong.Form = view.ShopForm{Name: "المقهى", DescriptionArabic: "ادفع في maydan.ly", Amount: "خمسة"}
	_, wrong.FormErrors = wrong.Form.Read("")
	names := locale.Text{Arabic: "مقهى الميدان للقهوة المختصة", English: "Maydan Speciality Coffee"}
	poster := func(p settings.ShopPage) view.ShopPoster {
		poster := view.ShopPoster{ShopPage: page(p), Names: names}
		poster.QR, _ = layout.QR(poster.URL(), view.ShopPageLabel(locale.Arabic)) // of a text that fits
		return poster
	}
	return []Story{
		{"shop-page-new", inside(view.SectionApplications, page(settings.ShopPage{}))},
		{"shop-page", inside(view.SectionApplications, page(made)).after("shop-page-set")},
		{"shop-page-off", inside(view.SectionApplications, page(off))},
		{"shop-page-wrong", inside(view.SectionApplications, wrong)},
		{"shop-poster", inside(view.SectionApplications, poster(made))},
		{"shop-poster-fixed", inside(view.SectionApplications, poster(off))},
	}
}

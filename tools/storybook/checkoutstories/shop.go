package checkoutstories

import (
	"daftar/checkout"
	"daftar/domain"
)

// shopPages are the pages of a shop, on which anyone can pay it.
func shopPages() []Story {
	title := text("ادفع للمتجر", "Pay the shop")
	page := func(p checkout.ShopPage) checkout.ShopPage {
		p.Order.Merchant, p.Action, p.Number = Order().Merchant, PayAction, "7QX4M2TDK3PA5BLW6CEF2GHJ3N"
		p.Order.Amount.Currency = domain.LYD
		return p
	}
	plain := page(checkout.ShopPage{})
	plain.Order.Description = "قهوة مختصة ومعجّنات، في ميدان الجزائر"
	plain.Order.Brand = branded("square").Brand
	fixed := page(checkout.ShopPage{Fixed: true})
	fixed.Order.Description, fixed.Order.Amount.Minor = "تذكرة دخول المعرض", 12_500
	return []Story{
		{
			Name: "shop-page", State: "shop-page", Title: title, unwatched: true, Shown: plain,
			When: text("مسح الزبون رمز المتجر المطبوع.", "The customer has scanned the printed code of a shop."),
		},
		{
			Name: "shop-page-fixed", State: "shop-page", Title: title, unwatched: true, Shown: fixed,
			When: text("حدد المتجر المبلغ.", "The shop has fixed the amount."),
		},
		{
			Name: "shop-page-wrong", State: "shop-page", unwatched: true,
			Title: text("خطأ: ادفع للمتجر", "Error: Pay the shop"),
			Shown: page(checkout.ShopPage{Typed: "25 أو 30", Problem: checkout.AmountMalformed}),
			When:  text("ليس المكتوب مبلغًا.", "What was typed is no amount."),
		},
		{
			Name: "shop-page-limited", State: "shop-page", unwatched: true,
			Title: text("خطأ: ادفع للمتجر", "Error: Pay the shop"),
			Shown: page(checkout.ShopPage{Typed: "25.500", Problem: checkout.ShopLimited}),
			When: text("بدأت من شبكة الزبون مدفوعات كثيرة.",
				"Many payments were begun from the customer’s network."),
		},
		{
			Name: "shop-page-off", State: "not-found", Detail: "shop", unwatched: true,
			Title: text("لا تُستقبل مدفوعات في هذه الصفحة الآن", "This page takes no payments now"),
			Shown: checkout.NotFound{Shop: true},
			When:  text("أوقف المتجر صفحته.", "The shop has switched its page off."),
		},
	}
}

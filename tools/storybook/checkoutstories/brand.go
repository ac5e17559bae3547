package checkoutstories

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"sync"

	"golang.org/x/image/draw"
	"golang.org/x/image/vector"

	"daftar/checkout"
	"daftar/internal/layout"
	"daftar/internal/logo"
)

// ThemePath is the address of the style sheet with a theme of Themes.
func ThemePath(name string) string { return layout.AssetPrefix + "shop." + name + ".css" }

// look is the look of a merchant in the stories.
type look struct {
	accent string
	logo   logo.Pictures // zero: none
}

// looks are made once, because drawing a logo takes a while.
var looks = sync.OnceValue(func() map[string]look {
	return map[string]look{
		"square": {"#1a1a2e", pictures(cup(color.NRGBA{0x1a, 0x1a, 0x2e, 255}, 1))}, // too dark for dark pages
		"wide":   {"#ffd500", pictures(cup(color.NRGBA{0xff, 0xe6, 0x80, 255}, 5))}, // too light for light ones
		"accent": {"#c2410c", logo.Pictures{}},
	}
})

// Themes are the themes of the stories, by their names.
func Themes() map[string]layout.Theme {
	all := make(map[string]layout.Theme)
	for name, l := range looks() {
		all[name] = layout.Theme{Accent: l.accent, Logo: l.logo.Mark, LogoWidth: logo.Width(l.logo.Mark)}
	}
	return all
}

// pictures reads the pictures of an uploaded file. It panics on errors, because the file is ours.
func pictures(file []byte) logo.Pictures {
	p, err := logo.Read(file)
	if err != nil {
		panic("checkoutstories: " + err.Error())
	}
	return p
}

// cup draws a row of cups: a logo without a background.
func cup(ink color.Color, cups int) []byte {
	const side = 200
	m := image.NewNRGBA(image.Rect(0, 0, side*cups, side))
	for n := range cups {
		r := vector.NewRasterizer(side, side)
		r.MoveTo(30, 50)
		r.LineTo(140, 50)
		r.CubeTo(140, 200, 30, 200, 30, 50)
		r.ClosePath()
		r.MoveTo(140, 70)
		r.CubeTo(200, 70, 180, 140, 125, 130)
		r.LineTo(128, 115)
		r.CubeTo(160, 120, 170, 88, 140, 88)
		r.ClosePath()
		r.Draw(m, image.Rect(n*side, 0, (n+1)*side, side), image.NewUniform(ink), image.Point{})
	}
	draw.Draw(m, image.Rect(20, 185, side*cups-20, 192), image.NewUniform(ink), image.Point{}, draw.Src)
	var file bytes.Buffer
	if err := png.Encode(&file, m); err != nil {
		panic("checkoutstories: " + err.Error())
	}
	return file.Bytes()
}

// Brand is the brand of a merchant with a look of Themes and all kinds of contact details.
func Brand(name string) checkout.Brand {
	l := looks()[name]
	b := checkout.Brand{
		Names: text("مقهى الميدان للقهوة المختصة", "Maydan Speciality Coffee"),
		Sheet: ThemePath(name),
		Phone: "+218213334444", WhatsApp: "+218912345678", Website: "https://www.maydan.example/ar",
		Address: "طرابلس، ميدان الجزائر، بجانب البريد",
	}
	if l.logo.Mark != nil {
		b.Logo, b.Icon, b.Share = true, layout.DataURL(l.logo.Icon), "https://pay.example/story.picture"
	}
	return b
}

// branded is the order of a merchant with a look.
func branded(look string) checkout.Order {
	o := Order()
	o.Brand = Brand(look)
	return o
}

// longBrand has the longest name, and a wide logo.
func longBrand() checkout.Order {
	o := branded("wide")
	o.Brand.Names = text("الشركة الليبية المتحدة لاستيراد وتوزيع القهوة المختصة ولوازم المقاهي والفنادق",
		"United Libyan Company for Speciality Coffee, Café Supplies and Hospitality Goods")
	return o
}

// withBrand are the pages of merchants with a brand, before the payment has ended.
func withBrand() []Story {
	title := text("الدفع", "Pay")
	accent, names := branded("accent"), Order()
	accent.Brand.WhatsApp, accent.Brand.Website, accent.Brand.Address = "", "", ""
	names.Brand.Names = Brand("accent").Names
	return []Story{
		{
			Name: "pay-brand", State: "pay", Title: title,
			When:  text("للمتجر شعار ولون داكن.", "The shop has a logo and a dark colour."),
			Shown: pay(func(p *checkout.Pay) { p.Order = branded("square") }),
		},
		{
			Name: "pay-brand-preview", State: "pay", Title: title, unwatched: true, still: true,
			When:  text("يعاين المتجر مظهر صفحته.", "The shop looks at its page beforehand."),
			Shown: pay(func(p *checkout.Pay) { p.Order = branded("square") }),
		},
		{
			Name: "pay-brand-wide", State: "pay", Title: title,
			When:  text("للمتجر شعار عريض فاتح ولون أصفر.", "The shop has a wide, light logo and a yellow colour."),
			Shown: pay(func(p *checkout.Pay) { p.Order = branded("wide") }),
		},
		{
			Name: "pay-brand-long", State: "pay", Title: title,
			When:  text("أطول اسم مع شعار وخمس وسائل.", "The longest name next to a logo, and five payment methods."),
			Shown: payFive(func(p *checkout.Pay) { p.Order = longBrand() }),
		},
		{
			Name: "pay-brand-accent", State: "pay", Title: title,
			When:  text("للمتجر لون وهاتف بلا شعار.", "The shop has a colour and a telephone, and no logo."),
			Shown: pay(func(p *checkout.Pay) { p.Order = accent }),
		},
		{
			Name: "pay-brand-names", State: "pay", Title: title,
			When:  text("للمتجر اسم بكل لغة فقط.", "The shop has a name in each language, and no more."),
			Shown: pay(func(p *checkout.Pay) { p.Order = names }),
		},
		{
			Name: "otp-brand", State: "otp", Title: text("أدخل رمز التحقق", "Enter the code"),
			When:  text("أُرسل الرمز، وللمتجر شعار ولون.", "The code was sent; the shop has a logo and a colour."),
			Shown: otp(func(s *checkout.OTP) { s.Order = branded("square") }),
		},
	}
}

// withBrandAfterwards are their pages once the payment has ended, and the page that explains the service.
func withBrandAfterwards() []Story {
	paid, proven := text("تم الدفع", "Paid"), branded("square")
	return []Story{
		receiptStory("receipt-brand", "", paid,
			text("دُفعت طلبية لمتجر له شعار.", "The order of a shop with a logo is paid."),
			func(r *checkout.Receipt) { r.Order = branded("square") }),
		receiptStory("receipt-twice-brand", "twice",
			text("وصلت دفعتان لهذه الطلبية", "Two payments came in for this order"),
			text("وصلت دفعة ثانية، والمتجر معروف الهاتف.", "A second payment came in, and the shop can be called."),
			func(r *checkout.Receipt) { r.Order, r.Twice, r.ShopNotified = longBrand(), true, true }),
		{
			Name: "expired-brand", State: "expired",
			Title: text("انتهت مهلة هذه الطلبية", "The time to pay this order is over"), unwatched: true,
			When:  text("انتهت المهلة، والمتجر معروف الهاتف.", "The time is over, and the shop can be called."),
			Shown: checkout.Expired{Order: branded("wide"), NoMoneyTaken: true},
		},
		{
			Name: "proof-brand", State: "proof", Title: text("هذا الإيصال صحيح", "This receipt is genuine"),
			unwatched: true,
			When: text("يتحقق أحدهم من إيصال متجر له شعار.",
				"Someone checks the receipt of a shop with a logo."),
			Shown: proof(func(p *checkout.Proof) {
				p.Order = checkout.Order{
					Merchant: proven.Merchant, Amount: proven.Amount, Reference: proven.Reference, Brand: proven.Brand,
				}
			}),
		},
		{
			Name: "secure", State: "secure", Title: layout.SecurePayment, unwatched: true,
			When:  text("يسأل الزبون ما هذه الخدمة.", "The customer asks what this service is."),
			Shown: checkout.Secure{Service: "https://pay.example"},
		},
	}
}

package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"log"
	"net/http"
)

// The shop's pages, in Arabic and English.

//go:embed page.html
var pageHTML string

var pages = template.Must(template.New("page").Parse(pageHTML))

type words struct {
	Title, Buy, Other, Order, Again, Shop, Pay string
	Away, Missing, Currency                    string
	States                                     map[string]string
}

var translations = map[string]words{
	"ar": {
		Title: "متجر الميدان", Buy: "اشترِ الآن", Other: "English", Order: "الطلبية",
		Again: "أعد المحاولة", Shop: "إلى المتجر", Pay: "إلى صفحة الدفع", Currency: "د.ل",
		States: map[string]string{
			open:      "لم يصلنا تأكيد الدفع بعد. تُحدَّث هذه الصفحة تلقائيًا.",
			fulfilled: "تم الدفع، وطلبيتك في طريقها إليك. شكرًا لك!",
			canceled:  "انتهت مهلة الدفع ولم يصلنا أي مبلغ، فأُلغيت الطلبية.",
		},
		Away:    "تعذّر الوصول إلى خدمة الدفع، ولم يُخصم منك أي مبلغ. أعد المحاولة بعد قليل.",
		Missing: "لا توجد صفحة بهذا العنوان.",
	},
	"en": {
		Title: "Maydan Shop", Buy: "Buy now", Other: "العربية", Order: "Order",
		Again: "Try again", Shop: "To the shop", Pay: "Go to the payment page", Currency: "LYD",
		States: map[string]string{
			open:      "Your payment is not confirmed yet. This page updates by itself.",
			fulfilled: "Paid. Your order is on its way. Thank you!",
			canceled:  "The time to pay has run out and nothing was paid. The order is canceled.",
		},
		Away:    "The payment service cannot be reached, and you were not charged. Try again in a moment.",
		Missing: "There is no such page.",
	},
}

// page is what page.html shows; of Offers, Order and Says it shows what there is.
type page struct {
	Words                                   words
	Lang, Direction, Other, OtherLang, Home string
	Reload                                  bool
	Offers                                  []offer
	Order                                   *shown
	Says                                    string
	Again                                   *form
}

type offer struct {
	Name, Price string
	Form        form
}

// form carries the order's reference: sent twice, it is still one order.
type form struct{ Reference, Product, Lang, Label string }

type shown struct{ Reference, State, Price, Says, Pay string }

// language is that of a request: "ar" or "en".
func language(r *http.Request) string {
	if r.FormValue("lang") == "en" {
		return "en"
	}
	return "ar"
}

// query is what links to pages in a language end in.
func query(lang string) string {
	if lang == "en" {
		return "?lang=en"
	}
	return ""
}

// in is a page in a language, at a path.
func in(lang, here string) page {
	p := page{Words: translations[lang], Lang: lang, Home: "/" + query(lang)}
	p.Direction, p.OtherLang = "rtl", "en"
	if lang == "en" {
		p.Direction, p.OtherLang = "ltr", "ar"
	}
	p.Other = here + query(p.OtherLang)
	return p
}

// price is an amount in words: 5000 is 5.000, dinars have three decimals.
func price(minor int64) string { return fmt.Sprintf("%d.%03d", minor/1000, minor%1000) }

func shopPage(lang string) page {
	p := in(lang, "/")
	for _, one := range products {
		name := one.AR
		if lang == "en" {
			name = one.EN
		}
		p.Offers = append(p.Offers, offer{name, price(one.Amount), form{newReference(), one.ID, lang, p.Words.Buy}})
	}
	return p
}

func orderPage(lang string, of order) page {
	p := in(lang, "/orders/"+of.Reference)
	p.Reload = of.State == open
	p.Order = &shown{
		Reference: of.Reference, State: of.State, Price: price(of.Amount), Says: p.Words.States[of.State],
	}
	if of.State == open && of.CheckoutURL != "" {
		p.Order.Pay = of.CheckoutURL + query(lang)
	}
	return p
}

func awayPage(lang string, of order) page {
	p := in(lang, "/")
	p.Says = p.Words.Away
	p.Again = &form{of.Reference, of.Product, lang, p.Words.Again}
	return p
}

func missingPage(lang string) page {
	p := in(lang, "/")
	p.Says = p.Words.Missing
	return p
}

// write answers with a page.
func write(w http.ResponseWriter, status int, p page) {
	var text bytes.Buffer
	if err := pages.Execute(&text, p); err != nil {
		log.Printf("A page cannot be made: %v", err)
		status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(text.Bytes())
}

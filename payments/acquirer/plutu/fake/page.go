package fake

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"net/http"
	"strings"

	"daftar/payments/acquirer/fake"
)

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// words has the texts of the page in one language.
type words struct {
	Lang, Dir, Title, Banner, Amount, Currency, Number string
	Pay, Decline, Leave, Other, OtherLang              string
}

var catalogues = map[string]words{
	"ar": {
		Lang: "ar", Dir: "rtl", Title: "صفحة دفع للتجربة", Banner: "هذه صفحة للتجربة: لا تُسحب أموال حقيقية",
		Amount: "المبلغ", Currency: "د.ل", Number: "رقم الفاتورة",
		Pay: "ادفع", Decline: "ارفض الدفع", Leave: "غادر دون دفع", Other: "English", OtherLang: "en",
	},
	"en": {
		Lang: "en", Dir: "ltr", Title: "Test payment page", Banner: "A page for testing: no real money moves",
		Amount: "Amount", Currency: "LYD", Number: "Invoice number",
		Pay: "Pay", Decline: "Decline the payment", Leave: "Leave without paying", Other: "العربية",
		OtherLang: "ar",
	},
}

func (f *Fake) showPage(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	o := f.orders[r.PathValue("id")]
	f.mu.Unlock()
	if o == nil {
		http.NotFound(w, r)
		return
	}
	texts, known := catalogues[r.URL.Query().Get("lang")]
	if !known {
		texts = catalogues[cmp.Or(o.lang, "ar")]
	}
	var page bytes.Buffer
	err := pageTemplate.Execute(&page, struct {
		words
		Figures, Invoice string
	}{texts, dinars(o.amount), o.invoice})
	if err != nil {
		panic("fake: page does not fit its template: " + err.Error())
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	// form-action is not restricted: a button leads to the merchant's page.
	h.Set("Content-Security-Policy",
		"default-src 'none'; img-src data:; frame-ancestors 'none'; base-uri 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(page.Bytes())
}

// pressButton answers POST /pay/{id}: the payer goes back to the merchant. A paid payment stays
// paid; one that was declined or left can still be paid by a payer that returns to the page.
func (f *Fake) pressButton(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	action := r.PostFormValue("action")
	f.mu.Lock()
	o := f.orders[r.PathValue("id")]
	f.mu.Unlock()
	if o == nil {
		http.NotFound(w, r)
		return
	}
	kind, known := map[string]string{"pay": kindPaid, "decline": kindUndecided, "leave": kindCanceled}[action]
	if !known {
		http.Error(w, "press one of the three buttons", http.StatusBadRequest)
		return
	}
	http.Redirect(w, r, backTo(o.returnURL, f.press(o, kind)), http.StatusSeeOther)
}

// press decides a payment and returns the query with which the payer goes back.
func (f *Fake) press(o *order, kind string) message {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := o.paid
	if before {
		kind = kindPaid
	}
	m := f.compose(o, kind)
	if !o.paid {
		f.books.Update(o.invoice, func(p *fake.Payment) bool {
			p.State = fake.Declined
			return true
		})
	}
	if o.gateway != "tlync" {
		return m
	}
	if !before {
		posted := behaviourOf(o.gateway, o.phone).messages
		if posted == nil || kind != kindPaid {
			posted = []string{kind}
		}
		f.postAll(o, posted)
	}
	approved := "0"
	if o.paid {
		approved = "1"
	}
	back := message{{name: "approved", value: approved}, {name: "invoice_no", value: o.invoice}}
	return append(back, pair{name: "hashed", value: back.sign(f.config.SecretKey)})
}

func backTo(address string, m message) string {
	if strings.Contains(address, "?") {
		return address + "&" + m.query()
	}
	return address + "?" + m.query()
}

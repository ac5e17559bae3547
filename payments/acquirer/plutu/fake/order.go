package fake

import (
	"maps"
	"net/url"
	"regexp"

	"daftar/payments/acquirer/fake"
)

// order is a payment that has a page.
type order struct {
	id, gateway, phone     string
	amount                 int64 // in dirham
	invoice, transaction   string
	returnURL, callbackURL string
	lang                   string
	paid                   bool
}

func openForm(more map[string]*regexp.Regexp, optional ...string) form {
	f := form{
		required: map[string]*regexp.Regexp{"amount": amountForm, "invoice_no": invoiceForm, "return_url": nil},
		optional: map[string]*regexp.Regexp{"customer_ip": nil, "lang": langForm},
	}
	maps.Copy(f.required, more)
	for _, name := range optional {
		f.optional[name] = nil
	}
	return f
}

var openForms = map[string]form{
	"localbankcards": openForm(nil),
	"tlync": openForm(
		map[string]*regexp.Regexp{"mobile_number": phoneForm, "callback_url": nil}, "email"),
}

// open opens a page. f.mu is held.
func (f *Fake) open(gateway string, given fields, base string) reply {
	wrong := given.wrong(openForms[gateway])
	if !isWebURL(given.get("return_url")) {
		wrong = append(wrong, "return_url")
	}
	if gateway == "tlync" && !fake.OnLoopback(given.get("callback_url")) {
		wrong = append(wrong, "callback_url")
	}
	if len(wrong) > 0 {
		return fails("INVALID_INPUTS", wrong...)
	}
	amount, invoice := dirham(given.get("amount")), given.get("invoice_no")
	if refused, is := f.refuseAmount(amount); is {
		return refused
	}
	b := behaviourOf(gateway, given.get("mobile_number"))
	_, used := f.books.Find(invoice)
	switch {
	case used:
		return fails("DUPLICATED_INVOICE_NUMBER")
	case b.framework:
		return reply{framework: true, wrong: []string{"mobile_number"}}
	case b.begin != "":
		return fails(b.begin)
	}
	f.books.Update(invoice, func(p *fake.Payment) bool {
		p.Method, p.Amount = gateway, amount
		return true
	})
	o := &order{
		id:          f.number(),
		gateway:     gateway,
		phone:       given.get("mobile_number"),
		amount:      amount,
		invoice:     invoice,
		transaction: f.number(),
		returnURL:   given.get("return_url"),
		callbackURL: given.get("callback_url"),
		lang:        given.get("lang"),
	}
	f.orders[o.id] = o
	answer := reply{
		result:  fields{"code": {"CHECKOUT_REDIRECT"}, "redirect_url": {base + "/pay/" + o.id}},
		message: "Redirect the customer to the page", fault: b.beginning,
	}
	if b.early {
		body := f.compose(o, kindPaid).json()
		answer.before = func() { f.post(o.callbackURL, body) }
	}
	return answer
}

func isWebURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

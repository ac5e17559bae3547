package view

import (
	"slices"
	"strings"

	"daftar/books"
	"daftar/payments/acquirer/registry"
)

// FeeForm is what a contract has, as it was typed. Method has the acquirer before it.
type FeeForm struct{ Method, Day, Rate, Minimum, Note string }

// FeesPage has the fees of contracts, and the form for another.
type FeesPage struct {
	FormErrors
	Acquirers []string
	Fees      []books.FeeScheduled // the latest first
	Form      FeeForm
}

func (FeesPage) head(t *Texts) (template, title string) {
	return "settlement-fees", t.Settlements.FeesTitle
}

// methods are the choices of the form.
func (p FeesPage) methods() (all []string) {
	for _, name := range p.Acquirers {
		d, _ := registry.Named(name)
		for _, m := range d.Methods {
			all = append(all, name+"/"+string(m.Method))
		}
	}
	return all
}

// FeeMethods are the methods of a page by their names.
func (r rendering) FeeMethods(p FeesPage) (all []choice) {
	for _, one := range p.methods() {
		acquirer, method, _ := strings.Cut(one, "/")
		all = append(all, choice{one, r.MethodText(acquirer, method)})
	}
	return all
}

// Read returns the contract's fee, and with whom.
func (p FeesPage) Read() (acquirer string, c books.ScheduleFee, wrong FormErrors) {
	acquirer, c.Method, _ = strings.Cut(p.Form.Method, "/")
	if !slices.Contains(p.methods(), p.Form.Method) {
		wrong.Add("method", func(t *Texts) string { return t.Settlements.NoMethod })
	}
	terms, wrongTerms := TermsForm{Day: p.Form.Day}.Read(true)
	wrong, c.From = append(wrong, wrongTerms...), terms.ValueDate
	rate, known := readAmount(strings.TrimSuffix(p.Form.Rate, "%")) // thousandths, as amounts have them
	if !known || rate == nil || *rate%10 != 0 || *rate/10 > books.MaxRate {
		wrong.Add("rate", func(t *Texts) string { return t.Settlements.BadRate })
	} else {
		c.Rate = *rate / 10
	}
	minimum, known := readAmount(p.Form.Minimum)
	if !known {
		wrong.Add("minimum", func(t *Texts) string { return t.Settlements.BadAmount })
	} else if minimum != nil {
		c.Minimum = *minimum
	}
	return acquirer, c, wrong
}

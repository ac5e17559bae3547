package view

import (
	"strings"

	"daftar/domain"
	"daftar/internal/locale"
)

// Conditions are what narrows the list, except the status, which has tabs: each is a link to the
// list without it.
func (p PaymentList) Conditions(r rendering) []tab {
	var all []tab
	add := func(text string, remove func(f *PaymentsForm)) {
		form := p.Form
		remove(&form)
		all = append(all, tab{Text: text, Address: r.In(form.Link(""))})
	}
	if p.Searched() {
		add(strings.TrimSpace(p.Form.Search), func(f *PaymentsForm) { f.Search = "" })
	}
	for _, a := range p.Applications {
		if a.ID.String() == p.Form.Application {
			add(a.Name, func(f *PaymentsForm) { f.Application = "" })
		}
	}
	if days := p.daysText(r); days != "" {
		add(days, func(f *PaymentsForm) { f.From, f.To = "", "" })
	}
	if amounts := p.amountsText(r); amounts != "" {
		add(amounts, func(f *PaymentsForm) { f.Min, f.Max = "", "" })
	}
	return all
}

// Folded is how many of the conditions are fields of the folded filter.
func (p PaymentList) Folded(r rendering) int {
	n := len(p.Conditions(r))
	if p.Searched() {
		n--
	}
	return n
}

// daysText is the chosen range of days; empty: none.
func (p PaymentList) daysText(r rendering) string {
	for _, preset := range p.Presets(r)[1:] {
		if preset.Current {
			return preset.Text
		}
	}
	return r.span(p.dayText(r, p.Form.From), p.dayText(r, p.Form.To))
}

func (p PaymentList) dayText(r rendering, typed string) string {
	day, known := readDay(typed)
	if !known || day.IsZero() {
		return typed
	}
	return locale.ShortDate(r.Lang, noon(day), p.Today.Year)
}

// amountsText is the chosen range of amounts; empty: none.
func (p PaymentList) amountsText(r rendering) string {
	text := func(typed string) string {
		minor, known := readAmount(typed)
		if !known || minor == nil {
			return typed
		}
		return locale.AmountText(r.Lang, domain.Money{Minor: *minor, Currency: domain.LYD})
	}
	return r.span(text(p.Form.Min), text(p.Form.Max))
}

// span is a range in words; empty: it has no end.
func (r rendering) span(from, to string) string {
	t := r.T.Payments
	switch {
	case from == to:
		return from
	case to == "":
		return t.Since + " " + from
	case from == "":
		return t.Until + " " + to
	}
	return t.Since + " " + from + " " + t.Until + " " + to
}

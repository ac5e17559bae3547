package checkout

import (
	"html/template"
	"slices"
	"time"

	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
)

// endsSoon is how long before the end a folded page shows the end, and the script a clock.
const endsSoon = time.Hour

// usable is the offer of the method, or the first that can be chosen where m is empty; nil where
// there is none.
func (s Pay) usable(m acquirer.Method) *Offer {
	return s.first(func(o Offer) bool { return m == "" || o.Method == m })
}

// first is the first offer that can be chosen and is wanted; nil where there is none.
func (s Pay) first(wanted func(Offer) bool) *Offer {
	n := slices.IndexFunc(s.Offers, func(o Offer) bool { return !o.OutOfOrder && !s.Limited(o) && wanted(o) })
	if n < 0 {
		return nil
	}
	return &s.Offers[n]
}

// Limited reports whether the offer waits, as MethodLimited, because its codes are not sent for now.
func (s Pay) Limited(o Offer) bool { return s.sendsNone() && sendsCode(o) && !s.Held() }

// Held reports whether all methods wait so: they stay on the page, and its button waits.
func (s Pay) Held() bool {
	without := func(o Offer) bool { return !o.OutOfOrder && !sendsCode(o) }
	return s.sendsNone() && !slices.ContainsFunc(s.Offers, without)
}

func (s Pay) sendsNone() bool { return s.MethodProblem == MethodLimited }

func sendsCode(o Offer) bool { return slices.Contains(o.Needs, acquirer.Phone) }

// CanPay reports whether any method can be chosen.
func (s Pay) CanPay() bool { return s.usable("") != nil }

// Takes reports whether a method that needs the field can be chosen.
func (s Pay) Takes(f acquirer.Field) bool {
	return s.first(func(o Offer) bool { return slices.Contains(o.Needs, f) }) != nil
}

// MethodField is the id of the first method that can be chosen.
func (s Pay) MethodField() string {
	if first := s.usable(""); first != nil {
		return first.ID()
	}
	return ""
}

// Preselected is the method that is selected when the page opens: the customer's choice, or else
// the one that suits the failure, or the first, so that most customers need not choose; empty for
// none.
func (s Pay) Preselected() acquirer.Method {
	if s.MethodProblem == MethodMissing {
		return ""
	}
	var chosen *Offer
	if s.Chosen != "" {
		chosen = s.usable(s.Chosen)
	}
	for _, o := range []*Offer{chosen, s.afterFailure(), s.usable("")} {
		if o != nil {
			return o.Method
		}
	}
	return ""
}

// afterFailure is the offer that the customer is likely to try next; nil where nothing failed, or
// there is none.
func (s Pay) afterFailure() *Offer {
	if s.Failed == "" || s.FailedBy == "" {
		return nil
	}
	if s.Failed.AsksForAnotherWay() {
		return s.first(func(o Offer) bool {
			// The limit is on the number, at every acquirer.
			sends := s.Failed == acquirer.TooManyCodes && sendsCode(o)
			return o.Method != s.FailedBy && !sends
		})
	}
	return s.usable(s.FailedBy)
}

// Summarised reports whether the page begins with a list of what has to be corrected. One wrong
// field has the focus instead.
func (r rendering) Summarised() bool { return len(r.Problems) > 1 }

// Focused reports whether the field has the focus when the page opens.
func (r rendering) Focused(field string) bool {
	return len(r.Problems) == 1 && r.Problems[0].Field == field
}

// Folded reports whether the page is about a failure or a correction: the customer has seen the
// order, and the form fits the first screen.
func (r rendering) Folded() bool {
	s, _ := r.State.(Pay)
	return s.Failed != "" && s.NotBefore.IsZero() || len(r.Problems) > 0
}

// EndsSoon reports whether less than an hour is left to pay.
func (r rendering) EndsSoon() bool { return r.left < endsSoon }

// way is a method as a row of the pay page.
type way struct {
	Name string
	By   string // tells it from another row of that name; empty where there is none
	Hint string
	Mark template.HTML
}

// Way is the row of an offer.
func (r rendering) Way(o Offer) way {
	by, words, known := registry.OfMethod(o.Method)
	if !known {
		return way{Name: string(o.Method)}
	}
	row := way{Name: words.Payers().In(r.Lang), Hint: words.Hint.In(r.Lang), Mark: signs[words.Mark]}
	if s, _ := r.State.(Pay); s.shareName(o, r.Lang) {
		row.By = r.T.By + " " + by.Label.In(r.Lang)
	}
	if o.OutOfOrder {
		row.Hint = r.T.Pay.OutOfOrder
	}
	return row
}

// shareName reports whether another offer has the same name.
func (s Pay) shareName(o Offer, l locale.Lang) bool {
	name := func(m acquirer.Method) string {
		_, words, _ := registry.OfMethod(m)
		return words.Payers().In(l)
	}
	return slices.ContainsFunc(s.Offers, func(other Offer) bool {
		return other.Method != o.Method && name(other.Method) == name(o.Method)
	})
}

// signs are drawn by us: the marks of banks and wallets belong to them.
var signs = map[acquirer.Mark]template.HTML{
	acquirer.PhoneMark: sign(`<rect x="15" y="3.5" width="10" height="17" rx="2"/><path d="M18.5 17.5h3"/>`),
	acquirer.CardMark: sign(`<rect x="9.5" y="5" width="21" height="14" rx="2"/>` +
		`<path d="M9.5 9.5h21" stroke-width="3"/><path d="M13 15.5h5"/>`),
	acquirer.CodeMark: sign(`<path d="M13 5h5v5h-5zM22 5h5v5h-5zM13 14h5v5h-5z"/>` +
		`<path d="M21.5 14h2M25.5 14v3M22 17.5v2M25 19.5h3"/>`),
}

func sign(shapes string) template.HTML {
	const begin = `<svg class="sign" width="40" height="24" viewBox="0 0 40 24" fill="none" ` +
		`stroke="currentColor" stroke-width="1.5" aria-hidden="true">`
	return template.HTML(begin + shapes + `</svg>`) //nolint:gosec // drawn above
}

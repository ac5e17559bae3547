package locale

import (
	"html/template"
	"strconv"

	"daftar/domain"
)

// nbsp keeps the figures and the currency on one line.
const nbsp = "\u00a0"

// CurrencyLabel is how people of the language write the currency.
func CurrencyLabel(l Lang, c domain.Currency) string {
	if c == domain.LYD {
		return l.Say("د.ل", "LYD")
	}
	panic("locale: label of unknown currency " + string(c))
}

// minus is the sign of what is less than zero. A hyphen is narrower, and ends up behind the figures
// in Arabic where nothing isolates them.
const minus = "\u2212"

// AmountText is the amount in plain text, for titles: 5.000 د.ل or 5.000 LYD. The
// figures are the same in both languages. Only figures with a sign are in a bidi isolate; markup
// uses AmountHTML.
func AmountText(l Lang, m domain.Money) string {
	figures := m.Figures()
	if m.Minor < 0 {
		figures = Isolate(minus + figures[1:])
	}
	return figures + nbsp + CurrencyLabel(l, m.Currency)
}

// AmountHTML is the amount in markup: figures and label in one bidi isolate, so
// that the text around them cannot separate them.
func AmountHTML(l Lang, m domain.Money) template.HTML {
	return figuresHTML(m, "&nbsp;<small>"+CurrencyLabel(l, m.Currency)+"</small>")
}

// FiguresHTML is an amount in a column whose heading names the currency. On a phone there are no
// headings, so the style sheet shows the currency there.
func FiguresHTML(l Lang, m domain.Money) template.HTML {
	return figuresHTML(m, `<small class="unit">&nbsp;`+CurrencyLabel(l, m.Currency)+`</small>`)
}

func figuresHTML(m domain.Money, label string) template.HTML {
	figures := m.Figures()
	if m.Minor < 0 { // the sign is in front, in Arabic too
		figures = `<bdi dir="ltr">` + minus + figures[1:] + `</bdi>`
	}
	//nolint:gosec // made of figures and of the currency's label
	return template.HTML("<bdi>" + figures + label + "</bdi>")
}

// AtLeastHTML is a number that was not counted further, where there is room for figures only.
func AtLeastHTML(n int) template.HTML {
	//nolint:gosec // made of figures
	return template.HTML(`<bdi dir="ltr">` + strconv.Itoa(n) + `+</bdi>`)
}

// MoreThan is such a number in words: أكثر من 10,000.
func MoreThan(l Lang, figures string) string { return l.Say("أكثر من ", "More than ") + figures }

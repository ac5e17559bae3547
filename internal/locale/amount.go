package locale

import (
	"html/template"

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

// AmountText is the amount in plain text, for titles: 5.000 د.ل or 5.000 LYD. The
// figures are the same in both languages. It carries no bidi isolate; markup uses
// AmountHTML.
func AmountText(l Lang, m domain.Money) string {
	return m.Figures() + nbsp + CurrencyLabel(l, m.Currency)
}

// AmountHTML is the amount in markup: figures and label in one bidi isolate, so
// that the text around them cannot separate them.
func AmountHTML(l Lang, m domain.Money) template.HTML {
	figures := template.HTMLEscapeString(m.Figures())
	label := template.HTMLEscapeString(CurrencyLabel(l, m.Currency))
	markup := "<bdi>" + figures + "&nbsp;<small>" + label + "</small></bdi>"
	return template.HTML(markup) //nolint:gosec // both parts are escaped
}

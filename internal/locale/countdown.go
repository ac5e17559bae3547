package locale

import (
	"html/template"
	"strconv"
	"time"
)

// countForms are the forms of a noun with a number; # is replaced by the figure.
type countForms struct{ one, two, few, other string }

// secondsForms are the forms of a number of seconds, by language, after a word that
// requires the genitive or the accusative (بعد, خلال, انتظر); # is replaced by the figure.
// The names are those of CLDR's plural categories, which browsers know as well.
var secondsForms = [...]countForms{
	Arabic:  {one: "ثانية واحدة", two: "ثانيتين", few: "# ثوانٍ", other: "# ثانية"},
	English: {one: "1 second", two: "2 seconds", few: "# seconds", other: "# seconds"},
}

// wholeSeconds rounds up: the time that the page shows is always long enough.
func wholeSeconds(d time.Duration) int {
	return int((max(d, 0) + time.Second - 1) / time.Second)
}

// SecondsText is a duration in whole seconds, in words that agree in number: بعد
// 3 ثوانٍ, بعد 11 ثانية.
func SecondsText(l Lang, d time.Duration) string {
	return secondsForms[l].counted(wholeSeconds(d))
}

// counted is the number with the noun in the form that it requires.
func (forms countForms) counted(n int) string {
	figure := strconv.Itoa(n)
	switch {
	case n == 1:
		return forms.one
	case n == 2:
		return forms.two
	case n%100 >= 3 && n%100 <= 10:
		return figure + forms.few[1:]
	}
	return figure + forms.other[1:]
}

// CountdownHTML is a duration in whole seconds that the script counts down. The
// element carries the forms of the words, so that the script needs none.
func CountdownHTML(l Lang, d time.Duration) template.HTML {
	forms := secondsForms[l]
	markup := `<span data-count="` + strconv.Itoa(wholeSeconds(d)) + `" ` +
		`data-one="` + forms.one + `" data-two="` + forms.two + `" ` +
		`data-few="` + forms.few + `" data-other="` + forms.other + `">` + SecondsText(l, d) + `</span>`
	return template.HTML(markup) //nolint:gosec // made of figures and of the forms above
}

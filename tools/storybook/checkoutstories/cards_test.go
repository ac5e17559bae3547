package checkoutstories_test

import (
	"slices"
	"strings"
	"testing"

	"daftar/tools/storybook/checkoutstories"
)

// A page asks for the amount, the way of paying, a telephone number, a year of birth or a code, and
// for nothing that is printed on a card.
func TestNoFieldTakesACardNumber(t *testing.T) {
	t.Parallel()
	fields := map[string]bool{}
	asks := []string{"method", "phone", "birth_year", "otp", "amount", "form"}
	for _, s := range checkoutstories.All() {
		for _, l := range languages {
			page := parse(t, render(t, s.Page(l)))
			for _, element := range []string{"input", "select", "textarea", "button"} {
				for _, field := range page.all(element) {
					name := field.attr("name")
					fields[name] = true
					if name != "" && !slices.Contains(asks, name) {
						t.Errorf("%s has a field %q", s.Name, name)
					}
					if auto := field.attr("autocomplete"); strings.HasPrefix(auto, "cc-") {
						t.Errorf("%s: browsers fill %s in for %q", s.Name, auto, name)
					}
				}
			}
		}
	}
	if !fields["method"] || !fields["phone"] || !fields["birth_year"] || !fields["otp"] {
		t.Errorf("fields %v: the pages are not read", fields)
	}
}

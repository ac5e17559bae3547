package storybook_test

import (
	"strings"
	"testing"

	"daftar/tools/acceptance/browsertest"
)

// The answer of a comparison is first a sentence, and 230 differences take two screens of a laptop at most
// before one opens their group, which shows twenty of them.
func TestComparisonsAreShort(t *testing.T) {
	t.Parallel()
	type seen struct {
		Height, Answer float64
		Opened, Rows   int
		Form           string
	}
	const measure = `(() => {
		const seen = {
			Height: document.documentElement.scrollHeight,
			Answer: document.querySelector("main > .box").getBoundingClientRect().bottom,
			Opened: document.querySelectorAll("main details[open]").length,
			Rows: document.querySelectorAll(".group tbody tr").length,
			Form: document.querySelector("main > h1 + details").innerHTML,
		}
		return seen
	})()`
	eachDashboard(t, []string{"reconcile-many", "reconcile-large", "reconcile-differs", "reconcile-agrees"},
		laptopWidth, laptopHeight, func(b *browsertest.Tab, name string) {
			got := browsertest.Evaluate[seen](b, measure)
			if got.Height > 2*laptopHeight || got.Answer > laptopHeight/2 || got.Opened > 0 {
				t.Errorf("%s: %.0f px high, the answer ends at %.0f, %d folds are open", name, got.Height, got.Answer,
					got.Opened)
			}
			if strings.HasPrefix(name, "reconcile-many") && got.Rows != 20 {
				t.Errorf("%s: %d rows", name, got.Rows)
			}
			if !strings.Contains(got.Form, `type="file"`) {
				t.Errorf("%s: the form is not on top: %s", name, got.Form)
			}
		})
}

// What was found is said in a sentence, and numbers have their noun.
func TestComparisonsAreSentences(t *testing.T) {
	t.Parallel()
	said := map[string]string{
		"reconcile-many.ar":   "الكشف ينقصه 230 دفعة بقيمة",
		"reconcile-many.en":   "The statement is missing 230 payments worth",
		"reconcile-agrees.ar": "18 عملية",
		"reconcile-agrees.en": "18 transactions",
	}
	eachDashboard(t, []string{"reconcile-many", "reconcile-agrees"}, laptopWidth, laptopHeight,
		func(b *browsertest.Tab, name string) {
			text := browsertest.Evaluate[string](b, `document.querySelector("main").innerText`)
			if !strings.Contains(text, said[name]) {
				t.Errorf("%s does not say %q:\n%s", name, said[name], text)
			}
		})
}

package checkout_test

import (
	"reflect"
	"testing"

	"daftar/checkout"
	"daftar/payments/acquirer"
)

// A text that one language lacks would be a hole in a page.
func TestCataloguesAreComplete(t *testing.T) {
	t.Parallel()
	for language, catalogue := range checkout.Catalogues() {
		fields := 0
		walk(reflect.ValueOf(catalogue), language, func(path string, v reflect.Value) {
			fields++
			if v.IsZero() {
				t.Errorf("%s is empty", path)
			}
		})
		if fields < 50 {
			t.Errorf("%s: only %d texts found", language, fields)
		}
	}
}

// No two languages share a sentence: a copy would be a text not translated.
func TestCataloguesDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for language, catalogue := range checkout.Catalogues() {
		walk(reflect.ValueOf(catalogue), "", func(path string, v reflect.Value) {
			if v.Kind() != reflect.String {
				return
			}
			if other, ok := seen[path]; ok && other == v.String() {
				t.Errorf("%s is the same in both languages (%s)", path, language)
			}
			seen[path] = v.String()
		})
	}
}

func walk(v reflect.Value, path string, visit func(string, reflect.Value)) {
	if v.Kind() != reflect.Struct {
		visit(path, v)
		return
	}
	for n := range v.NumField() {
		walk(v.Field(n), path+"."+v.Type().Field(n).Name, visit)
	}
}

func TestReasonsAreTranslated(t *testing.T) {
	t.Parallel()
	for language := range checkout.Catalogues() {
		seen := map[string]acquirer.Reason{}
		for _, r := range acquirer.Reasons() {
			text := checkout.ReasonText(language, r)
			if other, ok := seen[text]; ok || text == "" {
				t.Errorf("%s: %s says %q, as %s does", language, r, text, other)
			}
			seen[text] = r
		}
		if got, want := checkout.ReasonText(language, "a word of an old event"), checkout.ReasonText(language, acquirer.GenericDecline); got != want {
			t.Errorf("%s: an unknown reason says %q, want %q", language, got, want)
		}
	}
}

func TestTriesLeftAgreeInNumber(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][2]string{
		1:  {"بقيت لك محاولة واحدة.", "You have one try left."},
		2:  {"بقيت لك محاولتان.", "You have 2 tries left."},
		4:  {"بقيت لك 4 محاولات.", "You have 4 tries left."},
		10: {"بقيت لك 10 محاولات.", "You have 10 tries left."},
		11: {"بقيت لك 11 محاولة.", "You have 11 tries left."},
	} {
		for i, language := range []string{"ar", "en"} {
			if got := checkout.TriesLeftText(language, n); got != want[i] {
				t.Errorf("%d: got %q, want %q", n, got, want[i])
			}
		}
	}
}

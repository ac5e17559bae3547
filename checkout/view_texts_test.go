package checkout_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"daftar/checkout"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
)

var languages = []locale.Lang{locale.Arabic, locale.English}

// An empty text would leave a gap in a page. The compiler checks that a text has both languages: they
// are one entry.
func TestTextsAreComplete(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		found := 0
		walk(reflect.ValueOf(checkout.TextsIn(l)), l.String(), func(path string, v reflect.Value) {
			found++
			if v.IsZero() {
				t.Errorf("%s is empty", path)
			}
		})
		if found < 150 {
			t.Errorf("%s: only %d texts found", l, found)
		}
	}
}

// No two languages share a sentence: a copy would be a text not translated.
func TestLanguagesDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, l := range languages {
		walk(reflect.ValueOf(checkout.TextsIn(l)), "", func(path string, v reflect.Value) {
			if v.Kind() != reflect.String {
				return
			}
			if other, ok := seen[path]; ok && other == v.String() {
				t.Errorf("%s is the same in both languages", path)
			}
			seen[path] = v.String()
		})
	}
}

// walk visits every text in a value.
func walk(v reflect.Value, path string, visit func(string, reflect.Value)) {
	switch v.Kind() { //nolint:exhaustive // the others are texts
	case reflect.Struct:
		for n := range v.NumField() {
			walk(v.Field(n), path+"."+v.Type().Field(n).Name, visit)
		}
	case reflect.Slice:
		for n := range v.Len() {
			walk(v.Index(n), fmt.Sprintf("%s[%d]", path, n), visit)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			walk(v.MapIndex(key), fmt.Sprintf("%s[%v]", path, key), visit)
		}
	default:
		visit(path, v)
	}
}

func TestReasonsAreTranslated(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		seen := map[string]acquirer.Reason{}
		for _, r := range acquirer.Reasons() {
			text := checkout.ReasonText(l, r)
			if other, ok := seen[text]; ok || strings.TrimSpace(text) == "" {
				t.Errorf("%s: %s says %q, as %s does", l, r, text, other)
			}
			seen[text] = r
		}
		want := checkout.ReasonText(l, acquirer.GenericDecline)
		if got := checkout.ReasonText(l, "a word of an old event"); got != want {
			t.Errorf("%s: an unknown reason says %q, want %q", l, got, want)
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
		for i, l := range languages {
			if got := checkout.TriesLeftText(l, n); got != want[i] {
				t.Errorf("%d: got %q, want %q", n, got, want[i])
			}
		}
	}
}

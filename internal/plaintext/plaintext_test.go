package plaintext_test

import (
	"strings"
	"testing"

	"daftar/internal/plaintext"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		in                string
		storable, oneLine bool
		made              string
	}{
		{"", true, true, ""},
		{"مقهى الميدان 3", true, true, "مقهى الميدان 3"},
		{"a\nb", true, false, "a\nb"},
		{"a\x7f", true, false, "a\x7f"},
		{"a\u009b31m", true, false, "a\u009b31m"}, // an escape to a terminal
		{"a\x00b", false, false, "a?b"},
		{"a\xffb", false, false, "a?b"},
		{"\xed\xa0\x80", false, false, "?"}, // half a surrogate pair
	} {
		if got := plaintext.Storable(row.in); got != row.storable {
			t.Errorf("%q is storable: %t", row.in, got)
		}
		if got := plaintext.OneLine(row.in); got != row.oneLine {
			t.Errorf("%q is one line: %t", row.in, got)
		}
		if got := plaintext.MakeStorable(row.in, "?"); got != row.made || !plaintext.Storable(got) {
			t.Errorf("%q made storable is %q, want %q", row.in, got, row.made)
		}
	}
}

func TestLatinDigit(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"٠١٢٣٤٥٦٧٨٩": "0123456789",
		"۰۱۲۳۴۵۶۷۸۹": "0123456789",
		"5 دل-x٫":    "5 دل-x٫",
	} {
		if got := strings.Map(plaintext.LatinDigit, in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestFromFile(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"":                    "",
		"a\nb":                "a\nb",
		"a\r\nb\r":            "a\nb\n",
		"\ufeffدينار":         "دينار",
		"\xff\xfea\x00\n\x00": "a\n",
		"\xfe\xff\x06\x2f":    "د",
		"a\xffb":              "a\xffb",
	} {
		if got := plaintext.FromFile([]byte(file)); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
}

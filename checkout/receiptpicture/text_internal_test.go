package receiptpicture

import (
	"testing"

	"github.com/go-text/typesetting/di"
)

// No text of a merchant makes the drawing fail, or takes more lines and width than it has.
func FuzzText(f *testing.F) {
	for _, text := range []string{
		"مقهى Maydan 2", "\u202e\u2067فرع 12.5/3 x\u0301\u200d", "\xff\xfe(]\u0640\u0651\u0651",
		"a(ب[1-2:3%]ج) \u2028\u00a0—", "ﷲﷺ٣٫٥ ۴", "𝓢🌹\u0000",
	} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, rtl bool) {
		const width = 400
		as := valueStyle
		c := newCanvas(as.lineHeight(), newPalette(goodColour))
		lines := newTypesetter().set(text, rtl, as, width)
		if len(lines) > as.lines || len(lines) == 0 && text != "" {
			t.Errorf("%q has %d lines", text, len(lines))
		}
		for _, l := range lines {
			if l.width > width {
				t.Errorf("%q has a line of %d pixels", text, l.width)
			}
			c.write(l, Width-margin-l.width, 0, as)
		}
	})
}

// In a text that goes from left to right a number belongs to the Arabic before it.
func TestOrderOfRuns(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ text, seen string }{
		{"Maydan فرع 2 Shop", "Maydan |2| عرف| Shop"},
		{"Maydan فرع 12.5/3, Shop", "Maydan |12.5/3| عرف|, Shop"},
		{"Maydan 2 فرع", "Maydan 2 |عرف"},
		{"Maydan فرع 2 ثم 3", "Maydan |3| مث |2| عرف"},
		{"فرع Shop 2 ثم", "مث |Shop 2| عرف"},
		{"طلب رقم 1042: آلة", "ةلآ| :|1042| مقر بلط"},
	} {
		in := clean(row.text)
		seen := ""
		for _, l := range newTypesetter().set(row.text, false, style{size: 20, lines: 1}, 2000) {
			for n, run := range l.runs {
				if n > 0 {
					seen += "|"
				}
				seen += visual(in[run.Runes.Offset:][:run.Runes.Count], run.Direction == di.DirectionRTL)
			}
		}
		if seen != row.seen {
			t.Errorf("%q is seen as %q, want %q", row.text, seen, row.seen)
		}
	}
}

// visual are the letters of a run from left to right.
func visual(letters []rune, reversed bool) string {
	out := ""
	for _, r := range letters {
		if reversed {
			out = string(r) + out
		} else {
			out += string(r)
		}
	}
	return out
}

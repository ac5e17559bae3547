package layout_test

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daftar/internal/layout"
)

func TestParseColour(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"#0b5d57": "#0b5d57", "0B5D57": "#0b5d57", "\t#0bd\n": "#00bbdd", "#٠٠٠": "#000000",
		"": "", "#": "", "#12": "", "#1234": "", "#12345": "", "#1234567": "",
		"red": "", "#ggg": "", "+12345": "", "#+12345": "", "rgb(0,0,0)": "",
	} {
		got, is := layout.ParseColour(text)
		if is != (want != "") || is && got.String() != want {
			t.Errorf("%q: got %s, %t; want %q", text, got, is, want)
		}
	}
}

func parsed(t *testing.T, text string) layout.Colour {
	t.Helper()
	c, is := layout.ParseColour(text)
	if !is {
		t.Fatalf("%s is no colour", text)
	}
	return c
}

// The expected values are those of WebAIM's contrast checker.
func TestContrastIsThatOfWebAIM(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		a, b string
		want float64
	}{
		{"#000", "#fff", 21}, {"#fff", "#777777", 4.48}, {"#767676", "#fff", 4.54},
		{"#0b5d57", "#0b5d57", 1}, {"#ff0000", "#ffffff", 4.0},
	} {
		if got := layout.Contrast(parsed(t, row.a), parsed(t, row.b)); math.Abs(got-row.want) > 0.006 {
			t.Errorf("%s on %s: %.3f, want %.2f", row.a, row.b, got, row.want)
		}
	}
}

// Whatever colour a merchant has, its shades can be seen and read in both schemes.
func TestShadesCanBeRead(t *testing.T) {
	t.Parallel()
	softs := map[string]layout.Colour{
		"light": {R: 0x55, G: 0x63, B: 0x6d}, "dark": {R: 0xa3, G: 0xb3, B: 0xba},
	}
	check := func(t interface{ Errorf(string, ...any) }, of layout.Colour) {
		for name, s := range map[string]layout.Scheme{
			"light": layout.LightScheme, "dark": layout.DarkScheme,
		} {
			r := s.Shades(of)
			for what, pair := range map[string]struct {
				a, b layout.Colour
				want float64
			}{
				"the button on the page": {r.Accent, s.Paper, layout.ControlContrast},
				"the mark on the slip":   {r.Accent, s.Card, layout.ControlContrast},
				"its text":               {r.Ink, r.Accent, layout.TextContrast},
				"its text when pressed":  {r.Ink, r.Press, layout.TextContrast},
				"soft text on the tint":  {softs[name], r.Tint, layout.TextContrast},
				"a link on the page":     {r.Link, s.Paper, layout.TextContrast},
				"a link on the slip":     {r.Link, s.Card, layout.TextContrast},
				"a link on the tint":     {r.Link, r.Tint, layout.TextContrast},
			} {
				if got := layout.Contrast(pair.a, pair.b); got < pair.want {
					t.Errorf("%s, %s: %s has %.2f, want %.1f", of, name, what, got, pair.want)
				}
			}
		}
	}
	for _, c := range []string{"#000", "#fff", "#ffff00", "#ff7a00", "#0000ff", "#1a1a2e", "#808080"} {
		check(t, parsed(t, c))
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, layout.Colour{
			R: rapid.Byte().Draw(t, "r"), G: rapid.Byte().Draw(t, "g"), B: rapid.Byte().Draw(t, "b"),
		})
	})
}

// A colour that can be seen is used as it is.
func TestGoodColoursAreKept(t *testing.T) {
	t.Parallel()
	own := parsed(t, "#0b5d57")
	light := layout.LightScheme.Shades(own)
	if light.Accent != own || light.Link != own || light.Ink.String() != "#ffffff" {
		t.Errorf("our own colour becomes %+v", light)
	}
	dark := layout.DarkScheme.Shades(parsed(t, "#4bb8ab"))
	if dark.Accent.String() != "#4bb8ab" || dark.Ink.String() != "#000000" {
		t.Errorf("our own colour of the dark scheme becomes %+v", dark)
	}
	if got := layout.LightScheme.Shades(parsed(t, "#ffd500")).Accent; got.String() == "#ffd500" {
		t.Error("yellow is used on white")
	}
}

// The backgrounds that shades are measured against are those of the style sheet.
func TestSchemesAreThoseOfTheStyleSheet(t *testing.T) {
	t.Parallel()
	var papers, cards []string
	ground := regexp.MustCompile(`--(paper|card): (#[0-9a-f]{6});`)
	for _, m := range ground.FindAllStringSubmatch(layout.Stylesheet(), -1) {
		if m[1] == "paper" {
			papers = append(papers, m[2])
		} else {
			cards = append(cards, m[2])
		}
	}
	for n, s := range []layout.Scheme{layout.LightScheme, layout.DarkScheme} {
		if len(papers) != 2 || len(cards) != 2 || papers[n] != s.Paper.String() || cards[n] != s.Card.String() {
			t.Fatalf("the style sheet has %q and %q, scheme %d is %v", papers, cards, n, s)
		}
	}
}

// A theme changes the colours of both schemes in the style sheet, and neither those for print nor
// anything else.
func TestSheetWithALook(t *testing.T) {
	t.Parallel()
	var logo bytes.Buffer
	if err := png.Encode(&logo, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	plain := layout.Theme{}.Sheet().Text()
	if strings.Replace(layout.Stylesheet(), "/* the merchant's logo */", "", 1) != plain {
		t.Error("a sheet without a theme differs from ours")
	}
	if got := (layout.Theme{Accent: "red; } body { display: none"}).Sheet().Text(); got != plain {
		t.Error("an invalid colour is in the sheet")
	}
	sheet := layout.Theme{Accent: "#1a1a2e", Logo: logo.Bytes(), LogoWidth: 96}.Sheet().Text()
	light, dark, _ := strings.Cut(sheet, "@media (prefers-color-scheme: dark)")
	accent := parsed(t, "#1a1a2e")
	for in, r := range map[string]layout.Shades{
		light: layout.LightScheme.Shades(accent), dark: layout.DarkScheme.Shades(accent),
	} {
		for name, c := range map[string]layout.Colour{
			"accent": r.Accent, "accent-ink": r.Ink, "press": r.Press, "link": r.Link, "tint": r.Tint,
		} {
			want := "--" + name + ": " + c.String() + ";"
			if !strings.Contains(in, want) || strings.Count(in, "--"+name+": #"+want[len(name)+5:]) != 1 {
				t.Errorf("%q is not there once", want)
			}
		}
	}
	for _, want := range []string{
		".logo { inline-size: 96px; aspect-ratio: 96 / 40; background-image: url(\"data:image/png;base64,iVBOR",
		"--accent: #000; --link: #000;",
	} {
		if !strings.Contains(sheet, want) {
			t.Errorf("%q is not there", want)
		}
	}
	if strings.Contains(sheet, "--accent: #0b5d57") || strings.Contains(sheet, "--accent: #4bb8ab") {
		t.Error("our own colour is left")
	}
	versions := map[string]bool{}
	for _, v := range []string{
		layout.ThemeVersion("", ""), layout.ThemeVersion("#1a1a2e", ""),
		layout.ThemeVersion("", "a"), layout.ThemeVersion("#1a1a2e", "a"),
	} {
		versions[v] = true
	}
	if len(versions) != 4 {
		t.Errorf("versions %v", versions)
	}
}

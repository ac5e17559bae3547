package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"daftar/internal/locale"
)

// Colour is an opaque colour in sRGB.
type Colour struct{ R, G, B uint8 }

// ParseColour reads a colour as style sheets write it, #0b5d57 or #0bd; the # may be missing.
// It returns false for anything else.
func ParseColour(text string) (Colour, bool) {
	digits := strings.TrimPrefix(locale.FoldDigits(text), "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 6 {
		return Colour{}, false
	}
	return Colour{uint8(n >> 16), uint8(n >> 8 & 0xff), uint8(n & 0xff)}, true
}

// String is the colour as style sheets write it.
func (c Colour) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// luminance is the relative luminance of WCAG 2.2, from 0 for black to 1 for white.
func (c Colour) luminance() float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// Contrast is the contrast ratio of WCAG 2.2, from 1 to 21.
func Contrast(a, b Colour) float64 {
	light, dark := a.luminance(), b.luminance()
	return (max(light, dark) + 0.05) / (min(light, dark) + 0.05)
}

// mixed is the colour with a share of another, from 0 to 1.
func (c Colour) mixed(with Colour, share float64) Colour {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return Colour{mix(c.R, with.R), mix(c.G, with.G), mix(c.B, with.B)}
}

// The contrasts that WCAG 2.2 asks for at level AA.
const (
	TextContrast    = 4.5 // 1.4.3: text on its ground
	ControlContrast = 3.0 // 1.4.11: a control on the page
)

// Scheme is the background of pages in one colour scheme, as in the style sheet.
type Scheme struct{ Paper, Card Colour }

// The schemes of every page. A test compares them with the style sheet.
var (
	LightScheme = Scheme{Colour{0xf6, 0xf4, 0xee}, Colour{0xff, 0xfe, 0xfb}}
	DarkScheme  = Scheme{Colour{0x10, 0x17, 0x1b}, Colour{0x18, 0x22, 0x28}}
)

var black, white = Colour{}, Colour{255, 255, 255}

// Shades are what a merchant's colour becomes in a scheme: the colour itself where it can be
// seen and read there, otherwise the next shade of it that can.
type Shades struct {
	Accent Colour // of buttons and marks
	Ink    Colour // of the text on it: white or black
	Press  Colour // of a button under the pointer
	Link   Colour // of text
	Tint   Colour // the background of a selected choice
}

const (
	tintShare  = 0.1
	pressShare = 0.18
)

// Shades are those of a colour in the scheme.
func (s Scheme) Shades(of Colour) Shades {
	towards := black
	if s.Paper.luminance() < 0.5 {
		towards = white
	}
	var r Shades
	r.Accent = of.readable(towards, ControlContrast, s.Paper, s.Card)
	away := black
	if r.Ink = white; Contrast(r.Ink, r.Accent) < TextContrast {
		r.Ink, away = black, white // one of the two can be read on any colour
	}
	r.Press = r.Accent.mixed(away, pressShare)
	r.Tint = s.Card.mixed(r.Accent, tintShare)
	r.Link = r.Accent.readable(towards, TextContrast, s.Paper, s.Card, r.Tint)
	return r
}

// readable is the colour, or its first mixture with towards that has the contrast to all
// grounds. The colour towards itself must have that contrast.
func (c Colour) readable(towards Colour, contrast float64, grounds ...Colour) Colour {
	shade := c
	for percent := range 101 {
		shade = c.mixed(towards, float64(percent)/100)
		enough := true
		for _, g := range grounds {
			enough = enough && Contrast(shade, g) >= contrast
		}
		if enough {
			break
		}
	}
	return shade
}

// named returns the shade for a custom property of the style sheet.
func (r Shades) named(property string) Colour {
	return map[string]Colour{
		"accent":     r.Accent,
		"accent-ink": r.Ink,
		"press":      r.Press,
		"link":       r.Link,
		"tint":       r.Tint,
	}[property]
}

package receiptpicture

import (
	"bytes"
	"embed"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// fontFiles have Latin and Arabic in two weights; see font/README.md.
//
//go:embed font/*.ttf
var fontFiles embed.FS

var (
	regularFonts = [...]*font.Font{mustParse("latin-regular"), mustParse("arabic-regular")}
	boldFonts    = [...]*font.Font{mustParse("latin-bold"), mustParse("arabic-bold")}
)

func mustParse(name string) *font.Font {
	file, err := fontFiles.ReadFile("font/" + name + ".ttf")
	if err != nil {
		panic("receiptpicture: " + err.Error())
	}
	face, err := font.ParseTTF(bytes.NewReader(file))
	if err != nil {
		panic("receiptpicture: parse font " + name + ": " + err.Error())
	}
	return face.Font
}

// faces are the fonts of a weight. A face caches what was read, and belongs to one drawing.
type faces [len(regularFonts)]*font.Face

func newFaces(fonts [len(regularFonts)]*font.Font) (f faces) {
	for n := range fonts {
		f[n] = font.NewFace(fonts[n])
	}
	return f
}

// ResolveFace is the first font that has the letter. clean leaves no other letters.
func (f faces) ResolveFace(r rune) *font.Face {
	for _, face := range f {
		if _, has := face.NominalGlyph(r); has {
			return face
		}
	}
	return f[0]
}

// has reports whether the fonts have a letter, in all weights.
func has(r rune) bool {
	return slices.ContainsFunc(regularFonts[:], func(f *font.Font) bool {
		_, is := f.NominalGlyph(r)
		return is
	})
}

// Limits of a text. Names of shops have up to 255 characters, descriptions more; no line of text
// shows that many.
const (
	maxRunes = 300
	maxMarks = 3 // vowel signs on one letter; more would be drawn over the lines above
)

// missing stands for a letter that the fonts lack.
const missing = '\ufffd'

// clean is a text as it can be drawn: without controls, with the letters of the fonts alone.
func clean(text string) []rune {
	var out []rune
	marks := 0
	add := func(r rune) {
		if unicode.Is(unicode.Mn, r) {
			marks++
		} else {
			marks = 0
		}
		if marks <= maxMarks {
			out = append(out, r)
		}
	}
	for _, r := range norm.NFC.String(firstRunes(text)) {
		switch {
		case unicode.IsSpace(r) && r != '\u00a0':
			if len(out) > 0 && out[len(out)-1] != ' ' {
				add(' ')
			}
		case has(r):
			add(r)
		case unicode.In(r, unicode.C, unicode.M, unicode.S, unicode.Z):
			// Controls, joiners, emoji and other ornaments are left out.
		default:
			for _, r := range plain(r) {
				add(r)
			}
		}
	}
	if len(out) == 0 && text != "" {
		return []rune{missing}
	}
	return out
}

// firstRunes is the beginning of a text, in time that does not depend on its length.
func firstRunes(text string) string {
	n := 0
	for at := range text {
		if n == maxRunes {
			return text[:at]
		}
		n++
	}
	return text
}

// plain are the letters of the fonts that a letter is a form of: a joined Arabic form, a letter
// from mathematics.
func plain(r rune) string {
	form := norm.NFKC.String(string(r))
	if strings.ContainsFunc(form, func(r rune) bool { return !has(r) }) {
		return string(missing)
	}
	return form
}

// style is how a text is drawn.
type style struct {
	size  int // pixels of the em
	bold  bool
	ink   ink
	lines int // at most; the last one ends in an ellipsis
}

// leading is the height of a line, in sizes of its text: Arabic has marks above and below.
const leading = 1.6

func (s style) lineHeight() int { return int(float64(s.size) * leading) }

// typesetter makes lines of texts. It belongs to one drawing.
type typesetter struct {
	regular, bold faces
	shaper        shaping.HarfbuzzShaper
	segments      shaping.Segmenter
}

func newTypesetter() *typesetter {
	return &typesetter{regular: newFaces(regularFonts), bold: newFaces(boldFonts)}
}

// set makes lines of a text that are at most as wide as given. rtl is the direction of a text
// without letters; another text goes in the direction of its first letter.
func (t *typesetter) set(text string, rtl bool, s style, width int) []line {
	runes := clean(text)
	if len(runes) == 0 {
		return nil
	}
	in := shaping.Input{
		Text: runes, RunEnd: len(runes), Size: fixed.I(s.size), Direction: direction(runes, rtl),
	}
	config := shaping.WrapConfig{
		Direction: in.Direction, TruncateAfterLines: s.lines,
	}
	ellipsis := shaping.Input{Text: []rune{'…'}, RunEnd: 1, Size: in.Size, Direction: in.Direction}
	for _, run := range t.split(ellipsis, s.bold) {
		config = config.WithTruncator(&t.shaper, run)
	}
	var wrapper shaping.LineWrapper
	shaped, levels := t.shape(in, s.bold)
	wrapped, cut := wrapper.WrapParagraph(config, width, runes, shaping.NewSliceIterator(shaped))
	lines := make([]line, 0, len(wrapped))
	for n, outputs := range wrapped {
		if end := &outputs[len(outputs)-1]; cut > 0 && n == len(wrapped)-1 {
			end.Runes.Offset = len(runes) // the ellipsis
		}
		lines = append(lines, newLine(outputs, append(levels, level(in, in, nil))))
	}
	return lines
}

// shape makes glyphs of a text, in runs of one direction, script and font. levels are those of its
// letters.
func (t *typesetter) shape(in shaping.Input, bold bool) (shaped []shaping.Output, levels []int) {
	runs := t.split(in, bold)
	for n, run := range runs {
		shaped = append(shaped, t.shaper.Shape(run))
		l := level(in, run, runs[:n])
		levels = append(levels, slices.Repeat([]int{l}, run.RunEnd-run.RunStart)...)
	}
	return shaped, levels
}

func direction(text []rune, rtl bool) di.Direction {
	for _, r := range text {
		if unicode.IsLetter(r) {
			rtl = unicode.Is(unicode.Arabic, r)
			break
		}
	}
	if rtl {
		return di.DirectionRTL
	}
	return di.DirectionLTR
}

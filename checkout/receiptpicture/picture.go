package receiptpicture

import (
	"fmt"
	"image"
	"image/color"

	"github.com/boombuler/barcode/qr"
)

// Width is that of every picture in pixels, twice that of a phone's page.
const Width = 720

// Receipt is what a picture shows, in the words of its language. Only the address must not be empty.
type Receipt struct {
	RTL      bool   // the language is written from right to left
	Test     string // says that no real money moved; empty where it did
	Shop     string // any text, as is the value of a row
	Title    string
	Warning  bool // the title is one
	Amount   string
	Words    string // the amount in words
	Rows     []Row
	CheckURL string // in the QR code
	Check    string // what the code is for
	Host     string // of the address, for people to read
}

// Row is a particular of the payment.
type Row struct{ Label, Value string }

// margin is the least space between the edge and what is written, in pixels.
const margin = 56

// The styles of the texts.
var (
	testStyle   = style{size: 26, bold: true, ink: dark, lines: 2}
	shopStyle   = style{size: 38, bold: true, ink: dark, lines: 3}
	titleStyle  = style{size: 36, bold: true, ink: accent, lines: 2}
	amountSizes = []int{84, 68, 54, 42} // the largest that fits
	wordsStyle  = style{size: 26, ink: soft, lines: 3}
	labelStyle  = style{size: 26, ink: soft, lines: 1}
	valueStyle  = style{size: 26, bold: true, ink: dark, lines: 3}
	checkStyle  = style{size: 25, ink: dark, lines: 2}
	hostStyle   = style{size: 25, bold: true, ink: accent, lines: 2}
)

// labelWidth is the width of a row's label.
const labelWidth = 150

// Draw draws a receipt as a PNG. The error says that the address is too long for a QR code.
func Draw(r Receipt) ([]byte, error) {
	s := &sheet{typesetter: newTypesetter(), rtl: r.RTL, height: margin / 2}
	if r.Test != "" {
		s.centred(r.Test, testStyle)
		s.rule()
	}
	s.centred(r.Shop, shopStyle)
	s.space(16)
	s.mark(r.Warning)
	s.centred(r.Title, titleStyle)
	s.amount(r.Amount)
	s.centred(r.Words, wordsStyle)
	s.rule()
	for _, row := range r.Rows {
		s.row(row)
	}
	s.rule()
	if err := s.code(r.CheckURL); err != nil {
		return nil, err
	}
	s.centred(r.Check, checkStyle)
	s.centred(r.Host, hostStyle)
	s.space(margin / 2)

	accentColour := goodColour
	if r.Warning {
		accentColour = warnColour
	}
	c := newCanvas(s.height, newPalette(accentColour))
	for _, draw := range s.drawn {
		draw(c)
	}
	return c.encode()
}

// sheet is a picture while its height is not known: what is to be drawn, from top to bottom.
type sheet struct {
	*typesetter

	rtl    bool
	height int
	drawn  []func(*canvas)
}

func (s *sheet) space(height int) { s.height += height }

// draw adds something of a height; f gets the upper edge.
func (s *sheet) draw(height int, f func(c *canvas, top int)) {
	top := s.height
	s.drawn = append(s.drawn, func(c *canvas) { f(c, top) })
	s.height += height
}

// centred writes a text in the middle.
func (s *sheet) centred(text string, as style) {
	for _, l := range s.set(text, s.rtl, as, Width-2*margin) {
		s.draw(as.lineHeight(), func(c *canvas, top int) { c.write(l, (Width-l.width)/2, top, as) })
	}
}

// amount writes the amount as large as it fits on a line.
func (s *sheet) amount(text string) {
	as := style{bold: true, ink: dark, lines: 1}
	for _, as.size = range amountSizes {
		lines := s.set(text, s.rtl, style{size: as.size, bold: true, lines: 2}, Width-2*margin)
		if len(lines) < 2 {
			break
		}
	}
	s.centred(text, as)
}

// row writes a particular: the label at the start of the line, the value at its end.
func (s *sheet) row(r Row) {
	values := s.set(r.Value, s.rtl, valueStyle, Width-2*margin-labelWidth)
	labels := s.set(r.Label, s.rtl, labelStyle, labelWidth)
	for n := range max(len(values), len(labels)) {
		s.draw(valueStyle.lineHeight(), func(c *canvas, top int) {
			if n < len(labels) {
				c.write(labels[n], s.edge(labels[n], !s.rtl), top, labelStyle)
			}
			if n < len(values) {
				c.write(values[n], s.edge(values[n], s.rtl), top, valueStyle)
			}
		})
	}
	s.space(8)
}

// edge is where a line begins that ends at the left or the right margin.
func (*sheet) edge(l line, left bool) int {
	if left {
		return margin
	}
	return Width - margin - l.width
}

func (s *sheet) rule() {
	s.space(20)
	s.draw(22, func(c *canvas, top int) { c.rule(top) })
}

// mark draws a disc with a tick, or with an exclamation mark for a warning.
func (s *sheet) mark(warning bool) {
	const side, half = 96, 48
	s.draw(side+12, func(c *canvas, top int) {
		at := image.Pt(Width/2-half, top)
		c.begin(side, side)
		c.disc(half, half, half)
		c.fill(at, accent, false)
		c.begin(side, side)
		if warning {
			c.polygon(image.Pt(43, 22), image.Pt(53, 22), image.Pt(53, 56), image.Pt(43, 56))
			c.disc(half, 69, 6)
		} else {
			c.polygon(image.Pt(24, 50), image.Pt(30, 44), image.Pt(42, 56), image.Pt(67, 31), image.Pt(73, 37),
				image.Pt(42, 68))
		}
		c.fill(at, accent, true)
	})
}

// code draws the QR code of an address, with the margin that a scanner needs around it: the ground
// is light.
func (s *sheet) code(address string) error {
	const quiet, about = 4, 390 // modules, pixels
	code, err := qr.Encode(address, qr.M, qr.Auto)
	if err != nil {
		return fmt.Errorf("draw QR code of receipt: %w", err)
	}
	modules := code.Bounds().Dx()
	scale := max(3, about/(modules+2*quiet)) // the longest address has 177 modules
	left := (Width - modules*scale) / 2
	s.draw(modules*scale+quiet*scale, func(c *canvas, top int) {
		for y := range modules {
			for x := range modules {
				if code.At(x, y) == color.Black {
					c.square(image.Pt(left+x*scale, top+y*scale), scale)
				}
			}
		}
	})
	return nil
}

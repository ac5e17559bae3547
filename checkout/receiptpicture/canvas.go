package receiptpicture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// ink is a colour of the picture. Each has some shades in the palette, up to the full colour, so
// that edges are smooth.
type ink uint8

const (
	dark ink = iota
	soft
	accent // of the title: green, or amber for a warning
	inks
)

// shades are those of an ink. The palette has more than sixteen colours, so that a pixel takes a
// byte in the file: package image/png packs two into one slowly, a pixel at a time.
const shades = 8

// The colours of the light scheme in daftar.css: --card, --ink, --soft, --good and --warn.
var (
	ground     = color.RGBA{0xff, 0xfe, 0xfb, 0xff}
	darkColour = color.RGBA{0x17, 0x23, 0x2b, 0xff}
	softColour = color.RGBA{0x55, 0x63, 0x6d, 0xff}
	goodColour = color.RGBA{0x17, 0x69, 0x3c, 0xff}
	warnColour = color.RGBA{0x7d, 0x51, 0x00, 0xff}
)

// shade is the palette's index of an ink's shade: 0 is the ground, shades the full colour.
func (i ink) shade(n int) uint8 {
	if n == 0 {
		return 0
	}
	return uint8(int(i)*shades + n)
}

func newPalette(accentColour color.RGBA) color.Palette {
	p := color.Palette{ground}
	for _, c := range [inks]color.RGBA{dark: darkColour, soft: softColour, accent: accentColour} {
		between := func(from, to uint8, n int) uint8 {
			return uint8((int(from)*(shades-n) + int(to)*n) / shades)
		}
		for n := 1; n <= shades; n++ {
			p = append(p, color.RGBA{
				between(ground.R, c.R, n), between(ground.G, c.G, n), between(ground.B, c.B, n), 0xff,
			})
		}
	}
	return p
}

// canvas is the picture while it is drawn.
type canvas struct {
	*image.Paletted

	shape *vector.Rasterizer
	mask  *image.Alpha // of the shape
}

func newCanvas(height int, palette color.Palette) *canvas {
	return &canvas{
		Paletted: image.NewPaletted(image.Rect(0, 0, Width, height), palette),
		shape:    vector.NewRasterizer(0, 0), mask: image.NewAlpha(image.Rect(0, 0, Width, maxShape)),
	}
}

// maxShape is the greatest height of a shape: a line of the largest text.
const maxShape = 160

// begin begins a shape of a size.
func (c *canvas) begin(width, height int) {
	c.shape.Reset(min(width, Width), min(height, maxShape))
	c.shape.DrawOp = draw.Src
}

// fill draws the shape with its corner at a point, in the ink; or in the ground, where the ink is
// already.
func (c *canvas) fill(at image.Point, with ink, erase bool) {
	size := c.shape.Bounds()
	c.shape.Draw(c.mask, size, image.Opaque, image.Point{})
	to := size.Add(at).Intersect(c.Rect)
	for y := to.Min.Y; y < to.Max.Y; y++ {
		row := c.Pix[y*c.Stride:]
		mask := c.mask.Pix[(y-at.Y)*c.mask.Stride:]
		for x := to.Min.X; x < to.Max.X; x++ {
			n := (int(mask[x-at.X])*shades + 127) / 255
			switch {
			case n == 0:
			case erase:
				row[x] = with.shade(shades - n)
			default:
				row[x] = max(row[x], with.shade(n))
			}
		}
	}
}

// Space around a line for what reaches out of it, in sizes of the text, and where its letters
// stand in its height.
const (
	overhang = .25
	baseline = .68
)

// write draws a line of text with its left edge at x and its upper edge at top.
func (c *canvas) write(l line, x, top int, s style) {
	height, out := s.lineHeight(), int(float64(s.size)*overhang)
	c.begin(l.width+2*out, height)
	pen, base := float32(out), float32(height)*baseline
	for _, run := range l.runs {
		scale := float32(run.Size.Round()) / float32(run.Face.Upem())
		for _, g := range run.Glyphs {
			outline, is := run.Face.GlyphData(g.GlyphID).(font.GlyphOutline)
			if is {
				c.outline(outline, pen+pixels(g.XOffset), base-pixels(g.YOffset), scale)
			}
			pen += pixels(g.Advance)
		}
	}
	c.fill(image.Pt(x-out, top), s.ink, false)
}

// outline adds the outline of a glyph to the shape.
func (c *canvas) outline(g font.GlyphOutline, x, y, scale float32) {
	at := func(p opentype.SegmentPoint) (ax, ay float32) { return x + p.X*scale, y - p.Y*scale }
	for _, s := range g.Segments {
		ax, ay := at(s.Args[0])
		bx, by := at(s.Args[1])
		cx, cy := at(s.Args[2])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			c.shape.ClosePath()
			c.shape.MoveTo(ax, ay)
		case opentype.SegmentOpLineTo:
			c.shape.LineTo(ax, ay)
		case opentype.SegmentOpQuadTo:
			c.shape.QuadTo(ax, ay, bx, by)
		case opentype.SegmentOpCubeTo:
			c.shape.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	c.shape.ClosePath()
}

// disc adds a disc to the shape.
func (c *canvas) disc(x, y, r float32) {
	k := r * .5523 // of the curve that is nearest to a quarter of a circle
	c.shape.MoveTo(x+r, y)
	c.shape.CubeTo(x+r, y+k, x+k, y+r, x, y+r)
	c.shape.CubeTo(x-k, y+r, x-r, y+k, x-r, y)
	c.shape.CubeTo(x-r, y-k, x-k, y-r, x, y-r)
	c.shape.CubeTo(x+k, y-r, x+r, y-k, x+r, y)
	c.shape.ClosePath()
}

// polygon adds a polygon to the shape.
func (c *canvas) polygon(from image.Point, others ...image.Point) {
	c.shape.MoveTo(float32(from.X), float32(from.Y))
	for _, to := range others {
		c.shape.LineTo(float32(to.X), float32(to.Y))
	}
	c.shape.ClosePath()
}

// rule draws a dashed line.
func (c *canvas) rule(top int) {
	const dash, thick = 10, 2
	for y := top; y < top+thick; y++ {
		for x := margin; x < Width-margin; x++ {
			if (x-margin)/dash%2 == 0 {
				c.SetColorIndex(x, y, soft.shade(3))
			}
		}
	}
}

// square draws a dark square.
func (c *canvas) square(at image.Point, side int) {
	for y := at.Y; y < at.Y+side; y++ {
		row := c.Pix[y*c.Stride+at.X:][:side]
		for x := range row {
			row[x] = dark.shade(shades)
		}
	}
}

// encode writes the picture as a PNG.
func (c *canvas) encode() ([]byte, error) {
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, c.Paletted); err != nil {
		return nil, fmt.Errorf("encode picture of receipt: %w", err)
	}
	return out.Bytes(), nil
}

func pixels(v fixed.Int26_6) float32 { return float32(v) / 64 }

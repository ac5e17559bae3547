package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
)

const (
	width  = 760
	left   = 72 // of the frame
	right  = 24
	top    = 94
	bottom = 58
	height = 400 // of a chart of lines
)

// The colours are told apart by people who do not see all colours, on both
// grounds; each line also has its own dash.
const style = `<style>
text{font:13px system-ui,sans-serif;fill:#3d444d}
.title{font-size:16px;font-weight:600;fill:#1f2328}
.small{font-size:12px}
.grid{stroke:#d1d9e0;stroke-width:1}
.axis{stroke:#818b98;stroke-width:1}
.line{fill:none;stroke-width:2.5;stroke-linejoin:round}
.s0{stroke:#0b63c4}.f0{fill:#0b63c4}
.s1{stroke:#c75300;stroke-dasharray:7 4}.f1{fill:#c75300}
.s2{stroke:#1a7f5a;stroke-dasharray:2 4}.f2{fill:#1a7f5a}
.s3{stroke:#8250b5;stroke-dasharray:9 3 2 3}.f3{fill:#8250b5}
@media (prefers-color-scheme:dark){
text{fill:#c2cad3}.title{fill:#f0f6fc}.grid{stroke:#30363d}.axis{stroke:#6e7781}
.s0{stroke:#6cb0ff}.f0{fill:#6cb0ff}.s1{stroke:#f5a35c}.f1{fill:#f5a35c}
.s2{stroke:#5fd0a2}.f2{fill:#5fd0a2}.s3{stroke:#c9a2f5}.f3{fill:#c9a2f5}}
</style>
`

// colours is how many are told apart; further lines begin anew.
const colours = 4

// canvas is an SVG that is being written.
type canvas struct{ bytes.Buffer }

func newCanvas(title, description string, high float64) *canvas {
	c := &canvas{}
	fmt.Fprintf(c, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %s" width="%d" height="%s" role="img" aria-labelledby="t d">`+"\n",
		width, number(high), width, number(high))
	fmt.Fprintf(c, "<title id=\"t\">%s</title>\n<desc id=\"d\">%s</desc>\n%s", escaped(title), escaped(description), style)
	c.text(left/4.5, 24, "title", "start", title)
	return c
}

func (c *canvas) end() []byte {
	c.WriteString("</svg>\n")
	return c.Bytes()
}

func (c *canvas) text(x, y float64, class, anchor, text string) {
	fmt.Fprintf(c, `<text x="%s" y="%s" class="%s" text-anchor="%s">%s</text>`+"\n", number(x), number(y), class, anchor, escaped(text))
}

func (c *canvas) stroke(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(c, `<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"/>`+"\n", number(x1), number(y1), number(x2), number(y2), class)
}

// legend names the colours below the title.
func (c *canvas) legend(names []string, swatch func(x, y float64, n int)) {
	x := left / 4.5
	for n, name := range names {
		swatch(x, 46, n%colours)
		c.text(x+34, 50, "small", "start", name)
		x += 56 + 6.6*float64(len(name))
	}
}

// step is a round distance between marks that gives at most so many up to a value.
func step(most float64, marks int) float64 {
	if most <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(most/float64(marks))))
	for _, times := range []float64{1, 2, 5, 10} {
		if most/(times*unit) <= float64(marks) {
			return times * unit
		}
	}
	return 10 * unit
}

// Short writes a value for an axis: 8, 2.5, 10k, 1M.
func Short(v float64) string {
	for _, unit := range []struct {
		of   float64
		name string
	}{{1e6, "M"}, {1e3, "k"}} {
		if v >= unit.of {
			return strconv.FormatFloat(v/unit.of, 'g', 3, 64) + unit.name
		}
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// number is a coordinate, to a tenth of a pixel.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}

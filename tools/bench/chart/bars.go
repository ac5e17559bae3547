package chart

import (
	"fmt"
	"math"
	"strings"
)

// Bars is a chart of values side by side, each perhaps of several parts.
type Bars struct {
	Title string
	X     string   // what the values are, with the unit
	Parts []string // names of the parts; none where a bar has one
	Bars  []Bar
}

// Bar is one of them.
type Bar struct {
	Name   string
	Values []float64 // of its parts
	Colour int       // of a bar of one part
}

const (
	barLeft   = 250 // the names stand left of it
	barHeight = 20
	barStep   = 32
	barTop    = 66
)

// SVG draws the bars one below the other.
func (b Bars) SVG() []byte {
	var most float64
	for _, bar := range b.Bars {
		most = max(most, bar.sum())
	}
	distance := step(most, 6)
	most = max(distance, math.Ceil(most/distance)*distance)
	low := barTop + barStep*float64(len(b.Bars))
	c := newCanvas(b.Title, b.description(), low+50)
	c.legend(b.Parts, func(x, y float64, n int) { c.rectangle(x+8, y-7, 18, n) })
	at := func(v float64) float64 { return barLeft + v/most*(width-right-50-barLeft) }
	for v := 0.0; v <= most+distance/2; v += distance {
		c.stroke(at(v), barTop-4, at(v), low, "grid")
		c.text(at(v), low+16, "small", "middle", Short(v))
	}
	c.stroke(at(0), barTop-4, at(0), low, "axis")
	c.text((at(0)+at(most))/2, low+38, "small", "middle", b.X)
	for n, bar := range b.Bars {
		y := barTop + barStep*float64(n) + 4
		c.text(barLeft-10, y+15, "small", "end", bar.Name)
		from := 0.0
		for k, v := range bar.Values {
			c.rectangle(at(from), y, at(from+v)-at(from), (bar.Colour+k)%colours)
			from += v
		}
		c.text(at(from)+6, y+15, "small", "start", Short(bar.sum()))
	}
	return c.end()
}

func (c *canvas) rectangle(x, y, long float64, colour int) {
	high := float64(barHeight)
	if long == 18 {
		high = 14 // in the legend
	}
	fmt.Fprintf(c, `<rect x="%s" y="%s" width="%s" height="%s" class="f%d"/>`+"\n", number(x), number(y), number(long), number(high), colour)
}

func (b Bar) sum() float64 {
	whole := 0.0
	for _, v := range b.Values {
		whole += v
	}
	return whole
}

func (b Bars) description() string {
	words := make([]string, len(b.Bars))
	for n, bar := range b.Bars {
		words[n] = bar.Name + ": " + Short(bar.sum())
	}
	return b.X + ". " + strings.Join(words, "; ") + "."
}

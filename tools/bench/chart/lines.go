package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Lines is a chart of values over sizes.
type Lines struct {
	Title string
	X, Y  string // what the axes show, with the unit
	LogX  bool
	// Words stand at the marks of the x axis instead of numbers, from x 0 on.
	Words []string
	Lines []Line
}

// Line is one of them; its points are in the order of X.
type Line struct {
	Name   string
	Points []Point
}

// Point is a value at a size.
type Point struct{ X, Y float64 }

// SVG draws the chart. The y axis begins at 0.
func (l Lines) SVG() []byte {
	xs, most := l.extent()
	c := newCanvas(l.Title, l.description(), height)
	c.legend(l.names(), func(x, y float64, n int) { c.stroke(x, y, x+26, y, fmt.Sprintf("line s%d", n)) })
	atX, atY := l.scales(xs, most)
	distance := step(most, 6)
	for v := 0.0; v <= most+distance/2; v += distance {
		c.stroke(left, atY(v), width-right, atY(v), "grid")
		c.text(left-8, atY(v)+4, "small", "end", Short(v))
	}
	c.stroke(left, atY(0), width-right, atY(0), "axis")
	for n, x := range xs {
		c.stroke(atX(x), atY(0), atX(x), atY(0)+5, "axis")
		word := Short(x)
		if n < len(l.Words) {
			word = l.Words[n]
		}
		c.text(atX(x), atY(0)+20, "small", "middle", word)
	}
	c.text((left+width-right)/2, height-12, "small", "middle", l.X)
	c.text(left-56, top-16, "small", "start", l.Y)
	for n, line := range l.Lines {
		points := make([]string, len(line.Points))
		for k, p := range line.Points {
			points[k] = number(atX(p.X)) + "," + number(atY(p.Y))
		}
		fmt.Fprintf(c, `<polyline points="%s" class="line s%d"/>`+"\n", strings.Join(points, " "), n%colours)
		for _, p := range line.Points {
			fmt.Fprintf(c, `<circle cx="%s" cy="%s" r="4" class="f%d"><title>%s: %s at %s</title></circle>`+"\n",
				number(atX(p.X)), number(atY(p.Y)), n%colours, escaped(line.Name), Short(p.Y), Short(p.X))
		}
	}
	return c.end()
}

// extent is every x that occurs, sorted, and the top of the y axis.
func (l Lines) extent() (xs []float64, most float64) {
	for _, line := range l.Lines {
		for _, p := range line.Points {
			xs, most = append(xs, p.X), max(most, p.Y)
		}
	}
	slices.Sort(xs)
	distance := step(most, 6)
	return slices.Compact(xs), max(distance, math.Ceil(most/distance)*distance)
}

// scales turn values into places on the canvas.
func (l Lines) scales(xs []float64, most float64) (atX, atY func(float64) float64) {
	place := func(x float64) float64 { return x }
	if l.LogX {
		place = func(x float64) float64 { return math.Log(max(x, 1e-9)) }
	}
	var from, length float64
	if len(xs) > 0 {
		from, length = place(xs[0]), place(xs[len(xs)-1])-place(xs[0])
	}
	const inset = 28
	atX = func(x float64) float64 {
		if length == 0 {
			return (left + width - right) / 2
		}
		return left + inset + (place(x)-from)/length*(width-right-left-2*inset)
	}
	atY = func(y float64) float64 { return height - bottom - y/most*(height-bottom-top) }
	return atX, atY
}

func (l Lines) names() []string {
	names := make([]string, len(l.Lines))
	for n, line := range l.Lines {
		names[n] = line.Name
	}
	return names
}

// description says in words what the lines show.
func (l Lines) description() string {
	var words []string
	for _, line := range l.Lines {
		for k, p := range line.Points {
			size := Short(p.X)
			if k < len(l.Words) {
				size = l.Words[k]
			}
			words = append(words, fmt.Sprintf("%s at %s: %s", line.Name, size, Short(p.Y)))
		}
	}
	return fmt.Sprintf("%s over %s. %s.", l.Y, l.X, strings.Join(words, "; "))
}

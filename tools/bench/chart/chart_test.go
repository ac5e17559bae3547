package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"daftar/tools/bench/chart"
)

// drawn is what a test looks at of a picture.
type drawn struct {
	texts  []string
	shapes map[string][]map[string]string // attributes, by the name of the element
}

func read(t *testing.T, svg []byte) drawn {
	t.Helper()
	d := drawn{shapes: map[string][]map[string]string{}}
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	within := ""
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return d
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			within = token.Name.Local
			attributes := map[string]string{}
			for _, a := range token.Attr {
				attributes[a.Name.Local] = a.Value
			}
			d.shapes[within] = append(d.shapes[within], attributes)
		case xml.EndElement:
			within = ""
		case xml.CharData:
			if within == "text" {
				d.texts = append(d.texts, string(token))
			}
		}
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestLines(t *testing.T) {
	t.Parallel()
	d := read(t, chart.Lines{
		Title: "Creates & reads <by> clients", X: "clients", Y: "a second", LogX: true,
		Lines: []chart.Line{
			{Name: "creates", Points: []chart.Point{{X: 1, Y: 1000}, {X: 8, Y: 2000}, {X: 64, Y: 4000}}},
			{Name: "pgbench", Points: []chart.Point{{X: 1, Y: 500}, {X: 8, Y: 1000}, {X: 64, Y: 0}}},
		},
	}.SVG())
	for _, want := range []string{"Creates & reads <by> clients", "clients", "a second", "creates", "pgbench", "1", "8", "64", "0", "4k"} {
		if !slices.Contains(d.texts, want) {
			t.Errorf("%q is nowhere in %q", want, d.texts)
		}
	}
	circles := d.shapes["circle"]
	if len(circles) != 6 {
		t.Fatalf("%d points are drawn, want 6", len(circles))
	}
	x := func(n int) float64 { return number(t, circles[n]["cx"]) }
	y := func(n int) float64 { return number(t, circles[n]["cy"]) }
	// On a logarithmic axis, equal factors are equal distances.
	if first, second := x(1)-x(0), x(2)-x(1); first <= 0 || first-second > 0.2 || second-first > 0.2 {
		t.Errorf("from 1 to 8 it is %v, from 8 to 64 %v", first, second)
	}
	// The y axis begins at 0: half of a value is half as high.
	ground := y(5)
	if whole, half := ground-y(2), ground-y(1); whole <= 0 || whole-2*half > 0.2 || 2*half-whole > 0.2 {
		t.Errorf("4000 is %v high, 2000 is %v", whole, half)
	}
	for n := range circles {
		if x(n) < 0 || x(n) > 760 || y(n) < 0 || y(n) > 400 {
			t.Errorf("point %d is outside, at %v, %v", n, x(n), y(n))
		}
	}
}

func TestBars(t *testing.T) {
	t.Parallel()
	d := read(t, chart.Bars{
		Title: "Processor time", X: "microseconds", Parts: []string{"server", "client"},
		Bars: []chart.Bar{{Name: "creates", Values: []float64{30, 10}}, {Name: "reads", Values: []float64{15, 5}}},
	}.SVG())
	for _, want := range []string{"Processor time", "microseconds", "server", "client", "creates", "reads", "40", "20"} {
		if !slices.Contains(d.texts, want) {
			t.Errorf("%q is nowhere in %q", want, d.texts)
		}
	}
	bars := d.shapes["rect"][2:] // behind the legend
	if len(bars) != 4 {
		t.Fatalf("%d parts are drawn, want 4", len(bars))
	}
	if first, second := number(t, bars[0]["width"]), number(t, bars[2]["width"]); first-2*second > 0.2 || 2*second-first > 0.2 {
		t.Errorf("30 is %v wide, 15 is %v", first, second)
	}
	if end, begin := number(t, bars[0]["x"])+number(t, bars[0]["width"]), number(t, bars[1]["x"]); end-begin > 0.2 || begin-end > 0.2 {
		t.Errorf("a part ends at %v and the next begins at %v", end, begin)
	}
}

// A chart without values, and one of a single size, is a picture all the same.
func TestLittleToDraw(t *testing.T) {
	t.Parallel()
	for name, svg := range map[string][]byte{
		"no lines":  chart.Lines{Title: "nothing"}.SVG(),
		"no bars":   chart.Bars{Title: "nothing"}.SVG(),
		"one point": chart.Lines{Title: "one", LogX: true, Lines: []chart.Line{{Points: []chart.Point{{X: 5, Y: 0}}}}}.SVG(),
		"all zero":  chart.Bars{Title: "zero", Bars: []chart.Bar{{Values: []float64{0}}}}.SVG(),
	} {
		read(t, svg)
		if text := string(svg); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{0: "0", 0.5: "0.5", 64: "64", 10_000: "10k", 1_000_000: "1M", 2_500: "2.5k", 123_456: "123k"} {
		if got := chart.Short(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

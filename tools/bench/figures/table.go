package figures

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Headings of the columns of a Row.
var Headings = []string{
	"what", "figure", "p50", "p99", "ratio", "of net/http", "mark",
	"CPU µs server", "postgres", "client", "allocations",
}

// Row is a figure in words, a cell for each of Headings; empty where there is
// nothing to say.
func (f Figure) Row() []string {
	row := make([]string, 0, len(Headings))
	row = append(row, f.Name, f.Amount(), "", "", ratio(f.Ratio), ratio(f.OfCeiling), f.verdict(), "", "", "", "")
	if f.Latency != nil {
		row[2], row[3] = Milliseconds(f.Latency.P50), Milliseconds(f.Latency.P99)
	}
	if f.Cost != nil {
		row[7], row[8], row[9] = part(f.Cost.Server), part(f.Cost.Postgres), part(f.Cost.Client)
		row[10] = part(f.Cost.Allocations)
	}
	return row
}

// Amount is the figure's value with its unit.
func (f Figure) Amount() string {
	if f.Unit == PerSecond && f.Value < 10 {
		return fmt.Sprintf("%.1f%s", f.Value, f.suffix())
	}
	return Grouped(f.Value) + f.suffix()
}

// Missed says whether the figure stays behind one of its marks.
func (f Figure) Missed() bool {
	for _, m := range f.Marks {
		if !m.Reached {
			return true
		}
	}
	return false
}

func (f Figure) verdict() string {
	words := make([]string, len(f.Marks))
	for n, m := range f.Marks {
		words[n] = m.Wanted + " reached"
		if !m.Reached {
			words[n] = m.Wanted + " MISSED"
		}
	}
	return strings.Join(words, ", ")
}

func ratio(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", v)
}

// part is a share of an operation: with a fraction only where that says something.
func part(v float64) string {
	switch {
	case v < 0.05:
		return ""
	case v < 10:
		return fmt.Sprintf("%.1f", v)
	}
	return Grouped(v)
}

// Milliseconds writes a latency.
func Milliseconds(v float64) string {
	if v < 10 {
		return fmt.Sprintf("%.2f ms", v)
	}
	return fmt.Sprintf("%.1f ms", v)
}

// Print writes figures as a table for a terminal.
func Print(w io.Writer, all []Figure) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, strings.Join(Headings, "\t")+"\t")
	for _, f := range all {
		fmt.Fprintln(out, strings.Join(f.Row(), "\t")+"\t")
	}
	_ = out.Flush() // anyone who reads it has gone; there is nobody else to tell
}

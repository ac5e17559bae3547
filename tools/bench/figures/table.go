package figures

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Headings of the columns of a Row.
var Headings = []string{
	"what", "figure", "p50", "p99", "reference's p99", "p99 ratio", "ratio", "of net/http", "mark",
	"CPU µs server", "postgres", "client", "allocations",
}

// Row returns the cells of a figure, one for each of Headings. Values that were not
// measured are empty.
func (f Figure) Row() []string {
	row := make([]string, 0, len(Headings))
	row = append(row,
		f.Name, f.Amount(),
		"", "", "",
		ratio(f.P99Ratio), ratio(f.Ratio), ratio(f.OfCeiling), f.verdict(),
		"", "", "", "")
	if f.Latency != nil {
		row[2], row[3] = Milliseconds(f.Latency.P50), Milliseconds(f.Latency.P99)
	}
	if f.P99Reference > 0 {
		row[4] = Milliseconds(f.P99Reference)
	}
	if f.Cost != nil {
		row[9], row[10], row[11] = part(f.Cost.Server), part(f.Cost.Postgres), part(f.Cost.Client)
		row[12] = part(f.Cost.Allocations)
	}
	return row
}

// rowNamingReference is a Row whose ratio names the reference.
func (f Figure) rowNamingReference() []string {
	row := f.Row()
	for _, column := range []int{6, 5} { // the ratio, or that of p99
		if f.Reference != "" && row[column] != "" {
			row[column] += " of " + f.Reference
			break
		}
	}
	return row
}

// Amount is the figure's value with its unit.
func (f Figure) Amount() string { return f.amount(f.Value) }

func (f Figure) amount(v float64) string {
	switch {
	case f.Unit == OfACore:
		return fmt.Sprintf("%.2f %s", v, f.Unit)
	case f.Unit == PerSecond && v < 10:
		return fmt.Sprintf("%.1f%s", v, f.Unit)
	case f.Unit == PerSecond:
		return Grouped(v) + f.Unit
	}
	return Grouped(v) + " " + f.Unit
}

// Missed reports whether the figure misses one of its marks.
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

// part formats a cost per operation: small values with a fraction, tiny ones as empty.
func part(v float64) string {
	switch {
	case v < 0.05:
		return ""
	case v < 10:
		return fmt.Sprintf("%.1f", v)
	}
	return Grouped(v)
}

// Milliseconds formats a latency that is in milliseconds.
func Milliseconds(v float64) string {
	if v < 10 {
		return fmt.Sprintf("%.2f ms", v)
	}
	return fmt.Sprintf("%.1f ms", v)
}

// Print writes the table for a terminal.
func (t Table) Print(w io.Writer) {
	rows := [][]string{Headings}
	for _, f := range t.Figures {
		rows = append(rows, f.Row())
	}
	printRows(w, rows)
	if len(t.Relations) > 0 {
		fmt.Fprintln(w)
		printRows(w, append([][]string{relationHeadings}, relationRows(t.Relations)...))
	}
	for _, note := range t.Notes {
		fmt.Fprintln(w, note)
	}
}

func printRows(w io.Writer, rows [][]string) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		fmt.Fprintln(out, strings.Join(row, "\t")+"\t")
	}
	_ = out.Flush() // it fails only if the reader of the output has gone
}

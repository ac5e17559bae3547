package figures

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Headings of the columns of the table.
var Headings = []string{
	"what", "figure", "p50", "p99", "reference's p99", "p99 ratio", "ratio", "of net/http", "mark",
	"CPU µs server", "postgres", "client", "allocations",
}

// section is a part of a file as a terminal and a page show it.
type section struct {
	title string
	head  []string
	rows  [][]string
	notes []string
}

func (f File) sections() []section {
	var all []section
	if f.Table != nil {
		table := section{title: "The table", head: Headings}
		for _, figure := range f.Table.Figures {
			table.rows = append(table.rows, figure.row())
		}
		all = append(all, table)
		if len(f.Table.Relations) > 0 {
			all = append(all, weights(f.Table.Relations))
		}
		all[len(all)-1].notes = f.Table.Notes
	}
	if f.Growth != nil {
		for _, s := range f.Growth.Series {
			all = append(all, s.section())
		}
	}
	return all
}

// row has a cell for each of Headings; what was not measured is empty. The ratio, or that of
// the p99 where there is no other, names the reference.
func (f Figure) row() []string {
	var latency Latency
	if f.Latency != nil {
		latency = *f.Latency
	}
	var cost Operation
	if f.Cost != nil {
		cost = *f.Cost
	}
	row := []string{
		f.Name, f.Amount(), duration(latency.P50), duration(latency.P99), duration(f.P99Reference),
		ratio(f.P99Ratio), ratio(f.Ratio), ratio(f.OfCeiling), f.verdict(),
		part(cost.Server), part(cost.Postgres), part(cost.Client), part(cost.Allocations),
	}
	switch {
	case f.Ratio > 0:
		row[6] += " of " + f.Reference
	case f.P99Ratio > 0:
		row[5] += " of " + f.Reference
	}
	return row
}

// weights are the relations in their order, and their sum.
func weights(all []Relation) section {
	s := section{title: "Bytes on disk per paid intent", head: []string{"table", "index", "bytes"}}
	var sum float64
	for _, r := range all {
		s.rows = append(s.rows, []string{r.Table, r.Index, fmt.Sprintf("%.1f", r.Bytes)})
		sum += r.Bytes
	}
	s.rows = append(s.rows, []string{"all", "", fmt.Sprintf("%.1f", sum)})
	return s
}

// section has a row for each size, and for each line its value, its ratio if it has one, and
// its p99.
func (s Series) section() section {
	table := section{title: s.Title, head: []string{s.Over}}
	for _, l := range s.Lines {
		byRatio := false
		for n, p := range l.Points {
			if len(table.rows) == n {
				table.rows = append(table.rows, []string{Grouped(p.At)})
			}
			byRatio = byRatio || p.Figure.Ratio > 0
		}
		table.head = append(table.head, l.Name)
		if byRatio {
			table.head = append(table.head, "ratio")
		}
		table.head = append(table.head, "p99")
		for n, p := range l.Points {
			row := table.rows[n]
			row = append(row, p.Figure.Amount())
			if byRatio {
				row = append(row, strings.TrimSpace(ratio(p.Figure.Ratio)+" "+p.Figure.verdict()))
			}
			p99 := ""
			if p.Figure.Latency != nil {
				p99 = duration(p.Figure.Latency.P99)
			}
			table.rows[n] = append(row, p99)
		}
	}
	return table
}

// Print writes all figures for a terminal.
func (f File) Print(w io.Writer) {
	for _, s := range f.sections() {
		fmt.Fprintln(w, s.title)
		PrintRows(w, append([][]string{s.head}, s.rows...))
		for _, note := range s.notes {
			fmt.Fprintln(w, note)
		}
		fmt.Fprintln(w)
	}
}

// PrintRows writes rows with aligned columns.
func PrintRows(w io.Writer, rows [][]string) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		fmt.Fprintln(out, strings.Join(row, "\t")+"\t")
	}
	_ = out.Flush() // it fails only if the reader of the output has gone
}

// Amount is the figure's value with its unit.
func (f Figure) Amount() string { return f.amount(f.Value) }

func (f Figure) amount(v float64) string {
	switch {
	case f.Unit == OfACore:
		return fmt.Sprintf("%.2f %s", v, f.Unit)
	case f.Unit == Switch:
		return fmt.Sprintf("%.1f %s, %s round trips/s", v, f.Unit, Grouped(1e6/(2*v)))
	case f.Unit == PerSecond && v < 10:
		return fmt.Sprintf("%.1f%s", v, f.Unit)
	case f.Unit == PerSecond:
		return Grouped(v) + f.Unit
	}
	return Grouped(v) + " " + f.Unit
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

// duration formats milliseconds; 0, which was not measured, as empty.
func duration(v float64) string {
	switch {
	case v == 0:
		return ""
	case v < 10:
		return fmt.Sprintf("%.2f ms", v)
	}
	return fmt.Sprintf("%.1f ms", v)
}

// Grouped writes a number without fraction, with commas between the thousands.
func Grouped(v float64) string {
	digits := strconv.FormatFloat(v, 'f', 0, 64)
	for n := len(digits) - 3; n > 0 && digits[n-1] != '-'; n -= 3 {
		digits = digits[:n] + "," + digits[n:]
	}
	return digits
}

package figures

import (
	"fmt"
	"io"
	"strings"
)

// Cells returns the series as a table: a row for each size, and for each line its value,
// its ratio if it has one, and its p99.
func (s Series) Cells() (head []string, rows [][]string) {
	head = []string{s.Over}
	byRatio := make([]bool, len(s.Lines))
	for n, l := range s.Lines {
		head = append(head, l.Name)
		for _, p := range l.Points {
			byRatio[n] = byRatio[n] || p.Figure.Ratio > 0
		}
		if byRatio[n] {
			head = append(head, "ratio")
		}
		head = append(head, "p99")
	}
	if len(s.Lines) == 0 {
		return head, nil
	}
	for k, first := range s.Lines[0].Points {
		row := []string{Grouped(first.At)}
		for n, l := range s.Lines {
			f := l.Points[k].Figure
			row = append(row, f.Amount())
			if byRatio[n] {
				row = append(row, strings.TrimSpace(ratio(f.Ratio)+" "+f.verdict()))
			}
			p99 := ""
			if f.Latency != nil {
				p99 = Milliseconds(f.Latency.P99)
			}
			row = append(row, p99)
		}
		rows = append(rows, row)
	}
	return head, rows
}

// Print writes the series as a table for a terminal.
func (s Series) Print(w io.Writer) {
	head, rows := s.Cells()
	fmt.Fprintln(w, s.Title)
	printRows(w, append([][]string{head}, rows...))
	fmt.Fprintln(w)
}

package page

import (
	"fmt"
	"strings"

	"daftar/tools/bench/figures"
)

const notMeasured = "Not measured yet.\n"

// markdown writes a table. The first column is text, the others are figures.
func markdown(head []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString("| " + strings.Join(head, " | ") + " |\n|---|" + strings.Repeat("---:|", len(head)-1) + "\n")
	for _, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return b.String()
}

// runOf says where the figures come from.
func runOf(f figures.File) string {
	var rows [][]string
	if f.Table != nil {
		rows = append(rows, runRow("the table", f.Table.Run))
	}
	if f.Growth != nil {
		rows = append(rows, runRow("growth", f.Growth.Run))
	}
	if len(rows) == 0 {
		return notMeasured
	}
	return markdown([]string{"figures of", "measured on", "commit", "machine", "software", "run"}, rows)
}

func runRow(name string, r figures.Run) []string {
	m := r.Machine
	return []string{
		name, r.Date, "`" + r.Commit + "`",
		fmt.Sprintf("%s, %d cores, %s MB of memory", m.CPU, m.Cores, figures.Grouped(float64(m.MemoryMB))),
		fmt.Sprintf("Linux %s, %s, %s", m.Kernel, m.Postgres, m.Go),
		strings.Join(r.Options, ", "),
	}
}

// marksOf lists what is held to a mark.
func marksOf(f figures.File) string {
	var rows [][]string
	add := func(figure figures.Figure) {
		for _, m := range figure.Marks {
			verdict := "reached"
			if !m.Reached {
				verdict = "**missed**"
			}
			rows = append(rows, []string{figure.Name, m.Wanted + beside(figure, m), measured(figure, m), verdict})
		}
	}
	if f.Table != nil {
		for _, figure := range f.Table.Figures {
			add(figure)
		}
	}
	if f.Growth != nil {
		for _, s := range f.Growth.Charts {
			for _, l := range s.Lines {
				for _, p := range l.Points {
					add(p.Figure)
				}
			}
		}
	}
	if len(rows) == 0 {
		return notMeasured
	}
	return markdown([]string{"what", "mark", "measured", ""}, rows)
}

func isRatio(m figures.Mark) bool {
	return strings.HasPrefix(m.Wanted, ">= ") && !strings.Contains(m.Wanted, "/") && !strings.Contains(m.Wanted, "MB")
}

// beside names the reference of a mark that is a ratio.
func beside(f figures.Figure, m figures.Mark) string {
	if isRatio(m) {
		return " of " + f.Reference
	}
	return ""
}

// measured is the value that a mark is about.
func measured(f figures.Figure, m figures.Mark) string {
	switch {
	case isRatio(m):
		return fmt.Sprintf("%.2f", f.Ratio)
	case strings.HasPrefix(m.Wanted, "p99") && f.Latency != nil:
		return figures.Milliseconds(f.Latency.P99)
	}
	return f.Amount()
}

// tableOf is every figure with its spread over the rounds.
func tableOf(f figures.File, folder string) string {
	if f.Table == nil {
		return notMeasured
	}
	head := []string{"what", "median", "lowest", "highest", "p50", "p99", "ratio", "of net/http"}
	rows := make([][]string, 0, len(f.Table.Figures))
	for _, figure := range f.Table.Figures {
		row := figure.Row()
		low, high := figure, figure
		low.Value, high.Value = figure.Low, figure.High
		rows = append(rows, []string{row[0], row[1], low.Amount(), high.Amount(), row[2], row[3], row[4], row[5]})
	}
	var text strings.Builder
	text.WriteString(image(folder, chartThroughput, "requests a second"))
	text.WriteString(image(folder, chartLatency, "latency of creates and of the pay page"))
	text.WriteString(markdown(head, rows))
	for _, note := range f.Table.Notes {
		text.WriteString("\n" + note + "\n")
	}
	return text.String()
}

// costOf is what one operation of each kind costs.
func costOf(f figures.File, folder string) string {
	if f.Table == nil {
		return notMeasured
	}
	var rows [][]string
	for _, figure := range f.Table.Figures {
		if figure.Cost == nil {
			continue
		}
		row, size := figure.Row(), ""
		if figure.Cost.Bytes >= 50 {
			size = fmt.Sprintf("%.1f", figure.Cost.Bytes/1000)
		}
		rows = append(rows, []string{row[0], row[7], row[8], row[9], row[10], size})
	}
	return image(folder, chartCost, "processor time per request") +
		markdown([]string{"for one of these", "server, µs", "PostgreSQL, µs", "client, µs", "allocations", "allocated, kB"}, rows)
}

// growthOf has a chart and a table for everything that grows.
func growthOf(f figures.File, folder string) string {
	if f.Growth == nil {
		return notMeasured
	}
	var b strings.Builder
	for _, s := range f.Growth.Charts {
		b.WriteString("### " + s.Title + "\n\n" + image(folder, s.Key+".svg", s.Title))
		b.WriteString(markdown(s.Cells()) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func image(folder, file, words string) string {
	return fmt.Sprintf("![%s](%s/%s)\n\n", words, folder, file)
}

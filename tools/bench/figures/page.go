package figures

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The page is written by hand, except for the text between these markers.
const (
	opening = "<!-- figures -->\n"
	closing = "<!-- end of figures -->"
)

// FileOf is the file of the figures that a page shows.
func FileOf(page string) string { return strings.TrimSuffix(page, ".md") + ".json" }

// WritePage updates a page from the file of its figures. It fails, and does not change the
// page, if the page lacks the markers.
func WritePage(path string) error {
	if filepath.Ext(path) != ".md" {
		return fmt.Errorf("write page: %s is no .md file", path)
	}
	f, err := Read(FileOf(path))
	if err != nil {
		return err
	}
	if f.Table == nil && f.Growth == nil {
		return fmt.Errorf("write page: there are no figures in %s", FileOf(path))
	}
	old, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	text, err := f.Update(old)
	if err != nil {
		return fmt.Errorf("write page: %s: %w", path, err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil { //nolint:gosec // pages are public
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// Update returns the page with these figures between its markers.
func (f File) Update(page []byte) ([]byte, error) {
	before, rest, opened := bytes.Cut(page, []byte(opening))
	_, after, closed := bytes.Cut(rest, []byte(closing))
	if !opened || !closed || bytes.Contains(after, []byte(opening)) || bytes.Contains(after, []byte(closing)) {
		return nil, fmt.Errorf("there is not one %q with one %q after it", strings.TrimSpace(opening), closing)
	}
	return slices.Concat(before, []byte(opening), []byte("\n"+f.markdown()+"\n"), []byte(closing), after), nil
}

// markdown is the runs that figures come from, and what a terminal shows of them.
func (f File) markdown() string {
	var runs [][]string
	if f.Table != nil {
		runs = append(runs, f.Table.Run.row("the table", f.Table.Figures))
	}
	if f.Growth != nil {
		runs = append(runs, f.Growth.Run.row("growth", f.Growth.Machine))
	}
	var b strings.Builder
	writeTable(&b, []string{"figures of", "measured on", "commit", "machine", "software", "run"}, runs)
	for _, s := range f.sections() {
		b.WriteString("\n### " + s.title + "\n\n")
		writeTable(&b, s.head, s.rows)
		for _, note := range s.notes {
			b.WriteString("\n" + note + "\n")
		}
	}
	return b.String()
}

// row describes a run. Of its figures it shows those of the machine, as far as they were measured.
func (r Run) row(name string, of []Figure) []string {
	m := r.Machine
	machine := []string{
		m.CPU, fmt.Sprintf("%d cores", m.Cores), Grouped(float64(m.MemoryMB)) + " MB of memory",
	}
	for _, f := range of {
		switch f.Name {
		case Fdatasync:
			machine = append(machine, "fdatasync "+f.Amount())
		case SwitchOnACore:
			machine = append(machine, fmt.Sprintf("a process switch %.1f µs", f.Value))
		case SwitchOfCores:
			machine = append(machine, fmt.Sprintf("to another core %.1f µs", f.Value))
		case SwitchOverTCP:
			machine = append(machine, fmt.Sprintf("over TCP %.1f µs", f.Value))
		}
	}
	return []string{
		name, r.Date, "`" + r.Commit + "`", strings.Join(machine, ", "),
		fmt.Sprintf("Linux %s, %s, %s", m.Kernel, m.Postgres, m.Go),
		strings.Join(r.Options, ", "),
	}
}

// writeTable writes a table whose first column is text; the others are figures.
func writeTable(b *strings.Builder, head []string, rows [][]string) {
	b.WriteString("| " + strings.Join(head, " | ") + " |\n|---|" + strings.Repeat("---:|", len(head)-1) + "\n")
	for _, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
}

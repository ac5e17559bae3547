package figures

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// File keeps the results of the last runs.
type File struct {
	Table  *Table  `json:"table,omitempty"`
	Growth *Growth `json:"growth,omitempty"`
}

// Table is one run of all measurements.
type Table struct {
	Run     Run      `json:"run"`
	Figures []Figure `json:"figures"`
	// Relations are where the bytes on disk of a paid intent are.
	Relations []Relation `json:"relations,omitempty"`
	Notes     []string   `json:"notes,omitempty"` // results that are not figures, such as the weight of a page
}

// Growth is one run that shows how figures change as something grows.
type Growth struct {
	Run     Run      `json:"run"`
	Machine []Figure `json:"machine,omitempty"` // what the machine costs everybody
	Series  []Series `json:"series"`
}

// Relation is a table or an index, and the bytes in it per intent.
type Relation struct {
	Table string  `json:"table"`
	Index string  `json:"index,omitempty"` // "": the table itself
	Bytes float64 `json:"bytes"`
}

// Run is when, where and with which options figures were measured.
type Run struct {
	Date    string   `json:"date"`
	Commit  string   `json:"commit"`
	Machine Machine  `json:"machine"`
	Options []string `json:"options"` // each with its value, such as clients 64
}

// Machine is the hardware and the software of a run.
type Machine struct {
	CPU      string `json:"cpu"`
	Cores    int    `json:"cores"`
	MemoryMB int    `json:"memory_mb"`
	Kernel   string `json:"kernel"`
	Postgres string `json:"postgres"`
	Go       string `json:"go"`
}

// Series is a set of lines over what grows.
type Series struct {
	Title string `json:"title"`
	Over  string `json:"over"` // what grows
	Lines []Line `json:"lines"`
}

// Line is one figure at each size.
type Line struct {
	Name   string  `json:"name"`
	Points []Point `json:"points"`
}

// Point is a figure at one size.
type Point struct {
	At     float64 `json:"at"`
	Figure Figure  `json:"figure"`
}

// Missed names the figures of both parts that miss a mark.
func (f File) Missed() []string {
	var all []Figure
	if f.Table != nil {
		all = append(all, f.Table.Figures...)
	}
	if f.Growth != nil {
		for _, s := range f.Growth.Series {
			for _, l := range s.Lines {
				for _, p := range l.Points {
					all = append(all, p.Figure)
				}
			}
		}
	}
	var names []string
	for _, figure := range all {
		if figure.Missed() {
			names = append(names, figure.Name)
		}
	}
	return names
}

// Read reads a file; one that does not exist is empty.
func Read(path string) (File, error) {
	var f File
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("read figures: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return f, fmt.Errorf("read figures: %s: %w", path, err)
	}
	return f, nil
}

// Keep replaces the parts of the file that f has and keeps the others.
func (f File) Keep(path string) error {
	kept, err := Read(path)
	if err != nil {
		return err
	}
	if f.Table != nil {
		kept.Table = f.Table
	}
	if f.Growth != nil {
		kept.Growth = f.Growth
	}
	text, err := json.MarshalIndent(kept, "", "\t")
	if err != nil {
		return fmt.Errorf("write figures: %w", err)
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil { //nolint:gosec // figures are public
		return fmt.Errorf("write figures: %w", err)
	}
	return nil
}

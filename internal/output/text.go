package output

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	gap    = "  "
	indent = "     "
	none   = "-"
)

// text builds an answer for people.
type text struct {
	strings.Builder

	styles  bool
	pending [][2]string // labels and values whose width is not known yet
}

// record lays out a struct: a line for each value that has a label.
func (t *text) record(v reflect.Value) {
	for _, field := range reflect.VisibleFields(v.Type()) {
		f, err := v.FieldByIndexErr(field.Index)
		if err != nil || field.Anonymous || !field.IsExported() {
			continue // VisibleFields has the fields of an embedded struct, too; a nil one has none
		}
		label, labelled := field.Tag.Lookup("label")
		switch {
		case !labelled && f.Kind() == reflect.Struct:
			t.record(f)
		case !labelled:
		case isList(f, reflect.Struct):
			t.flush()
			t.table(f, true)
		case label != "":
			t.pending = append(t.pending, [2]string{label, cmp.Or(value(f), none)})
		default:
			t.flush()
			for _, line := range lines(f) {
				fmt.Fprintln(t, styled(t.styles, field.Tag.Get("style"), line))
			}
		}
	}
}

func (t *text) flush() {
	width := 0
	for _, p := range t.pending {
		width = max(width, utf8.RuneCountInString(p[0]))
	}
	for _, p := range t.pending {
		fmt.Fprintf(t, "%-*s%s%s\n", width, p[0], gap, p[1])
	}
	t.pending = nil
}

// table lays out a list of structs: a column for each field that has a label.
func (t *text) table(rows reflect.Value, heading bool) {
	if rows.Len() == 0 {
		return
	}
	var columns, below []reflect.StructField
	for _, f := range reflect.VisibleFields(rows.Type().Elem()) {
		if _, is := f.Tag.Lookup("label"); is {
			columns = append(columns, f)
		}
		if _, is := f.Tag.Lookup("below"); is {
			below = append(below, f)
		}
	}
	cells, widths := make([][]string, rows.Len()), make([]int, len(columns))
	for k, c := range columns {
		if heading {
			widths[k] = utf8.RuneCountInString(c.Tag.Get("label"))
		}
		least, _ := strconv.Atoi(c.Tag.Get("width")) // 0 where there is none
		widths[k] = max(widths[k], least)
		for n := range cells {
			cell := cmp.Or(value(rows.Index(n).FieldByIndex(c.Index)), c.Tag.Get("none"), none)
			cells[n] = append(cells[n], cell)
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	if heading {
		t.line(columns, widths, func(k int) (string, string) { return columns[k].Tag.Get("label"), "bold" })
	}
	for n := range cells {
		t.line(columns, widths, func(k int) (string, string) {
			return cells[n][k], columns[k].Tag.Get("style")
		})
		for _, f := range below {
			t.below(f, rows.Index(n).FieldByIndex(f.Index))
		}
	}
}

func (t *text) line(columns []reflect.StructField, widths []int, cell func(k int) (content, style string)) {
	for k := range columns {
		content, style := cell(k)
		t.WriteString(string(styled(t.styles, style, content)))
		if k < len(columns)-1 {
			t.WriteString(strings.Repeat(" ", widths[k]-utf8.RuneCountInString(content)) + gap)
		}
	}
	t.WriteString("\n")
}

// below lays out a field under its row.
func (t *text) below(f reflect.StructField, v reflect.Value) {
	for _, line := range lines(v) {
		line = strings.TrimSpace(f.Tag.Get("below") + " " + line)
		fmt.Fprintf(t, "%s%s\n", indent, styled(t.styles, f.Tag.Get("style"), line))
	}
}

// lines are the texts of a list, or the one line of a value; none where it is empty.
func lines(v reflect.Value) []string {
	if !isList(v, reflect.String) {
		if shown := value(v); shown != "" {
			return []string{shown}
		}
		return nil
	}
	all := make([]string, v.Len())
	for n := range all {
		all[n] = value(v.Index(n))
	}
	return all
}

func isList(v reflect.Value, of reflect.Kind) bool {
	return v.Kind() == reflect.Slice && v.Type().Elem().Kind() == of
}

// value is a value for people; "" where there is none.
func value(v reflect.Value) string {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return ""
	}
	switch x := v.Interface().(type) {
	case time.Time:
		if x.IsZero() {
			return ""
		}
		return x.UTC().Format(time.RFC3339)
	case Styled:
		return string(x)
	case json.RawMessage:
		return Printable(string(x))
	case fmt.Stringer:
		return Printable(x.String())
	}
	switch {
	case v.Kind() == reflect.Bool && v.Bool():
		return "yes"
	case v.Kind() == reflect.Bool:
		return "no"
	case v.CanInt():
		return Count(v.Int())
	case v.CanFloat():
		return fmt.Sprintf("%.1f", v.Float())
	case v.Kind() == reflect.String:
		return Printable(v.String())
	case v.IsZero() || v.Kind() == reflect.Map && v.Len() == 0:
		return ""
	}
	encoded, err := json.Marshal(v.Interface())
	if err != nil {
		return Printable(fmt.Sprint(v.Interface()))
	}
	return Printable(string(encoded))
}

// Count writes a number for people.
func Count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

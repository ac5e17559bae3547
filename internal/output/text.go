package output

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

const (
	gap  = 2 // blanks between columns
	none = "-"
)

// Marks stand for what people do not see, or not there, while columns are laid out: text/tabwriter
// counts each as one character. Printable leaves no control character in a value, so a mark is
// never part of one.
const (
	unstyled = "\x01" // around text without a style, so that it has two marks as well
	styleEnd = "\x02"
	below    = "\x03" // before a line under a row; for the layout it is part of the row's last cell
)

var (
	styles = map[string]string{
		"bold": "\x04", "dim": "\x05", "old": "\x06", "new": "\x07", "event": "\x08",
	}
	marks = strings.NewReplacer(
		unstyled, "", styleEnd, "\x1b[0m", below, "\n     ",
		styles["bold"], "\x1b[1m", styles["dim"], "\x1b[2m",
		styles["old"], "\x1b[31m", styles["new"], "\x1b[32m", styles["event"], "\x1b[36m",
	)
)

// styled marks text as of a style, unless the terminal shows no colours.
func styled(colours bool, style, s string) string {
	start, known := styles[style]
	switch {
	case !colours:
		return s
	case !known || s == "":
		return unstyled + s + unstyled
	}
	return start + s + styleEnd
}

// layout lays out an answer for people. A line without a tab ends the columns before it.
type layout struct {
	*tabwriter.Writer

	colours bool
}

// record lays out a struct: a line for each value that has a label.
func (l layout) record(v reflect.Value) {
	for _, field := range reflect.VisibleFields(v.Type()) {
		f, err := v.FieldByIndexErr(field.Index)
		if err != nil || field.Anonymous || !field.IsExported() {
			continue // VisibleFields has the fields of an embedded struct, too; a nil one has none
		}
		label, labelled := field.Tag.Lookup("label")
		switch {
		case !labelled && f.Kind() == reflect.Struct:
			l.record(f)
		case !labelled:
		case f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Struct && !isTexts(f):
			l.table(f, true)
		case label != "":
			fmt.Fprintf(l, "%s\t%s\n", label, cmp.Or(value(f), field.Tag.Get("none"), none))
		default:
			for _, line := range lines(f) {
				fmt.Fprintln(l, styled(l.colours, field.Tag.Get("style"), line))
			}
		}
	}
}

// table lays out a list of structs: a column for each field that has a label.
func (l layout) table(rows reflect.Value, heading bool) {
	if rows.Len() == 0 {
		return
	}
	_ = l.Flush() // what is above has other columns
	fields := reflect.VisibleFields(rows.Type().Elem())
	if heading {
		var labels []string
		for _, f := range fields {
			if label, is := f.Tag.Lookup("label"); is {
				labels = append(labels, styled(l.colours, "bold", label))
			}
		}
		fmt.Fprintln(l, strings.Join(labels, "\t"))
	}
	for n := range rows.Len() {
		var cells, under []string
		for _, f := range fields {
			v, style := rows.Index(n).FieldByIndex(f.Index), f.Tag.Get("style")
			if _, is := f.Tag.Lookup("label"); is {
				cell := cmp.Or(value(v), f.Tag.Get("none"), none)
				marked := styled(l.colours, style, cell)
				least, _ := strconv.Atoi(f.Tag.Get("width")) // 0 where there is none
				cells = append(cells, fmt.Sprintf("%-*s", least+len(marked)-len(cell), marked))
			}
			if label, is := f.Tag.Lookup("below"); is {
				for _, line := range lines(v) {
					line = strings.TrimSpace(label + " " + line)
					under = append(under, below+styled(l.colours, style, line))
				}
			}
		}
		fmt.Fprintln(l, strings.Join(cells, "\t")+strings.Join(under, ""))
	}
	_ = l.Flush()
}

// lines are the texts of a list, or the one line of a value; none where it is empty.
func lines(v reflect.Value) []string {
	if !isTexts(v) {
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

// isTexts reports whether a value is a list of strings, or of what writes itself as one.
func isTexts(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && (v.Type().Elem().Kind() == reflect.String ||
		v.Type().Elem().Implements(reflect.TypeFor[fmt.Stringer]()))
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
	case isTexts(v):
		return strings.Join(lines(v), ", ")
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

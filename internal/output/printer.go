package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"text/tabwriter"
)

// Printer prints answers to Out and messages, which are no part of an answer, to Err.
type Printer struct {
	Out, Err io.Writer
	JSON     bool // answers are for programs
	Colours  bool
}

// Answer prints a struct, and for people the sentences about it.
func (p *Printer) Answer(answer any, sentences ...string) error {
	if p.JSON {
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false)
		if err := e.Encode(answer); err != nil {
			return err
		}
		_, err := p.Out.Write(EscapeJSON(text.Bytes()))
		return err
	}
	return p.people(reflect.ValueOf(answer), true, sentences)
}

// Named prints a struct or a list of structs; for programs it is the one field of an
// object. A sentence says that a list is empty, by its name where there are no sentences.
func (p *Printer) Named(name string, answer any, sentences ...string) error {
	v := reflect.ValueOf(answer)
	empty := v.Kind() == reflect.Slice && v.Len() == 0
	switch {
	case p.JSON && empty: // a nil slice would be null
		return p.Answer(map[string]any{name: []any{}})
	case p.JSON:
		return p.Answer(map[string]any{name: answer})
	case empty && len(sentences) == 0:
		sentences = []string{"No " + strings.ReplaceAll(name, "_", " ") + "."}
	}
	return p.people(v, true, sentences)
}

// Row prints a struct as one more row of a list, without the headings.
func (p *Printer) Row(row any) error {
	if p.JSON {
		return p.Answer(row)
	}
	rows := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(row)), 0, 1)
	return p.people(reflect.Append(rows, reflect.ValueOf(row)), false, nil)
}

func (p *Printer) people(answer reflect.Value, heading bool, sentences []string) error {
	var laidOut strings.Builder
	l := layout{tabwriter.NewWriter(&laidOut, 0, 0, gap, ' ', 0), p.Colours}
	switch answer.Kind() {
	case reflect.Slice:
		l.table(answer, heading)
	case reflect.Struct:
		l.record(answer)
	default: // the sentences say it
	}
	for _, s := range sentences {
		fmt.Fprintln(l, Printable(s))
	}
	_ = l.Flush() // a Builder takes everything
	_, err := io.WriteString(p.Out, marks.Replace(laidOut.String()))
	return err
}

// Notef prints a message of one line.
func (p *Printer) Notef(format string, args ...any) {
	fmt.Fprintln(p.Err, Printable(fmt.Sprintf(format, args...)))
}

// Error prints an error after the name of the program. Lines after the first are
// indented: text inside of an error cannot pass for another message.
func (p *Printer) Error(program string, err error) {
	indent := "\n" + strings.Repeat(" ", len(program)+2)
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, Printable(line))
		}
	}
	fmt.Fprintf(p.Err, "%s: %s\n", program, strings.Join(lines, indent))
}

// Style is text in a style, where the printer shows colours.
func (p *Printer) Style(style, s string) Styled {
	return Styled(marks.Replace(styled(p.Colours, style, Printable(s))))
}

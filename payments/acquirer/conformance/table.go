package conformance

import (
	"fmt"
	"strconv"
	"strings"

	"daftar/payments/acquirer"
)

// Column is a method of an acquirer in the table of behaviours.
type Column struct {
	Acquirer   string
	Capability acquirer.Capability
}

// Table writes the behaviours in Markdown: a row for each behaviour, a column for each method, and
// below them why something does not apply.
func Table(all []Column) string {
	var out strings.Builder
	var notes []reason
	note := func(why reason) string {
		for i, known := range notes {
			if known == why {
				return strconv.Itoa(i + 1)
			}
		}
		notes = append(notes, why)
		return strconv.Itoa(len(notes))
	}
	out.WriteString("| behaviour |")
	for _, s := range all {
		fmt.Fprintf(&out, " %s `%s` |", s.Acquirer, s.Capability.Method)
	}
	out.WriteString("\n|---|" + strings.Repeat("---|", len(all)) + "\n")
	for _, b := range behaviours() {
		fmt.Fprintf(&out, "| %s |", b.name)
		for _, s := range all {
			apply, why := b.cells(s.Capability)
			cell := "✓"
			if why != "" {
				cell = "– " + note(why)
			}
			for i, c := range apply {
				if i == 0 {
					cell += " "
				}
				cell += c.letter
			}
			fmt.Fprintf(&out, " %s |", cell)
		}
		out.WriteString("\n")
	}
	out.WriteString("\nThe letters are the calls of the port that pass:\n\n")
	for _, c := range calls {
		fmt.Fprintf(&out, "- %s: `%s`%s\n", c.letter, c.name, exception(c, all))
	}
	out.WriteString("\nWhy a behaviour does not apply:\n\n")
	for i, why := range notes {
		fmt.Fprintf(&out, "%d. %s\n", i+1, why)
	}
	return out.String()
}

// exception returns why a call does not apply to some methods.
func exception(c call, all []Column) string {
	for _, s := range all {
		if why := c.needs(s.Capability); why != "" {
			return "; without it: " + string(why)
		}
	}
	return ""
}

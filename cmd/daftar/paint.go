package main

import (
	"fmt"
	"strings"
	"unicode"

	"daftar/internal/ops"
)

// paint colours words for people who read along; the zero paint leaves them as
// they are.
type paint bool

// paint is on where the answer goes to a terminal whose owner did not ask for
// plain text (no-color.org).
func (p *program) paint() paint {
	variables := p.variables()
	return paint(ops.IsTerminal(p.out) && variables["NO_COLOR"] == "" && variables["TERM"] != "dumb")
}

func (p paint) with(code int, s string) string {
	if !p || s == "" {
		return s
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", code, s)
}

func (p paint) bold(s string) string  { return p.with(1, s) }
func (p paint) dim(s string) string   { return p.with(2, s) }
func (p paint) event(s string) string { return p.with(36, s) }
func (p paint) old(s string) string   { return p.with(31, s) }
func (p paint) fresh(s string) string { return p.with(32, s) }

// printable writes out, as \u, what would move the cursor or turn the direction of
// the text: what merchants sent is shown and never obeyed.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

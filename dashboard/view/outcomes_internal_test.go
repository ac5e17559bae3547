package view

import (
	"testing"

	"daftar/internal/layout"
	"daftar/internal/locale"
)

// The evidence of a statement is a sentence where it has the form of this release, and else is shown as it
// is.
func TestStatementsOfTheLedgerAreSentences(t *testing.T) {
	t.Parallel()
	r := rendering{T: textsIn(locale.English), Frame: layout.Frame{Lang: locale.English}}
	const (
		line   = `Line <bdi>214</bdi>`
		when   = ` · <time datetime="2026-11-20T15:42:00+02:00">20 Nov 2026, <bdi dir="ltr">15:42</bdi></time>`
		amount = ` · <bdi>1,234.500&nbsp;<small>LYD</small></bdi>`
		number = ` · <bdi dir="ltr" class="mono">TX 55 &lt;1&gt;</bdi>`
	)
	for text, want := range map[string]string{
		"":   "",
		"#0": "no line of it",
		"#214 TX 55 <1> 2026-11-20T13:42:00Z 1,234.500 LYD": line + number + when + amount,
		"#214 2026-11-20T13:42:00Z 1,234.500 LYD":           line + when + amount,
		"#214 1,234.500 LYD":                                line + amount,
		"#214 2026-11-20T25:42:00Z 1,234.500 LYD": `<bdi dir="ltr" class="mono">` +
			`#214 2026-11-20T25:42:00Z 1,234.500 LYD</bdi>`,
		"page 3 <b>": `<bdi dir="ltr" class="mono">page 3 &lt;b&gt;</bdi>`,
	} {
		if got := string(r.Statement(text)); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}

package acceptance_test

import (
	"fmt"
	"strings"
	"time"
)

// Values that are only long or deep.
var (
	deepList, deepObject   = strings.Repeat("[", 40) + strings.Repeat("]", 40), strings.Repeat("{", 20_000)
	longToken, longAddress = strings.Repeat("a", 4000), "https://" + strings.Repeat("a", 2040)
	longNotification       = strings.Repeat("x", 70<<10)
	zeroKey, fullToken     = "pk_" + strings.Repeat("0", 64), "at_" + strings.Repeat("A", 30) + "3RMkXz"
)

// reference is mostly that of an existing intent, so that ten million requests do not fill the
// disk.
func (g *generator) reference() string {
	if g.oneIn(4) {
		return g.pick(g.text(), g.value())
	}
	return fmt.Sprintf(`"order-%d"`, g.IntN(2000))
}

func (g *generator) numeral() string {
	return g.pick("0", "-1", "999", "1000000001", "1e3", "1000.0", `"1000"`, "9223372036854775808",
		"123456789012345678901234567890", "-0", "01", "1E400", "null", "[]", "0x10")
}

func (g *generator) value() string {
	return g.pick("null", "true", "[]", "{}", `""`, g.numeral(), g.text(), `[[[{"a":[1,{}]}]]]`,
		`{"a":1,"a":2}`, deepList)
}

var alphabet = []string{
	"a", "Z", "9", " ", "-", "_", ".", "/", `\\`, `\"`, `\n`, `\t`, `\u0000`, `\u202e`, `\ud83d\ude00`,
	`\ud800`, `\udc00`, "ﷺ", "م", "٣", "😀", "é", "e\u0301", "\u200f", "<", ">", "&", "'", "%", ";", "{{",
	"\x7f", "\xc3", "\x01", "\u2028",
}

// text is a JSON string, sometimes too long or invalid.
func (g *generator) text() string {
	at := g.IntN(len(g.texts))
	if g.texts[at] == "" || g.oneIn(32) {
		g.texts[at] = g.newText()
	}
	return g.texts[at]
}

var lengths = []int{0, 1, 8, 8, 40, 255, 256, 300}

func (g *generator) newText() string {
	n := lengths[g.IntN(len(lengths))]
	var b strings.Builder
	b.WriteByte('"')
	letters := alphabet[:g.IntN(len(alphabet))+1]
	if g.oneIn(2) {
		letters = []string{"a", "م", "1"}
	}
	for range n {
		b.WriteString(g.pick(letters...))
	}
	b.WriteByte('"')
	return b.String()
}

func (g *generator) metadata() string {
	pairs := make([]string, g.IntN(g.IntN(24)+1))
	for n := range pairs {
		pairs[n] = g.pick(fmt.Sprintf(`"k%d"`, n), g.text()) + ":" + g.pick(`"v"`, g.text(), g.value())
	}
	return g.pick("null", "{}", "{"+strings.Join(pairs, ",")+"}", g.value())
}

func (g *generator) address() string {
	return g.pick("https://shop.example/1", "lyshop://orders/1", "javascript:alert(1)", "JaVaScRiPt:x",
		"data:text/html,x", "https:evil", "https:///x", "//evil", "/x",
		"https://u:p@evil.example", "https://[::1]:99999/", "https://xn--/", "http://shop.example/%zz",
		longAddress, "\u202ehttps://x", " https://x", "https://x\tb")
}

func (g *generator) instant() string {
	return g.pick(
		time.Now().Add(time.Hour).Format(time.RFC3339), time.Now().Add(-time.Hour).Format(time.RFC3339),
		"2026-11-21T10:00:00", "2026-13-41T25:61:61Z", "tomorrow", "",
		"9999-12-31T23:59:59.999999999+23:59", "0000-00-00T00:00:00Z",
		"2026-11-21T10:00:00.1234567890123Z", "2026-W47")
}

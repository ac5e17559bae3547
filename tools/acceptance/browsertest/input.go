package browsertest

import (
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Keys for Press.
const (
	TabKey    = kb.Tab
	Enter     = kb.Enter
	Space     = " "
	Down      = kb.ArrowDown
	Up        = kb.ArrowUp
	Backspace = kb.Backspace
	End       = kb.End
)

// The first pause between two checks of a page, and the longest. Each check takes processor time
// from the browser, and some pages change only after half a minute.
const (
	pause        = 20 * time.Millisecond
	longestPause = 250 * time.Millisecond
)

// nextPause returns the pause after p.
func nextPause(p time.Duration) time.Duration { return min(p*3/2, longestPause) }

// target is the point where an element can be clicked.
type target struct {
	There, Enabled bool
	X, Y           float64
	Hit            string // what a click there would reach instead of the element
}

const findTarget = `(() => {
	const e = document.querySelector(SELECTOR)
	if (!e) return {There: false}
	e.scrollIntoView({block: "center", behavior: "instant"})
	const r = e.getClientRects()[0] ?? e.getBoundingClientRect()
	const x = r.x + r.width / 2, y = r.y + r.height / 2
	const hit = document.elementFromPoint(x, y)
	const ours = hit && (e.contains(hit) ||
		hit.contains(e) && hit.closest("label") ||
		hit.closest("label")?.control === e)
	return {
		There: r.width > 0 && r.height > 0, Enabled: !e.matches(":disabled"), X: x, Y: y,
		Hit: ours ? "" : hit?.outerHTML ?? "nothing"
	}
})()`

// Click clicks the middle of the first matching element, once it is there and enabled. An element
// that covers it fails the test, as it would stop a visitor.
func (b *Tab) Click(selector string) {
	b.t.Helper()
	b.click(selector, 1)
}

// ClickWhereShown clicks the first matching element, if the page has one at this moment: on a page
// that scripts change, the element may be gone. It may click twice, so a second click must have no
// effect.
func (b *Tab) ClickWhereShown(selector string) {
	b.t.Helper()
	b.read("document.querySelector("+quote(selector)+")?.click() ?? true", new(bool), func() bool {
		return true
	})
}

// DoubleClick clicks twice, as an impatient visitor does.
func (b *Tab) DoubleClick(selector string) {
	b.t.Helper()
	b.click(selector, 2)
}

func (b *Tab) click(selector string, times int) {
	b.t.Helper()
	var at target
	b.read(strings.Replace(findTarget, "SELECTOR", quote(selector), 1), &at, func() bool {
		return at.There && at.Enabled
	})
	if at.Hit != "" {
		b.t.Fatalf("browser: %s is covered by %s", selector, at.Hit)
	}
	for n := range times {
		b.do("click "+selector, chromedp.MouseClickXY(at.X, at.Y, chromedp.ClickCount(n+1)))
	}
}

// Fill replaces the content of a field by typing key by key.
func (b *Tab) Fill(selector, text string) {
	b.t.Helper()
	b.Click(selector)
	b.read("document.querySelector("+quote(selector)+").select() ?? true", new(bool), func() bool {
		return true
	})
	b.do("type", chromedp.KeyEvent(text, asFromKeyboard))
}

// Press presses keys one after the other in the element that has the focus.
func (b *Tab) Press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.do("press", chromedp.KeyEvent(key, asFromKeyboard))
	}
}

// asFromKeyboard makes a key-down event that acts like a keyboard's: if the key itself did something,
// such as Enter on a link, its character is dropped. Otherwise the character would reach the
// element that has the focus afterwards, and could submit a form.
func asFromKeyboard(p *input.DispatchKeyEventParams) {
	if p.Type == input.DispatchKeyEventTypeKeyDown {
		p.Type = input.DispatchKeyEventTypeRawKeyDown
	}
}

// PressShift presses a key with Shift held.
func (b *Tab) PressShift(key string) {
	b.t.Helper()
	b.do("press", chromedp.KeyEvent(key, asFromKeyboard, chromedp.KeyModifiers(chromedp.ModifierShift)))
}

// Focus describes the element that has the focus.
type Focus struct {
	Tag, ID, Name, Value, Text, Href string
	Visible                          bool // the page draws a focus ring around it
}

const readFocus = `(() => {
	const e = document.activeElement
	const ringed = [e, e.closest("label")].filter(x => x).some(x => {
		const s = getComputedStyle(x)
		return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2
	})
	return {
		Tag: e.localName, ID: e.id, Name: e.getAttribute("name") ?? "", Value: e.value ?? "",
		Text: e.innerText ?? "", Href: e.getAttribute("href") ?? "", Visible: ringed,
	}
})()`

// Focus returns the element that has the focus, or body.
func (b *Tab) Focus() Focus {
	b.t.Helper()
	var f Focus
	b.read(readFocus, &f, func() bool { return f.Tag != "" })
	f.Text = strings.ReplaceAll(f.Text, "\u00a0", " ")
	return f
}

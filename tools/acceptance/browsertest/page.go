package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// Page is what a visitor sees. In the texts, non-breaking spaces are replaced by ordinary ones.
type Page struct {
	Status  int    // of the response
	Address string // with the fragment
	State   string // data-state of main
	Detail  string // data-detail of main
	Lang    string
	Dir     string
	Title   string
	Heading string // the first h1
	Text    string // of main, or of body without one; hidden text is left out
	// Overflow is the number of pixels by which the page is wider than the screen.
	Overflow int
}

const readPage = `(() => {
	const main = document.querySelector("main"), root = document.documentElement
	const screen = Math.min(root.clientWidth, innerWidth)
	return {
		Ready: document.readyState === "complete" && !!document.body,
		Address: location.href, State: main?.dataset.state ?? "", Detail: main?.dataset.detail ?? "",
		Lang: root.lang, Dir: root.dir, Title: document.title,
		Heading: document.querySelector("h1")?.innerText ?? "",
		Text: (main ?? document.body)?.innerText ?? "",
		Overflow: Math.max(root.scrollWidth, document.body?.scrollWidth ?? 0) - screen,
	}
})()`

// Page returns the current page after it has loaded completely.
func (b *Tab) Page() Page {
	b.t.Helper()
	var seen struct {
		Page

		Ready bool
	}
	b.read(readPage, &seen, func() bool { return seen.Ready })
	seen.Status = b.watch.lastStatus()
	for _, text := range []*string{&seen.Text, &seen.Title, &seen.Heading} {
		*text = strings.ReplaceAll(*text, "\u00a0", " ")
	}
	return seen.Page
}

// read evaluates an expression until its value satisfies good. It may run while the browser changes
// pages, and then repeats the evaluation on the next page.
func (b *Tab) read(expression string, into any, good func() bool) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	var last error
	for p := pause; ctx.Err() == nil; p = nextPause(p) {
		var raw []byte
		raw, last = chromedp.Run(ctx, chromedp.Evaluate[[]byte](expression, chromedp.EvalAsValue))
		if last == nil {
			last = json.Unmarshal(raw, into)
		}
		if last == nil && good() {
			return
		}
		_ = chromedp.Do(ctx, chromedp.Sleep(p))
	}
	b.t.Fatalf("browser: read %q: %v (got %+v)", expression, last, into)
}

// Evaluate evaluates an expression in the page. The expression must have no side effects, because
// it may be evaluated twice.
func Evaluate[A any](b *Tab, expression string) A {
	b.t.Helper()
	var answer struct{ Value A }
	b.read("({Value: "+expression+"})", &answer, func() bool { return true })
	return answer.Value
}

// Attribute returns an attribute of the first matching element; without one the test fails.
func (b *Tab) Attribute(selector, name string) string {
	b.t.Helper()
	var found struct{ Value *string }
	script := fmt.Sprintf(`({Value: document.querySelector(%s)?.getAttribute(%s)})`,
		quote(selector), quote(name))
	b.read(script, &found, func() bool { return found.Value != nil })
	return *found.Value
}

// Count returns the number of matching elements.
func (b *Tab) Count(selector string) int {
	b.t.Helper()
	return Evaluate[int](b, "document.querySelectorAll("+quote(selector)+").length")
}

// quote writes a text as a JavaScript string.
func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string can always be marshaled
	}
	return string(text)
}

// command returns a step that sends one command to the browser.
func command[P, R any](ctx context.Context, c cdp.Command[P, R], params P) func() error {
	return func() error {
		_, err := chromedp.Call(ctx, c, params)
		return err
	}
}

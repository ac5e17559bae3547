package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Violation is a rule of axe-core that a page breaks, and where.
type Violation struct {
	Rule   string `json:"id"`
	Impact string `json:"impact"`
	Help   string `json:"help"`
	Nodes  []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

func (v Violation) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s (%s): %s", v.Rule, v.Impact, v.Help)
	for _, n := range v.Nodes {
		fmt.Fprintf(&s, "\n\t%s\n\t%s", n.HTML, strings.ReplaceAll(n.Summary, "\n", " "))
	}
	return s.String()
}

// axeScript is the source of axe-core.
var axeScript = sync.OnceValues(func() (string, error) {
	root, err := repositoryRoot()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(root, "tools", "acceptance", "browsertest",
		"axe", "node_modules", "axe-core", "axe.min.js"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("axe-core is not there: " +
			"run `npm ci` in tools/acceptance/browsertest/axe (make deps does)")
	}
	return string(text), err
})

// Axe checks the page against every rule of axe-core. The checker runs in an isolated world: the
// page's policy and scripts do not affect it, and the page cannot see it. If the tab's scripts are
// off, they are on only while the checker runs; the page stays as it was loaded.
func (b *Tab) Axe() []Violation {
	b.t.Helper()
	script, err := axeScript()
	if err != nil {
		b.t.Fatalf("browser: %v", err)
	}
	b.Page() // loaded completely
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	world, err := chromedp.Call(ctx, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{
		FrameID: cdp.FrameID(b.watch.frame), WorldName: axeWorld,
	})
	if err != nil {
		b.t.Fatalf("browser: make a world for axe: %v", err)
	}
	if !b.options.Scripts {
		b.allowScripts(true)
		defer b.allowScripts(false)
	}
	inWorld := func(p *runtime.EvaluateParams) { p.ContextID = world.ExecutionContextID }
	loaded, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`typeof axe === "object"`, inWorld))
	if err == nil && !loaded {
		err = chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](script, inWorld))
	}
	if err != nil {
		b.t.Fatalf("browser: load axe: %v", err)
	}
	b.preloadAxe(ctx, script)
	// Without preload: axe's own requests for style sheets would count as the page's. Without
	// iframes: a frame's content is another page, and a frame without scripts would not answer.
	run := `axe
		.run(document, {preload: false, iframes: false, resultTypes: ["violations"]})
		.then(r => JSON.stringify({violations: r.violations, passes: r.passes.length}))`
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](run, inWorld, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("browser: run axe: %v", err)
	}
	var result struct {
		Violations []Violation
		Passes     int
	}
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		b.t.Fatalf("browser: read what axe says: %v", err)
	}
	if result.Passes == 0 {
		b.t.Fatal("browser: axe checked nothing")
	}
	return result.Violations
}

// axeWorld is the isolated world of axe in a page.
const axeWorld = "axe"

// preloadAxe makes all pages that the tab loads from now on load axe too, in its world. Sending half
// a megabyte for each page would take about as long as loading the page.
func (b *Tab) preloadAxe(ctx context.Context, script string) {
	b.t.Helper()
	if b.axeSent {
		return
	}
	b.axeSent = true
	err := command(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: script, WorldName: axeWorld,
	})()
	if err != nil {
		b.t.Fatalf("browser: have pages load axe: %v", err)
	}
}

// MustPassAxe fails the test for every rule that the page breaks.
func (b *Tab) MustPassAxe() {
	b.t.Helper()
	for _, v := range b.Axe() {
		b.t.Errorf("%s: %s", Evaluate[string](b, "location.href"), v)
	}
}

package browsertest

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Options are who visits, and with what.
type Options struct {
	Width, Height int    // of the screen, in pixels of the page; 0: 390 × 844
	Scripts       bool   // false: JavaScript is off
	Dark          bool   // the visitor prefers the dark scheme
	Language      string // Accept-Language; empty: none is sent
	FontSize      int    // the text size that the visitor set, in pixels; 0: the usual 16
	ReducedMotion bool   // the visitor does not want things to move
	Print         bool   // the page is shown as on paper
	ForcedColors  bool   // the visitor's system sets all colours, as for high contrast
	Slow          *Slow  // the visitor's network; nil: as fast as it gets
}

// Slow is a network.
type Slow struct {
	Latency        time.Duration // of each request, until the first byte of the answer
	BytesPerSecond int
}

// phone is the widest screen on which a page is treated as on a phone.
const phone = 600

// Tab is a visitor's window, with cookies and a cache of its own.
type Tab struct {
	t       testing.TB
	ctx     context.Context
	options Options
	watch   *watch
	axeSent bool // the browser has axe, for the next pages
}

// Open opens a tab; the end of the test closes it and reports its faults.
func Open(t testing.TB, o Options) *Tab {
	t.Helper()
	if o.Width == 0 {
		o.Width, o.Height = 390, 844
	}
	if o.Height == 0 {
		o.Height = 800
	}
	parent, err := running()
	if err != nil {
		t.Fatalf("browser: %v", err)
	}
	ctx, closeTab := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	t.Cleanup(closeTab)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("browser: open tab: %v", err)
	}
	b := &Tab{t: t, ctx: ctx, options: o, watch: newWatch()}
	b.watch.frame = string(chromedp.FromContext(ctx).Target.TargetID)
	// A dialog holds the page up until somebody answers it.
	b.watch.dismiss = func() {
		_ = command(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: false})()
	}
	if err := chromedp.Listen(ctx, b.watch.see); err != nil {
		t.Fatalf("browser: watch tab: %v", err)
	}
	b.equip()
	t.Cleanup(func() {
		for _, fault := range b.watch.found() {
			t.Errorf("browser: %s", fault)
		}
	})
	return b
}

// equip gives the tab the visitor's screen and settings.
func (b *Tab) equip() {
	b.t.Helper()
	o := b.options
	scheme := "light"
	if o.Dark {
		scheme = "dark"
	}
	medium := ""
	if o.Print {
		medium = "print"
	}
	motion := "no-preference"
	if o.ReducedMotion {
		motion = "reduce"
	}
	forced := "none"
	if o.ForcedColors {
		forced = "active"
	}
	b.do("set up the tab", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		steps := []func() error{
			screen(ctx, o.Width, o.Height),
			command(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Media: medium,
				Features: []*emulation.MediaFeature{
					{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion},
					{Name: "forced-colors", Value: forced},
				},
			}),
		}
		if o.Language != "" {
			steps = append(steps, command(ctx, network.SetExtraHTTPHeaders,
				network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": o.Language}}))
		}
		if o.FontSize != 0 {
			steps = append(steps, fontSize(ctx, o.FontSize, o.FontSize))
		}
		if s := o.Slow; s != nil {
			steps = append(steps, command(ctx, network.EmulateNetworkConditionsByRule,
				network.EmulateNetworkConditionsByRuleParams{
					MatchedNetworkConditions: []*network.Conditions{{
						Latency: float64(s.Latency.Milliseconds()), DownloadThroughput: float64(s.BytesPerSecond),
						UploadThroughput: float64(s.BytesPerSecond),
					}},
				}))
		}
		for _, step := range steps {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	}))
	b.allowScripts(o.Scripts)
}

func (b *Tab) allowScripts(allowed bool) {
	b.t.Helper()
	b.do("switch scripts", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		return command(ctx, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: !allowed})()
	}))
}

// do takes steps that must be possible at once.
func (b *Tab) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("browser: %s: %v", what, err)
	}
}

// Navigate types an address and returns the page it leads to.
func (b *Tab) Navigate(address string) Page {
	b.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		b.t.Fatalf("browser: %v", err)
	}
	b.watch.allow(u.Host)
	return b.Load("navigate to "+address, func() { b.do("navigate", navigation(address)) })
}

// navigation only starts the journey; Load waits for its end.
func navigation(address string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		result, err := chromedp.Call(ctx, page.Navigate, page.NavigateParams{URL: address})
		if err == nil && result.ErrorText != "" {
			return &chromedp.LoadError{ErrorText: result.ErrorText}
		}
		return err
	})
}

// Load takes a step that leads to a page, the same or another, and returns that
// page when it is complete.
func (b *Tab) Load(what string, step func()) Page {
	b.t.Helper()
	before := b.watch.loads()
	step()
	b.waitFor(what+" to load a page", func() bool { return b.watch.loads() > before })
	return b.Page()
}

// Follow clicks what leads to another page: a link, or the button of a form.
func (b *Tab) Follow(selector string) Page {
	b.t.Helper()
	return b.Load("a click on "+selector, func() { b.Click(selector) })
}

// Back presses the browser's back button.
func (b *Tab) Back() Page {
	b.t.Helper()
	return b.Load("the back button", func() {
		b.do("go back", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			history, err := chromedp.NavigationEntries()(ctx, t)
			if err != nil {
				return err
			}
			if history.CurrentIndex < 1 {
				b.t.Fatal("browser: there is no page to go back to")
			}
			entry := history.Entries[history.CurrentIndex-1].ID
			return command(ctx, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: entry})()
		}))
	})
}

// Await waits until the page is as it should be, by itself.
func (b *Tab) Await(what string, so func(Page) bool) Page {
	b.t.Helper()
	var seen Page
	b.waitFor(what, func() bool {
		seen = b.Page()
		return so(seen)
	})
	return seen
}

// Requests are what the page that is shown has asked for, itself included, once each has
// ended: a font is asked for only when the page is drawn, which may be after it is loaded.
// Addresses without a host (data:) do not count: nothing is fetched.
func (b *Tab) Requests() []Request {
	b.t.Helper()
	var drawn bool
	b.waitFor("the page to be drawn in its fonts", func() bool {
		b.read(`document.body.offsetHeight >= 0 && document.fonts.status === "loaded"`, &drawn,
			func() bool { return true })
		return drawn
	})
	var requests []Request
	var waiting []string
	b.waitFor("the page's requests to end", func() bool {
		requests, waiting = b.watch.fetched()
		return len(waiting) == 0
	})
	return requests
}

// Allow lets pages of the tab ask the hosts (HOST:PORT) from now on. Those of the
// addresses that the test navigates to are allowed anyway.
func (b *Tab) Allow(hosts ...string) {
	for _, host := range hosts {
		b.watch.allow(host)
	}
}

func (b *Tab) waitFor(what string, so func() bool) {
	b.t.Helper()
	limit := time.After(patience)
	for p := pause; !so(); p = longer(p) {
		select {
		case <-time.After(p):
		case <-limit:
			_, waiting := b.watch.fetched()
			b.t.Fatalf("browser: waited in vain for %s; not fetched yet: %q; faults: %q; the page: %+v",
				what, waiting, b.watch.found(), b.Page())
		}
	}
}

// Faults are what the tab did wrong so far; the end of the test reports them.
func (b *Tab) Faults() []string { return b.watch.found() }

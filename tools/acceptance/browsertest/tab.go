package browsertest

import (
	"context"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Options are the visitor's browser settings.
type Options struct {
	Width, Height int    // of the screen, in pixels of the page; 0: 390 × 844
	Scripts       bool   // false: JavaScript is off
	Dark          bool   // the visitor prefers the dark scheme
	Language      string // Accept-Language; empty: none is sent
	Zone          string // of the visitor’s clock: Africa/Tripoli; empty: the machine’s
	FontSize      int    // the text size that the visitor set, in pixels; 0: the usual 16
	ReducedMotion bool   // the visitor prefers reduced motion
	Print         bool   // the page is shown as in print
	ForcedColors  bool   // the visitor's system sets all colours, as for high contrast
	Slow          *Slow  // the visitor's network; nil: without a limit
}

// Slow is a network with limits.
type Slow struct {
	Latency        time.Duration // of each request, until the first byte of the answer
	BytesPerSecond int
}

// phone is the widest screen that counts as a phone.
const phone = 600

// Tab is a visitor's window, with separate cookies and a separate cache.
type Tab struct {
	t       testing.TB
	ctx     context.Context
	options Options
	watch   *watch
	end     func() // closes the tab and reports its faults, once
	axeSent bool   // the browser loads axe into the next pages
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
	parent, err := browserContext()
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
	// An open dialog blocks the page until it is answered.
	b.watch.dismiss = func() {
		_ = command(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: false})()
	}
	if err := chromedp.Listen(ctx, b.watch.handle); err != nil {
		t.Fatalf("browser: watch tab: %v", err)
	}
	b.applyOptions()
	b.end = sync.OnceFunc(func() {
		for _, fault := range b.watch.found() {
			t.Errorf("browser: %s", fault)
		}
		closeTab()
	})
	t.Cleanup(b.end)
	return b
}

// applyOptions applies the visitor's screen and settings to the tab.
func (b *Tab) applyOptions() {
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
			headers := network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": o.Language}}
			steps = append(steps, command(ctx, network.SetExtraHTTPHeaders, headers))
		}
		if o.Zone != "" {
			zone := emulation.SetTimezoneOverrideParams{TimezoneID: o.Zone}
			steps = append(steps, command(ctx, emulation.SetTimezoneOverride, zone))
		}
		if o.FontSize != 0 {
			steps = append(steps, fontSize(ctx, o.FontSize, o.FontSize))
		}
		if s := o.Slow; s != nil {
			slow := network.EmulateNetworkConditionsByRuleParams{
				MatchedNetworkConditions: []*network.Conditions{{
					Latency:            float64(s.Latency.Milliseconds()),
					DownloadThroughput: float64(s.BytesPerSecond),
					UploadThroughput:   float64(s.BytesPerSecond),
				}},
			}
			steps = append(steps, command(ctx, network.EmulateNetworkConditionsByRule, slow))
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

// do runs steps that must succeed at once.
func (b *Tab) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("browser: %s: %v", what, err)
	}
}

// Navigate opens an address and returns the page.
func (b *Tab) Navigate(address string) Page {
	b.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		b.t.Fatalf("browser: %v", err)
	}
	if b.watch.allow(u.Host) {
		b.t.Cleanup(b.end) // before the test ends the server there: the page may still ask it
	}
	return b.Load("navigate to "+address, func() { b.do("navigate", navigation(address)) })
}

// navigation only starts the navigation; Load waits for its end.
func navigation(address string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		result, err := chromedp.Call(ctx, page.Navigate, page.NavigateParams{URL: address})
		if err == nil && result.ErrorText != "" {
			return &chromedp.LoadError{ErrorText: result.ErrorText}
		}
		return err
	})
}

// Load runs a step that leads to a page, the same or another, and returns that page when it has
// loaded completely.
func (b *Tab) Load(what string, step func()) Page {
	b.t.Helper()
	before := b.watch.loads()
	step()
	b.waitFor(what+" to load a page", func() bool { return b.watch.loads() > before })
	return b.Page()
}

// Follow clicks an element that leads to another page: a link, or the button of a form.
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

// Await waits until the page satisfies a condition without further input.
func (b *Tab) Await(what string, so func(Page) bool) Page {
	b.t.Helper()
	var seen Page
	b.waitFor(what, func() bool {
		seen = b.Page()
		return so(seen)
	})
	return seen
}

// Requests returns the requests of the current page, including its own, after each has ended: a
// font is requested only when the page is drawn, which may be after it has loaded. Addresses
// without a host (data:) do not count, because nothing is fetched.
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

// Allow permits requests of the tab's pages to the hosts (HOST:PORT) from now on. The hosts to
// which the test navigates are always allowed.
func (b *Tab) Allow(hosts ...string) {
	for _, host := range hosts {
		b.watch.allow(host)
	}
}

func (b *Tab) waitFor(what string, so func() bool) {
	b.t.Helper()
	limit := time.After(patience)
	for p := pause; !so(); p = nextPause(p) {
		select {
		case <-time.After(p):
		case <-limit:
			_, waiting := b.watch.fetched()
			b.t.Fatalf("browser: waited in vain for %s; not fetched yet: %q; faults: %q; the page: %+v",
				what, waiting, b.watch.found(), b.Page())
		}
	}
}

// Faults returns the faults so far; the end of the test reports them.
func (b *Tab) Faults() []string { return b.watch.found() }

package browsertest

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// Request is one request of a page.
type Request struct {
	URL    string
	Type   string // in the browser's terms: Document, Stylesheet, Script, Font, Image, Fetch, XHR
	Status int
	Bytes  int // as transferred, including headers
}

// watch records what a tab does. The browser reports events to see, on one goroutine.
type watch struct {
	frame   string // the page itself, not a frame in it
	dismiss func() // answers a dialog

	mu       sync.Mutex
	hosts    []string
	faults   []string
	loaded   int
	document network.RequestID // of the current or the loading page
	status   int
	frames   map[cdp.FrameID]bool // in the current page
	requests []Request
	place    map[network.RequestID]int // in requests
	waiting  map[network.RequestID]string
}

func newWatch() *watch {
	return &watch{
		frames: map[cdp.FrameID]bool{}, place: map[network.RequestID]int{}, waiting: map[network.RequestID]string{},
	}
}

func (w *watch) handle(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *page.EventLoadEventFired:
		w.loaded++
	case *page.EventFrameNavigated:
		if e.Type == page.NavigationTypeBackForwardCacheRestore && e.Frame.ParentID == "" {
			w.loaded++ // no second load event follows
		}
	case *page.EventFrameAttached:
		w.frames[e.FrameID] = true
	case *page.EventJavascriptDialogOpening:
		w.faultf("dialog %s: %q", e.Type, e.Message)
		go w.dismiss() // see must not wait for the browser
	case *runtime.EventConsoleAPICalled:
		w.console(e)
	case *runtime.EventExceptionThrown:
		w.faultf("uncaught exception: %s", exception(e.ExceptionDetails))
	case *log.EventEntryAdded:
		w.entry(e.Entry)
	case *network.EventRequestWillBeSent:
		w.request(e)
	case *network.EventResponseReceived:
		w.response(e)
	case *network.EventLoadingFinished:
		if n, known := w.place[e.RequestID]; known {
			w.requests[n].Bytes = int(e.EncodedDataLength)
		}
		delete(w.waiting, e.RequestID)
	case *network.EventLoadingFailed:
		w.failed(e)
	}
}

func (w *watch) faultf(format string, args ...any) {
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

func (w *watch) console(e *runtime.EventConsoleAPICalled) {
	switch e.Type {
	case runtime.ConsoleAPICalledTypeError,
		runtime.ConsoleAPICalledTypeWarning,
		runtime.ConsoleAPICalledTypeAssert:
		var words []string
		for _, arg := range e.Args {
			words = append(words, string(arg.Value)+arg.Description)
		}
		w.faultf("console.%s: %s", e.Type, strings.Join(words, " "))
	default: // a developer's own log messages
	}
}

func exception(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	return d.Text
}

// entry handles what the browser itself writes on the console, such as violations of the content
// security policy and answers with an error status.
func (w *watch) entry(e *log.Entry) {
	if e.Source == log.EntrySourceNetwork && e.NetworkRequestID == w.document {
		return // the page's own status is in Page
	}
	if e.Level == log.EntryLevelError || e.Level == log.EntryLevelWarning {
		w.faultf("console: %s %s: %s %s", e.Source, e.Level, e.Text, e.URL)
	}
}

func (w *watch) request(e *network.EventRequestWillBeSent) {
	u, err := url.Parse(e.Request.URL)
	if err != nil || u.Host == "" {
		return
	}
	if !slices.Contains(w.hosts, u.Host) {
		w.faultf("request to another host: %s", e.Request.URL)
	}
	if e.Type == network.ResourceTypeDocument && string(e.FrameID) == w.frame && e.RequestID != w.document {
		w.document, w.status = e.RequestID, 0
		w.requests = nil
		clear(w.place)
		clear(w.frames)
	}
	w.waiting[e.RequestID] = e.Request.URL
	// A page that is being left may still send requests, and so may its frames; the browser does not
	// report how they end.
	if string(e.FrameID) == w.frame && string(e.LoaderID) != string(w.document) ||
		string(e.FrameID) != w.frame && !w.frames[e.FrameID] {
		return
	}
	if n, known := w.place[e.RequestID]; known && e.RedirectResponse != nil {
		w.requests[n].Status = int(e.RedirectResponse.Status)
		w.requests[n].Bytes = int(e.RedirectResponse.EncodedDataLength)
	}
	w.place[e.RequestID] = len(w.requests)
	w.requests = append(w.requests, Request{URL: e.Request.URL, Type: string(e.Type)})
}

func (w *watch) response(e *network.EventResponseReceived) {
	if n, known := w.place[e.RequestID]; known {
		w.requests[n].Status = int(e.Response.Status)
	}
	if e.RequestID == w.document {
		w.status = int(e.Response.Status)
	}
}

func (w *watch) failed(e *network.EventLoadingFailed) {
	address, asked := w.waiting[e.RequestID]
	delete(w.waiting, e.RequestID)
	if e.BlockedReason != "" {
		w.faultf("request blocked (%s): %s", e.BlockedReason, address)
		return
	}
	// Leaving a page cancels its pending requests. Requests without a page are the browser's own:
	// for Fonts it loads the text of style sheets.
	if asked && !e.Canceled && e.ErrorText != "net::ERR_ABORTED" {
		w.faultf("request failed (%s): %s", e.ErrorText, address)
	}
}

// allow permits requests to a host; it returns false if they were permitted already.
func (w *watch) allow(host string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if host == "" || slices.Contains(w.hosts, host) {
		return false
	}
	w.hosts = append(w.hosts, host)
	return true
}

func (w *watch) loads() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.loaded
}

func (w *watch) found() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.faults)
}

// fetched returns the page's requests, and the addresses of those that have not ended.
func (w *watch) fetched() (_ []Request, waiting []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := range w.place {
		if address, waits := w.waiting[id]; waits {
			waiting = append(waiting, address)
		}
	}
	return slices.Clone(w.requests), waiting
}

func (w *watch) lastStatus() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status
}

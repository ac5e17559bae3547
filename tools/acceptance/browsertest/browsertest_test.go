package browsertest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"daftar/tools/acceptance/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Around(m).Run()) }

// site serves pages by path; "{other}" in them is the address of another host.
func site(t *testing.T, pages map[string]string) (host string) {
	t.Helper()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "/* */")
	}))
	t.Cleanup(other.Close)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, known := pages[r.URL.Path]
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		if strings.HasSuffix(r.URL.Path, ".js") {
			w.Header().Set("Content-Type", "text/javascript")
		}
		if strings.HasPrefix(r.URL.Path, "/strict") {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; img-src data:")
		}
		if !known {
			w.WriteHeader(http.StatusNotFound)
			body = page(`<main data-state="not-found"><h1>nothing</h1></main>`)
		}
		fmt.Fprint(w, strings.ReplaceAll(body, "{other}", other.URL))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// page is a document without a fault.
func page(main string) string {
	return `<!doctype html><html lang="en" dir="ltr"><head>` +
		`<meta name="viewport" content="width=device-width, initial-scale=1">` +
		`<title>A page</title><link rel="icon" href="data:,"></head><body>` + main + `</body></html>`
}

// witness is a test that records failures instead of failing.
type witness struct {
	testing.TB
	mu       sync.Mutex
	errors   []string
	cleanups []func()
}

func (w *witness) Errorf(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errors = append(w.errors, fmt.Sprintf(format, args...))
}

func (w *witness) Cleanup(f func()) { w.cleanups = append(w.cleanups, f) }

// end runs the cleanup functions, as the end of a test does.
func (w *witness) end() []string {
	for _, f := range slices.Backward(w.cleanups) {
		f()
	}
	w.cleanups = nil
	return w.errors
}

// Each of these pages does something that none of our pages may do, and its test fails for it.
func TestFaultsFailTheTest(t *testing.T) {
	t.Parallel()
	host := site(t, map[string]string{
		"/warning":      page(`<main><h1>x</h1></main><script>console.warn("careful")</script>`),
		"/error":        page(`<main><h1>x</h1></main><script>console.error("broken")</script>`),
		"/exception":    page(`<main><h1>x</h1></main><script>undefined.x</script>`),
		"/later":        page(`<main><h1>x</h1></main><script>Promise.reject(new Error("unheard"))</script>`),
		"/strict":       page(`<main><h1>x</h1></main><script>document.title = "inline"</script>`),
		"/strict/style": page(`<main style="color: red"><h1>x</h1></main>`),
		"/elsewhere":    page(`<main><h1>x</h1></main><link rel="stylesheet" href="{other}/a.css">`),
		"/missing":      page(`<main><h1>x</h1></main><script src="/none.js"></script>`),
		"/dead": page(`<main><h1>x</h1></main>
			<script>fetch("http://127.0.0.1:1/").catch(() => {})</script>`),
		"/dialog": page(`<main><h1>x</h1></main><script>setTimeout(() => alert("hear, hear"))</script>`),
		"/quiet":  page(`<main><h1>x</h1></main><script>console.log("to myself")</script>`),
	})
	for path, want := range map[string]string{
		"/warning": "careful", "/error": "broken", "/exception": "TypeError", "/later": "unheard",
		"/strict": "inline script", "/strict/style": "inline style", "/elsewhere": "another host",
		"/missing": "404",
		"/dead":    "another host", "/dialog": "hear, hear", "/quiet": "",
		"/no-such-page": "", // the test has to check its status
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			w := &witness{TB: t}
			b := browsertest.Open(w, browsertest.Options{Scripts: true})
			b.Navigate(host + path)
			if want != "" {
				b.Await("the fault", func(browsertest.Page) bool { return len(b.Faults()) > 0 })
			}
			found := strings.ToLower(strings.Join(w.end(), "\n"))
			if !strings.Contains(found, strings.ToLower(want)) || want == "" && found != "" {
				t.Errorf("found %q, want %q", found, want)
			}
		})
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	host := site(t, map[string]string{
		"/": page(`<main data-state="pay" data-detail="failed"><h1>How&nbsp;much</h1>` +
			`<p hidden>secret</p><noscript>off </noscript><a href="/wide">on</a></main>`),
		"/wide": page(`<main><h1>x</h1><div style="inline-size: 500px">wide</div>` +
			`<button onclick="document.title='pressed'">b</button>
			<input name="a" value="old"><style>:focus-visible { outline: 3px solid }</style>` +
			`<script>document.title = "ran"</script></main>`),
	})
	for _, scripts := range []bool{false, true} {
		t.Run(fmt.Sprint("scripts=", scripts), func(t *testing.T) {
			t.Parallel()
			b := browsertest.Open(t, browsertest.Options{Width: 320, Scripts: scripts, Dark: true, Language: "ar"})
			p := b.Navigate(host + "/")
			want := "How much off on"
			if scripts {
				want = "How much on"
			}
			if p.Status != 200 || p.State != "pay" || p.Detail != "failed" || p.Lang != "en" || p.Dir != "ltr" ||
				p.Title != "A page" ||
				p.Heading != "How much" || strings.Join(strings.Fields(p.Text), " ") != want || p.Overflow != 0 {
				t.Errorf("%+v", p)
			}
			if !browsertest.Evaluate[bool](b, `matchMedia("(prefers-color-scheme: dark)").matches`) {
				t.Error("the scheme is not dark")
			}
			p = b.Follow("a")
			if ran := p.Title == "ran"; ran != scripts || p.Overflow < 150 {
				t.Errorf("%+v", p)
			}
			b.Click("button")
			b.Fill("input", "new")
			if got := browsertest.Evaluate[string](b, `document.querySelector("input").value`); got != "new" {
				t.Errorf("the field holds %q", got)
			}
			if f := b.Focus(); f.Tag != "input" || f.Name != "a" || f.Value != "new" {
				t.Errorf("focus %+v", f)
			}
			b.PressShift(browsertest.TabKey)
			if f := b.Focus(); f.Tag != "button" || !f.Visible {
				t.Errorf("focus %+v", f)
			}
			if p := b.Page(); p.Title == "pressed" != scripts {
				t.Errorf("after the click %+v", p)
			}
			if p := b.Back(); p.State != "pay" {
				t.Errorf("back at %+v", p)
			}
			if p := b.Navigate(host + "/none"); p.Status != 404 || p.State != "not-found" {
				t.Errorf("%+v", p)
			}
		})
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	host := site(t, map[string]string{
		"/":     page(`<main><h1>x</h1><a href="/next">n</a></main><script src="/a.js"></script>`),
		"/next": page(`<main><h1>y</h1></main><script src="/b.js"></script>`),
		"/a.js": "1", "/b.js": "2",
	})
	b := browsertest.Open(t, browsertest.Options{Scripts: true})
	b.Navigate(host + "/")
	b.Follow("a")
	got := b.Requests()
	if len(got) != 2 || got[0].URL != host+"/next" || got[0].Type != "Document" || got[0].Bytes < 100 ||
		got[1].URL != host+"/b.js" || got[1].Status != 200 {
		t.Errorf("%+v", got)
	}
}

// A font that the page requests only when it draws is among its requests, with its answer.
func TestRequestsEnd(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/font" {
			http.ServeFile(w, r, "../../../internal/layout/font/daftar-arabic.woff2")
			return
		}
		fmt.Fprint(w, `<!doctype html><title>x</title><link rel="icon" href="data:,"><style>
			@font-face { font-family: late; src: url(/font) } h1 { font-family: late }</style><main></main>`)
	}))
	t.Cleanup(s.Close)
	b := browsertest.Open(t, browsertest.Options{Scripts: true})
	b.Navigate(s.URL)
	browsertest.Evaluate[string](b, `document.querySelector("main").innerHTML = "<h1>دفتر</h1>"`)
	got := b.Requests()
	if len(got) != 2 || got[1].Type != "Font" || got[1].Status != http.StatusOK || got[1].Bytes == 0 {
		t.Errorf("%+v", got)
	}
}

// Requests that a page, or a frame in it, sends while the next page loads do not count as the next
// page's.
func TestPageThatIsLeftAsks(t *testing.T) {
	t.Parallel()
	for _, who := range []string{"window", "frames[0]"} {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			asked := make(chan struct{})
			const empty = `<!doctype html><title>x</title><link rel="icon" href="data:,"><main></main>`
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/state":
					close(asked)
					<-r.Context().Done()
				case "/next":
					<-asked
					fmt.Fprint(w, empty)
				case "/frame":
					fmt.Fprint(w, empty)
				default:
					fmt.Fprint(w, empty+`<iframe src="/frame"></iframe>`)
				}
			}))
			t.Cleanup(s.Close)
			b := browsertest.Open(t, browsertest.Options{Scripts: true})
			b.Navigate(s.URL)
			b.Load("the next page", func() {
				browsertest.Evaluate[int](b, `(location = "/next",
					`+who+`.setTimeout(() => `+who+`.fetch("/state").catch(() => 0), 50))`)
			})
			if got := b.Requests(); len(got) != 1 || !strings.HasSuffix(got[0].URL, "/next") {
				t.Errorf("the next page has asked for %+v, want itself alone", got)
			}
		})
	}
}

// axe-core runs with and without scripts, on a page whose policy allows nothing.
func TestAxe(t *testing.T) {
	t.Parallel()
	host := site(t, map[string]string{
		"/strict":       page(`<main><h1>Fine</h1><p>text</p></main>`),
		"/strict/wrong": page(`<main><h1>Wrong</h1><input name="nameless"></main>`),
	})
	for _, scripts := range []bool{false, true} {
		t.Run(fmt.Sprint("scripts=", scripts), func(t *testing.T) {
			t.Parallel()
			b := browsertest.Open(t, browsertest.Options{Scripts: scripts})
			b.Navigate(host + "/strict")
			b.MustPassAxe()
			b.Navigate(host + "/strict/wrong")
			found := b.Axe()
			if len(found) != 1 || found[0].Rule != "label" || !strings.Contains(found[0].String(), "nameless") {
				t.Errorf("found %v", found)
			}
		})
	}
}

// After a change of the text size or the window, a page has the same layout as one that was loaded
// so.
func TestSettingsChangeThePage(t *testing.T) {
	t.Parallel()
	host := site(t, map[string]string{"/": page(`<style>
		body { margin: 0 } main { inline-size: 10rem } p { display: none }
		@media (max-width: 14em) { p { display: block } }
		@media (min-width: 1000px) { main { inline-size: 50vw } }
		</style><main><h1>x</h1><p>large</p><code>code</code></main>`)})
	const look = `[innerWidth, document.querySelector("main").offsetWidth,
		document.querySelector("p").offsetHeight, document.querySelector("code").offsetHeight]`
	changed := browsertest.Open(t, browsertest.Options{Width: 320, Height: 640})
	changed.Navigate(host + "/")
	for _, o := range []browsertest.Options{
		{Width: 320, Height: 640, FontSize: 32}, {Width: 1280, Height: 640, FontSize: 32},
		{Width: 1280, Height: 800}, {Width: 320, Height: 640},
	} {
		changed.SetFontSize(o.FontSize)
		changed.Resize(o.Width, o.Height)
		loaded := browsertest.Open(t, o)
		loaded.Navigate(host + "/")
		got, want := browsertest.Evaluate[[4]float64](changed, look), browsertest.Evaluate[[4]float64](loaded, look)
		if got != want || got[0] != float64(o.Width) {
			t.Errorf("%+v: %v, want %v as where it was loaded so", o, got, want)
		}
	}
}

func TestScreenshot(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("DAFTAR_PAGES", dir)
	host := site(t, map[string]string{
		"/": page(`<main><h1>x</h1><div style="block-size: 3000px">high</div></main>`),
	})
	b := browsertest.Open(t, browsertest.Options{Width: 320, Height: 400})
	b.Navigate(host + "/")
	b.Screenshot("some/page")
	text, err := os.ReadFile(filepath.Join(dir, "some", "page.png"))
	if err != nil || len(text) < 1000 || string(text[1:4]) != "PNG" {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	height := func(png []byte) int { return int(png[22])<<8 | int(png[23]) }
	if height(text) < 3000 {
		t.Errorf("the picture is %d pixels high: it ends with the screen", height(text))
	}
	if got := height(b.Picture(500)); got != 500 {
		t.Errorf("a picture of 500 pixels is %d high", got)
	}
	if got := b.Browser(); !strings.Contains(got, "Chrom") || !strings.Contains(got, "/") {
		t.Errorf("the browser is %q", got)
	}
}

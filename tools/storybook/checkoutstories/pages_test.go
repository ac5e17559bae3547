package checkoutstories_test

import (
	"bytes"
	"compress/gzip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daftar/checkout"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/payments/acquirer/sandbox"
	"daftar/tools/storybook/checkoutstories"
)

var languages = []locale.Lang{locale.Arabic, locale.English}

// forbidden matches what the content security policy would block, what would send data about
// the customer to another host, and what templates write after a mistake.
var forbidden = regexp.MustCompile(`(?i)<script(?: src="[^"]+" defer)?>[^<]|<style|<img|<iframe|` +
	`\sstyle=|\son[a-z]+=|<link[^>]+https?:|ZgotmplZ|<no value>|%!`)

// Every state is a valid page in both languages.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, s := range checkoutstories.All() {
		for _, lang := range languages {
			t.Run(s.Name+"-"+lang.String(), func(t *testing.T) {
				t.Parallel()
				text := render(t, s.Page(lang))
				d := parse(t, text)

				root := d.one(t, "html")
				if root.attr("lang") != lang.String() || root.attr("dir") != lang.Dir() {
					t.Errorf("lang %q, dir %q", root.attr("lang"), root.attr("dir"))
				}
				if got := d.one(t, "main").attr("data-state"); got != s.State {
					t.Errorf("data-state %q, want %q", got, s.State)
				}
				main := d.one(t, "main")
				if got := main.attr("data-detail"); got != s.Detail || main.has("data-detail") != (s.Detail != "") {
					t.Errorf("data-detail %q, want %q", got, s.Detail)
				}
				got, want := d.one(t, "title").text(), s.Title.In(lang)
				if got != want && !strings.HasPrefix(got, want+" · ") {
					t.Errorf("title %q, want %q first", got, want)
				}
				d.one(t, "h1")
				if found := forbidden.FindString(text); found != "" {
					t.Errorf("the page contains %q", found)
				}
				if strings.Contains(text, locale.Arabic.Name()) != (lang == locale.English) {
					t.Error("the switch does not name the other language")
				}
				checkReferences(t, d)
				checkScript(t, d, s)
				if size := packed(t, text); size > 15<<10 {
					t.Errorf("%d bytes packed, the budget is 15 kB", size)
				}
			})
		}
	}
}

// checkScript checks that the page has at most one script of ours and one of an acquirer's form,
// and what ours needs: one live region, which is empty at first, so that screen readers announce
// its text.
func checkScript(t *testing.T, d document, s checkoutstories.Story) {
	t.Helper()
	var live []document
	for _, n := range d.all("") {
		if n.attr("role") == "status" || n.has("aria-live") {
			live = append(live, n)
		}
	}
	scripts := d.all("script")
	if len(scripts) == 0 {
		if len(live) > 0 || d.one(t, "main").has("data-watch") {
			t.Error("a page without the script expects something of it")
		}
		return
	}
	var loaded []string
	for _, script := range scripts {
		switch {
		case script.attr("type") == "application/json": // nothing that runs
		case script.has("defer") && script.text() == "":
			loaded = append(loaded, script.attr("src"))
		default:
			t.Errorf("a script that holds the page up: %v", script.Attr)
		}
	}
	want := []string{layout.ScriptPath}
	if form, drawn := s.Shown.(checkout.Lightbox); drawn {
		want = append(want, form.ScriptURL)
	}
	if !slices.Equal(loaded, want) {
		t.Errorf("scripts %v, want %v", loaded, want)
	}
	if len(live) != 1 || live[0].text() != "" {
		t.Errorf("%d live regions, want one, empty", len(live))
	}
	for _, m := range d.all("meta") {
		if m.attr("http-equiv") == "refresh" && m.Parent.Data != "noscript" {
			t.Error("the page loads itself although the script does so")
		}
	}
}

// The switch links to the same page, and every form keeps the language.
func TestLanguageIsKept(t *testing.T) {
	t.Parallel()
	for _, s := range checkoutstories.All() {
		for lang, query := range map[locale.Lang]string{locale.Arabic: "", locale.English: "?lang=en"} {
			d := parse(t, render(t, s.Page(lang)))
			other := map[string]string{"": "?lang=en", "?lang=en": ""}[query]
			if got := d.with(t, "a", "class", "switch").attr("href"); got != checkoutstories.Address+other {
				t.Errorf("%s: the switch leads to %s", s.Name, got)
			}
			for _, form := range d.all("form") {
				action := form.attr("action")
				if form.attr("method") != "post" || !strings.HasPrefix(action, checkoutstories.Address+"/") ||
					strings.HasSuffix(action, "?lang=en") != (lang == locale.English) {
					t.Errorf("%s: form %s %s", s.Name, form.attr("method"), action)
				}
			}
		}
	}
}

func TestSandboxIsShown(t *testing.T) {
	t.Parallel()
	for _, s := range checkoutstories.All() {
		for lang, words := range map[locale.Lang]string{
			locale.Arabic:  "وضع التجربة: لا تُسحب أموال حقيقية",
			locale.English: "Test mode: no real money moves",
		} {
			for _, sandbox := range []bool{true, false} {
				p := s.Page(lang)
				p.Sandbox = sandbox
				if strings.Contains(render(t, p), words) != sandbox {
					t.Errorf("%s: sandbox %t: banner is wrong", s.Name, sandbox)
				}
			}
		}
	}
}

// A merchant's text cannot contain markup.
func TestMerchantTextIsEscaped(t *testing.T) {
	t.Parallel()
	for _, evil := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</bdi></main><form action=//evil>`, `{{.}}`,
		"</title><script>", "\u2069\u202e<b>", `javascript:alert(1)`, `' autofocus onfocus='alert(1)`,
	} {
		o := changed(func(o *checkout.Order) { o.Merchant, o.Description = evil, evil })
		for _, state := range []checkout.State{
			checkout.Pay{
				Order: o, Deadline: checkoutstories.Deadline, Offers: checkoutstories.Offers(),
				Action: checkoutstories.PayAction, Phone: evil, PhoneProblem: checkout.PhoneNotMobile,
			},
			checkout.OTP{Order: o, SentTo: evil, Action: checkoutstories.CodeAction}, checkout.Processing{Order: o},
			checkout.Receipt{
				Order: o, PaidAt: checkoutstories.PaidAt, Method: sandbox.Wallet, Payer: evil,
				CheckURL: checkoutstories.CheckURL, PictureURL: checkoutstories.ReceiptPicture,
			},
			checkout.Expired{Order: o},
		} {
			text := render(t, checkout.Page{
				Lang: locale.Arabic, Address: checkoutstories.Address, State: state,
			})
			d := parse(t, text)
			for _, script := range d.all("script") {
				if script.attr("src") != layout.ScriptPath || script.text() != "" {
					t.Errorf("%q became a script in %T", evil, state)
				}
			}
			if len(d.all("img")) > 0 {
				t.Errorf("%q became markup in %T", evil, state)
			}
			checkIsolated(t, d, evil)
			got := d.one(t, "title").text()
			if strings.Count(got, "\u2069") != 1 || !strings.HasSuffix(got, "\u2069") {
				t.Errorf("title %q: the merchant's name is not isolated", got)
			}
		}
	}
}

// checkIsolated finds the merchant's words outside a bdi element; in a text without markup they are
// between isolates.
func checkIsolated(t *testing.T, d document, words string) {
	t.Helper()
	found := 0
	for _, n := range d.one(t, "body").texts() {
		if !strings.Contains(n.Data, words) {
			continue
		}
		found++
		if n.Parent.Data != "bdi" && !strings.Contains(n.Data, "\u2068"+words+"\u2069") {
			t.Errorf("%q stands in %s, not in bdi", words, n.Parent.Data)
		}
	}
	if found < 2 {
		t.Errorf("%q is shown %d times, want the name and the description", words, found)
	}
}

func TestReturnLink(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://shop.example/o/1?a=1&b=2": "https://shop.example/o/1?a=1&b=2",
		"http://127.0.0.1:3000/back":       "http://127.0.0.1:3000/back",
		"lyshop://orders/1":                "lyshop://orders/1",
		"":                                 "",
		"javascript:alert(1)":              "",
		"JaVaScRiPt:alert(1)":              "",
		"\x20javascript:alert(1)":          "",
		"java\tscript:alert(1)":            "",
		"data:text/html,x":                 "",
		"vbscript:x":                       "",
		"blob:https://x/1":                 "",
		"file:///etc/passwd":               "",
		"https:evil.example":               "",
		"https://user:pass@evil.example":   "",
		"//evil.example":                   "",
		"/relative":                        "",
		`lyshop://o/"><script>`:            `lyshop://o/"><script>`,
		"https://shop.example/سوق?x='(1)'+&y=%2f;z[]=*~!$,@": "https://shop.example/سوق?x='(1)'+&y=%2f;z[]=*~!$,@",
		"lyshop:orders/'1'":         "lyshop:orders/'1'",
		"tel:0912345678":            "",
		"SMS:0912345678":            "",
		"intent://x#Intent;end":     "",
		"ms-word:ofe|u|https://x/1": "",
		"search-ms:query=x":         "",
		"mailto:a@x.example":        "",
	} {
		o := changed(func(o *checkout.Order) { o.ReturnURL = address })
		for name, state := range map[string]checkout.State{
			"receipt": checkout.Receipt{
				Order: o, PaidAt: checkoutstories.PaidAt, Method: sandbox.Card, SendBack: true,
			},
			"late": checkout.Receipt{
				Order: o, PaidAt: checkoutstories.PaidAt, Method: sandbox.Card, Late: true,
			},
			"twice": checkout.Receipt{
				Order: o, PaidAt: checkoutstories.PaidAt, Method: sandbox.Card, Twice: true,
			},
			"expired": checkout.Expired{Order: o},
			"pay": checkout.Pay{
				Order: o, Deadline: checkoutstories.Deadline, Offers: checkoutstories.Offers(),
				Action: checkoutstories.PayAction,
			},
		} {
			d := parse(t, render(t, checkout.Page{Address: "/c", State: state}))
			got := ""
			for _, a := range d.all("a") {
				if a.attr("rel") == "noreferrer" {
					got = a.attr("href")
				}
			}
			if got != want {
				t.Errorf("%s: return URL %q is linked as %q, want %q", name, address, got, want)
			}
			refresh := ""
			if name == "receipt" && want != "" {
				refresh = "8;url=" + address
			}
			if got := d.refresh(); got != refresh {
				t.Errorf("%s: return URL %q: refresh %q, want %q", name, address, got, refresh)
			}
		}
	}
}

// checkReferences checks that every id that the page refers to exists.
func checkReferences(t *testing.T, d document) {
	t.Helper()
	ids := map[string]int{}
	for _, n := range d.all("") {
		if id := n.attr("id"); id != "" {
			ids[id]++
		}
	}
	for id, times := range ids {
		if times > 1 {
			t.Errorf("id %s is there %d times", id, times)
		}
	}
	var used []string
	for _, n := range d.all("") {
		used = append(used, strings.Fields(n.attr("aria-describedby"))...)
		used = append(used, strings.Fields(n.attr("for"))...)
		if target, local := strings.CutPrefix(n.attr("href"), "#"); local {
			used = append(used, target)
		}
	}
	for _, id := range used {
		if ids[id] == 0 {
			t.Errorf("nothing has the id %s", id)
		}
	}
}

// changed returns the order of the stories with a change.
func changed(change func(*checkout.Order)) checkout.Order {
	o := checkoutstories.Order()
	change(&o)
	return o
}

func render(t *testing.T, p checkout.Page) string {
	t.Helper()
	text, err := p.Render()
	if err != nil {
		t.Fatalf("render: %v", err)
	}
	return string(text)
}

func packed(t *testing.T, text string) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

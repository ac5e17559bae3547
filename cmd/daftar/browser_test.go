package main_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// tab is a page of a real Chromium, on a phone's screen, that runs no scripts:
// the checkout must not need any.
type tab struct {
	*testing.T
	ctx context.Context
}

func openTab(t *testing.T) tab {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Fatal("no Chromium: make deps installs it")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.WindowSize(390, 844))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, closeBrowser := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(closeBrowser)
	ctx, closeTab := chromedp.NewContext(allocator)
	t.Cleanup(closeTab)
	noScripts := emulation.SetScriptExecutionDisabledParams{Value: true}
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, noScripts); err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	t.Cleanup(cancel)
	return tab{t, ctx}
}

// ask runs one step and gives its answer.
func ask[A any](b tab, a chromedp.Action[A]) A {
	b.Helper()
	v, err := chromedp.Run(b.ctx, a)
	if err != nil {
		b.Fatalf("browser: %v", err)
	}
	return v
}

// page is what a customer sees.
type page struct{ lang, dir, state, text string }

// load takes the steps, which must lead to a page, and reads it.
func (b tab) load(steps ...chromedp.Action[chromedp.Void]) page {
	b.Helper()
	if _, err := chromedp.RunResponse(b.ctx, steps...); err != nil {
		b.Fatalf("browser: %v", err)
	}
	return page{
		lang: ask(b, chromedp.AttributeValue("html", "lang")).Value, dir: ask(b, chromedp.AttributeValue("html", "dir")).Value,
		state: ask(b, chromedp.AttributeValue("main", "data-state")).Value,
		text:  strings.ReplaceAll(ask(b, chromedp.Text("main")), "\u00a0", " "),
	}
}

func (b tab) wayBack() string {
	b.Helper()
	return ask(b, chromedp.AttributeValue("main a.btn", "href")).Value
}

// A newcomer's first payment: the printed curl, the page in a browser without
// JavaScript, phone and code, the receipt, and `succeeded` from GET.
func TestFirstPayment(t *testing.T) { //nolint:tparallel // the money of both parts is counted at the end
	t.Parallel()
	d := demo(t, t.TempDir())
	for _, c := range []struct{ lang, dir, query, pay, code string }{
		{"ar", "rtl", "", "5.000 د.ل", "العودة"},
		{"en", "ltr", "?lang=en", "5.000 LYD", "Back to"},
	} {
		t.Run(c.lang, func(t *testing.T) {
			uuid, checkoutURL := d.order(t, "browser-"+c.lang, `,"return_url":"https://shop.example/thanks?order=7"`)
			b := openTab(t)
			p := b.load(chromedp.Navigate(checkoutURL + c.query))
			if p.lang != c.lang || p.dir != c.dir || p.state != "pay" || !strings.Contains(p.text, c.pay) {
				t.Fatalf("pay page %+v", p)
			}
			if style := ask(b, chromedp.Evaluate[string](`getComputedStyle(document.querySelector("button")).backgroundColor`)); style != "rgb(11, 93, 87)" {
				t.Errorf("the button is %s: the style sheet has not arrived", style)
			}
			p = b.load(chromedp.Click(`input[name=method][value=wallet]`), chromedp.SendKeys(`input[name=phone]`, "٠٩١ ٢٣٤ ٥٦٧٨"), chromedp.Click(`button`))
			if p.lang != c.lang || p.state != "otp" || !strings.Contains(p.text, "091•••5678") {
				t.Fatalf("code page %+v", p)
			}
			if status := d.get(t, uuid); status != "processing" {
				t.Errorf("status %s while the payer types the code", status)
			}
			p = b.load(chromedp.SendKeys(`input[name=otp]`, "222222"), chromedp.Click(`button`))
			if p.state != "otp" {
				t.Fatalf("after a wrong code %+v", p)
			}
			p = b.load(chromedp.SendKeys(`input[name=otp]`, "111111"), chromedp.Click(`button`))
			if p.lang != c.lang || p.state != "receipt" || !strings.Contains(p.text, c.code) {
				t.Fatalf("receipt %+v", p)
			}
			var body struct {
				Data struct{ Reference, Status string }
			}
			d.fetch(t, d.base+"/payment-intents/"+uuid, &body)
			reference := strings.TrimSpace(ask(b, chromedp.Text(".ref")))
			if !strings.EqualFold(reference, body.Data.Reference) || reference == "" {
				t.Errorf("the receipt shows %q for %q", reference, body.Data.Reference)
			}
			if body.Data.Status != "succeeded" {
				t.Errorf("status %s after the receipt", body.Data.Status)
			}
			if link := b.wayBack(); link != "https://shop.example/thanks?order=7" {
				t.Errorf("the way back leads to %q", link)
			}
		})
	}
	var taken []struct {
		Intent   string `json:"intent"`
		Amount   int64  `json:"amount"`
		Currency string `json:"currency"`
	}
	d.fetch(t, d.sandbox+"/control/ledger", &taken)
	if len(taken) != 2 || taken[0].Amount != 5000 || taken[1].Amount != 5000 || taken[0].Currency != "LYD" {
		t.Errorf("the sandbox took %+v, want 5000 twice", taken)
	}
}

// A payer who comes after the time sees so, with the way back and no form.
func TestExpiredPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := demo(t, dir)
	uuid, _ := d.order(t, "expires", `,"return_url":"https://shop.example/thanks"`)
	d.stop(t, syscall.SIGINT)
	later := demo(t, dir, "DAFTAR_CLOCK_OFFSET=25h")
	if status := later.get(t, uuid); status != "canceled" {
		t.Errorf("status %s after the expiry", status)
	}
	_, checkoutURL := later.order(t, "expires", `,"return_url":"https://shop.example/thanks"`)
	b := openTab(t)
	for lang, query := range map[string]string{"ar": "", "en": "?lang=en"} {
		if p := b.load(chromedp.Navigate(checkoutURL + query)); p.state != "expired" || p.lang != lang {
			t.Errorf("page %+v", p)
		}
		if link := b.wayBack(); link != "https://shop.example/thanks" {
			t.Errorf("the way back leads to %q", link)
		}
	}
}

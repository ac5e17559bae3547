package checkout_test

import (
	"image/png"
	"net/http"
	"strings"
	"testing"
	"time"

	"daftar/checkout"
	"daftar/checkout/receiptpicture"
	"daftar/domain"
)

// A paid intent has a picture of its receipt, the same for everyone who opens the page; other
// intents have none, and other links lead to none.
func TestReceiptIsAPicture(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid, open := w.pay(w.create()), w.create()
	address := w.want(w.visit(path(paid)), 200, "receipt").document.with(t, "a", "download",
		paid.Reference.Capitals()+".png").attr("href")
	if address != path(paid)+"/receipt.png" {
		t.Errorf("the page leads to %q", address)
	}

	picture := w.visit(address)
	m, err := png.Decode(strings.NewReader(picture.body))
	if err != nil || m.Bounds().Dx() != receiptpicture.Width {
		t.Fatalf("picture: %v, %v", err, picture.header)
	}
	if got := picture.header.Get("Content-Type"); got != "image/png" {
		t.Errorf("Content-Type %q", got)
	}
	if got := picture.header.Get("Cache-Control"); got != "private, max-age=600" {
		t.Errorf("Cache-Control %q", got)
	}
	if w.visit(address).body != picture.body || w.visit(address+"?lang=en").body == picture.body {
		t.Error("the same receipt has two pictures, or two languages have one")
	}
	known := w.send(http.MethodGet, address, nil, func(r *http.Request) {
		r.Header.Set("If-None-Match", picture.header.Get("ETag"))
	})
	if known.status != http.StatusNotModified {
		t.Errorf("a picture that the browser has is %d", known.status)
	}

	w.want(w.visit(path(open)+"/receipt.png"), 404, "not-found")
	w.atCode(open, "0912345678")
	w.want(w.visit(path(open)+"/receipt.png"), 404, "not-found")
	token := string(paid.CheckoutToken)
	for _, wrong := range []string{
		strings.Replace(address, token, token[:len(token)-1]+"!", 1),
		strings.Replace(address, token, string(open.CheckoutToken), 1),
		w.receiptOf(paid) + "/receipt.png",
	} {
		w.want(w.visit(wrong), 404, "not-found")
	}
	if got := w.send(http.MethodPost, address, nil); got.status != http.StatusMethodNotAllowed {
		t.Errorf("POST is %d", got.status)
	}
}

// The picture is of the payment, not of who paid or opens the page, and says that no money moved.
func TestPictureIsOfThePayment(t *testing.T) {
	t.Parallel()
	paidAt := time.Now() // once: the picture shows the minute, and the next one begins at any time
	draw := func(mode domain.Mode, change func(*checkout.Receipt)) string {
		r := checkout.Receipt{
			Order: checkout.Order{
				Merchant: merchant, Mode: mode, Description: "كتابان", Reference: "7k3qx0m2td",
				Amount: domain.Money{Minor: 45_750, Currency: domain.LYD},
			},
			PaidAt: paidAt, Method: "wallet", Payer: "0912345678", CheckURL: "https://pay.example/receipt/u/t",
		}
		change(&r)
		file, err := checkout.Page{State: r}.Picture()
		if err != nil {
			t.Fatal(err)
		}
		return string(file)
	}
	same := func(*checkout.Receipt) {}
	picture := draw(domain.ModeLive, same)
	for _, other := range []func(*checkout.Receipt){
		func(r *checkout.Receipt) { r.Payer = "0925554444" },
		func(r *checkout.Receipt) { r.Reopened = true },
		func(r *checkout.Receipt) { r.SendBack = true },
	} {
		if draw(domain.ModeLive, other) != picture {
			t.Error("the picture depends on who paid or looks, or when")
		}
	}
	for _, other := range []string{
		draw(domain.ModeTest, same),
		draw(domain.ModeLive, func(r *checkout.Receipt) { r.Late = true }),
		draw(domain.ModeLive, func(r *checkout.Receipt) { r.Twice = true }),
	} {
		if other == picture {
			t.Error("the picture does not say that it was a test, late or a second payment")
		}
	}
}

// Inside Facebook, Instagram and the WebView of Android nothing is printed or downloaded: the
// picture opens, and a hint says how to keep it.
func TestReceiptInApps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.pay(w.create())
	const (
		android = "Mozilla/5.0 (Linux; Android 13; SM-A135F"
		chrome  = ") AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36"
		iPhone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
	)
	for agent, inApp := range map[string]bool{
		android + chrome:          false,
		android + "; wv" + chrome: true,
		android + chrome + " [FB_IAB/FB4A;FBAV/530.0.0.48.74;]":                       true,
		iPhone + " Mobile/15E148 [FBAN/FBIOS;FBAV/530.0.0.0.1;FBDV/iPhone14,5]":       true,
		iPhone + " Mobile/15E148 Instagram 400.0.0.1.2 (iPhone14,5; iOS 18_5; ar_LY)": true,
		iPhone + " Version/18.5 Mobile/15E148 Safari/604.1":                           false,
		"": false,
	} {
		page := w.want(w.send(http.MethodGet, path(i), nil, func(r *http.Request) {
			r.Header.Set("User-Agent", agent)
		}), 200, "receipt")
		if prints := strings.Contains(page.body, "data-print"); prints == inApp {
			t.Errorf("%q: the receipt is printed: %v", agent, prints)
		}
		if saves := strings.Contains(page.body, " download="); saves == inApp {
			t.Errorf("%q: the picture is downloaded: %v", agent, saves)
		}
		if hint := strings.Contains(page.body, "اضغط عليها مطوّلًا"); hint != inApp {
			t.Errorf("%q: the hint is there: %v", agent, hint)
		}
		for _, way := range []string{`href="https://wa.me/?text=`, `href="` + path(i) + `/receipt.png"`} {
			if !strings.Contains(page.body, way) {
				t.Errorf("%q: the page has no %s", agent, way)
			}
		}
	}
}

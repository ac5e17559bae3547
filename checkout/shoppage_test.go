package checkout_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/checkout"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/locale"
	"daftar/ledger"
)

const shopPage = "/shop/farjani"

// setShop makes the shop page of the world's application.
func (w *world) setShop(p settings.ShopPage) {
	w.t.Helper()
	owners := accounts.New(w.db.Pool(w.t), accounts.Options{SecretKey: secretKey(w.t)})
	s := settings.New(w.db.Pool(w.t), owners, secretKey(w.t), nil)
	if p.Name == "" {
		p.Name = strings.TrimPrefix(shopPage, checkout.ShopPrefix)
	}
	if err := s.SetShopPage(w.t.Context(), operator, w.app.Organization, w.app.ID, p); err != nil {
		w.t.Fatal(err)
	}
}

// creates sends the form of a page, and returns the intent to whose page the answer leads.
func (w *world) creates(page shown, amount string) domain.Intent {
	w.t.Helper()
	answer := w.want303(w.post(shopPage, url.Values{
		"form": {formNumberOf(page)}, "amount": {amount},
	}))
	at, _ := url.Parse(answer.header.Get("Location"))
	id, err := domain.ParseIntentID(strings.Split(strings.TrimPrefix(at.Path, "/pay/"), "/")[0])
	if err != nil {
		w.t.Fatalf("the answer leads to %s", at)
	}
	return w.load(id)
}

func formNumberOf(page shown) string {
	for _, field := range page.document.all("input") {
		if field.attr("name") == "form" {
			return field.attr("value")
		}
	}
	return ""
}

func TestAShopPageMakesAnIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setShop(settings.ShopPage{
		Enabled: true, Descriptions: locale.Text{Arabic: "كتب مستعملة", English: "Old books"},
	})
	page := w.want(w.visit(shopPage), http.StatusOK, "shop-page")
	contains(t, page, merchant, "كتب مستعملة", "كم تريد أن تدفع؟")
	i := w.creates(page, " ٢٥٫٥ ")
	if i.Application != w.app.ID || i.Amount.Minor != 25_500 || i.Description != "كتب مستعملة" ||
		i.ReturnURL != nil || !strings.HasPrefix(string(i.MerchantReference), "shop-") {
		t.Errorf("the intent is %+v", i)
	}
	if left := i.ExpiresAt.Sub(i.CreatedAt); left < 50*time.Minute || left > time.Hour {
		t.Errorf("it can be paid for %v", left)
	}
	recorded, err := eventstore.NewReader(w.pool).ReadStream(t.Context(), uuid.UUID(i.ID))
	if err != nil {
		t.Fatal(err)
	}
	if origin, err := recorded[0].Origin(); err != nil || origin.Actor != "payer" || origin.RequestID == "" {
		t.Errorf("it was made by %+v: %v", origin, err)
	}
	w.pay(i)

	// A double click is one intent; another amount, or a new form, is another.
	if again := w.creates(page, "25.5"); again.ID != i.ID {
		t.Error("a form that was sent twice made two intents")
	}
	english := w.want(w.visit(shopPage+"?lang=en"), http.StatusOK, "shop-page")
	contains(t, english, "Old books", "How much do you want to pay?")
	for _, other := range []domain.Intent{w.creates(page, "25.501"), w.creates(english, "25.5")} {
		if other.ID == i.ID {
			t.Error("an intent is shared")
		}
	}
}

func TestAFixedAmountIsTheShops(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setShop(settings.ShopPage{Enabled: true, Fixed: 5_000})
	page := w.want(w.visit(shopPage), http.StatusOK, "shop-page")
	contains(t, page, "5.000", "خمسة دنانير")
	if i := w.creates(page, "1"); i.Amount.Minor != 5_000 || i.Description != merchant {
		t.Errorf("the intent is %+v", i)
	}
}

func TestAmountsOfAShopPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setShop(settings.ShopPage{Enabled: true})
	for amount, says := range map[string]string{
		"":                          "اكتب المبلغ.",
		"0.999":                     "1,000,000.000",
		"1,000,000.001":             "1,000,000.000",
		"-5":                        "1,000,000.000",
		"10.5005":                   "1,000,000.000",
		"<b>5</b>":                  "1,000,000.000",
		strings.Repeat("9", 20_000): "اكتب المبلغ.", // a form that is too long is not read
	} {
		contains(t, w.want(w.post(shopPage, url.Values{"amount": {amount}}), 422, "shop-page"), says)
	}
	// The form has no method that takes it: the sandbox is for test applications here.
	c := w.config(w.acquirer)
	c.PublicURL = "https://pay.example"
	w.serve(serverOf(c).Handler())
	contains(t, w.want(w.post(shopPage, url.Values{"amount": {"5"}}), 422, "shop-page"), "لا تقبل وسائل الدفع")
	w.wantNoIntents()
}

func (w *world) wantNoIntents() {
	w.t.Helper()
	if n := w.position(); n != 0 {
		w.t.Errorf("%d events", n)
	}
}

// What is off, stopped or unknown takes nothing, with one answer.
func TestAShopPageThatTakesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	on := settings.ShopPage{Enabled: true}
	w.setShop(on)
	form := url.Values{"amount": {"5"}}
	unknown := w.want(w.visit("/shop/unknown"), 404, "not-found")
	closed := func(what string) {
		t.Helper()
		for _, answer := range []shown{w.visit(shopPage), w.post(shopPage, form)} {
			if w.want(answer, 404, "not-found"); answer.body != unknown.body {
				t.Errorf("%s: another page than of an unknown name", what)
			}
		}
	}
	for _, path := range []string{"/shop/", "/shop/Farjani", "/shop/farjani/x", "/shop/%00", "/shop/daftar"} {
		w.want(w.visit(path), 404, "not-found")
	}
	w.setShop(settings.ShopPage{})
	closed("off")
	w.setShop(on)
	w.want(w.visit(shopPage), 200, "shop-page")
	owners := accounts.New(w.db.Pool(t), accounts.Options{SecretKey: secretKey(t)})
	if err := owners.SetActive(t.Context(), operator, w.app.Organization, w.app.ID, false); err != nil {
		t.Fatal(err)
	}
	closed("not active")
	if err := owners.StopCheckouts(t.Context(), operator, w.app.Organization, w.app.ID); err != nil {
		t.Fatal(err)
	}
	closed("stopped")
	w.wantNoIntents()
}

// A form with an invented number never leads to an intent of the merchant's server.
func TestAShopPageNeverLeadsToOthersIntents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setShop(settings.ShopPage{Enabled: true})
	f, err := settings.New(w.pool, nil, secretKey(t), nil).Front(t.Context(), "farjani")
	if err != nil {
		t.Fatal(err)
	}
	theirs, _, err := w.ledger.Create(t.Context(), domain.Create{Terms: domain.Terms{
		Application: w.app.ID, MerchantReference: "shop-1042-5000", Description: "A secret",
		Amount: domain.Money{Minor: 5_000, Currency: domain.LYD},
	}}, f.Namespace, ledger.Origin{Actor: "application:" + w.app.ID.String()})
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range []string{"1042", "", strings.Repeat("a", 26), strings.Repeat("A", 27)} {
		answer := w.want303(w.post(shopPage, url.Values{"form": {number}, "amount": {"5"}}))
		if at := answer.header.Get("Location"); strings.Contains(at, theirs.ID.String()) {
			t.Errorf("the number %q leads to %s", number, at)
		}
	}
	answer := w.send(http.MethodPost, shopPage, url.Values{"amount": {"5"}}, func(r *http.Request) {
		r.Header.Set("Sec-Fetch-Site", "cross-site")
	})
	w.want(answer, http.StatusForbidden, "unavailable")
}

// A form that the browser has kept for longer than its intent leads to a new form.
func TestAnOldFormOfAShopPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setShop(settings.ShopPage{Enabled: true})
	page := w.visit(shopPage)
	w.creates(page, "5")
	w.later(2 * time.Hour)
	answer := w.want303(w.post(shopPage, url.Values{"form": {formNumberOf(page)}, "amount": {"5"}}))
	if at := answer.header.Get("Location"); at != shopPage {
		t.Errorf("it leads to %s", at)
	}
}

func TestAFloodOfIntentsOnAShopPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setShop(settings.ShopPage{Enabled: true})
	w.stopLinkClock()
	pay := func(address string) shown {
		return w.send(http.MethodPost, shopPage, url.Values{"amount": {"5"}}, func(r *http.Request) {
			r.Header.Set("X-Forwarded-For", address)
		})
	}
	for range checkout.ShopBurst {
		w.want303(pay("203.0.113.7"))
	}
	refused := w.want(pay("203.0.113.7"), http.StatusTooManyRequests, "shop-page")
	contains(t, refused, "بدأت من شبكتك مدفوعات كثيرة")
	if refused.header.Get("Retry-After") != "10" {
		t.Errorf("Retry-After %q", refused.header.Get("Retry-After"))
	}
	w.want303(pay("203.0.113.8"))
	w.want(w.from("203.0.113.7", shopPage), 200, "shop-page")
}

func TestAShopPageOfATestApplication(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.makeApplication(domain.ModeTest)
	w.setShop(settings.ShopPage{Enabled: true})
	c := w.config(w.acquirer)
	c.PublicURL = "https://pay.example"
	w.serve(serverOf(c).Handler())
	page := w.want(w.visit(shopPage), http.StatusOK, "shop-page")
	contains(t, page, "وضع التجربة")
	w.want(w.visit(path(w.creates(page, "5"))), http.StatusOK, "pay")
}

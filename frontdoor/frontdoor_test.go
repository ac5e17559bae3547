package frontdoor_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/frontdoor"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/projections"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const publicURL = "https://pay.shop.ly"

// ask sends a request from an address, as the server wraps it.
func ask(f *frontdoor.FrontDoor, method, address, from string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, address, http.NoBody)
	r.RemoteAddr = from + ":1234"
	for n := 0; n < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	if !f.Serves(r) {
		w.WriteHeader(http.StatusNotFound)
		return w
	}
	web.SecurityHeaders(publicURL)(f).ServeHTTP(w, r)
	return w
}

// The page needs no database, is the same for every reader, and leads to what there is.
func TestTheFrontDoor(t *testing.T) {
	t.Parallel()
	for _, signUp := range []bool{false, true} {
		f := frontdoor.New(frontdoor.Config{PublicURL: publicURL, SignUp: signUp, Log: zerolog.Nop()})
		for address, parts := range map[string][]string{
			"/": {`lang="ar" dir="rtl"`, `href="/docs"`, `href="/dashboard"`, `href="/?lang=en"`, "دفتر"},
			"/?lang=en": {`lang="en" dir="ltr"`, `href="/docs?lang=en"`, `href="/dashboard?lang=en"`, `href="/"`,
				"own account"},
		} {
			got := ask(f, http.MethodGet, address, "192.0.2.1")
			for _, part := range append(parts, `href="`+frontdoor.SheetPath+`"`) {
				if !strings.Contains(got.Body.String(), part) {
					t.Errorf("%s lacks %s", address, part)
				}
			}
			if got.Code != http.StatusOK || got.Header().Get("X-Robots-Tag") != "" ||
				!strings.HasPrefix(got.Header().Get("Cache-Control"), "public") {
				t.Errorf("%s: %d, %v", address, got.Code, got.Header())
			}
			if has := strings.Contains(got.Body.String(), "/dashboard/sign-up"); has != signUp {
				t.Errorf("%s leads to the sign-up: %t, want %t", address, has, signUp)
			}
			if strings.Contains(got.Body.String(), frontdoor.DemoPath) {
				t.Errorf("%s has a demonstration", address)
			}
		}
		for _, row := range [][2]string{{"POST", "/"}, {"GET", "/demo"}, {"POST", "/demo"}, {"GET", "/demo/x"}} {
			if got := ask(f, row[0], row[1], "192.0.2.1"); got.Code != http.StatusNotFound {
				t.Errorf("%s %s: %d", row[0], row[1], got.Code)
			}
		}
		if got := ask(f, http.MethodGet, frontdoor.SheetPath, "192.0.2.1"); got.Code != http.StatusOK {
			t.Errorf("the style sheet: %d", got.Code)
		}
	}
}

// demonstration is a front door with a demonstration.
type demonstration struct {
	*frontdoor.FrontDoor
	*accountstest.World

	app accounts.NewApplication
}

func newDemonstration(t *testing.T) demonstration {
	t.Helper()
	w := accountstest.NewWorld(t)
	app, err := w.Accounts.CreateApplication(t.Context(), accountstest.Operator, w.Org,
		accounts.Draft{Name: "تجربة", Mode: domain.ModeTest})
	if err != nil {
		t.Fatal(err)
	}
	store := eventstore.New(w.Pool, w.Pool, eventstore.Options{Inline: projections.Inline()})
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	intents := projections.NewIntents(w.Pool)
	t.Cleanup(intents.Close)
	demo, err := frontdoor.OpenDemo(t.Context(), w.Accounts, app.ID)
	if err != nil {
		t.Fatal(err)
	}
	return demonstration{frontdoor.New(frontdoor.Config{
		PublicURL: publicURL, Demo: demo, Ledger: ledger.New(store, intents), Now: w.Now.Now, Log: zerolog.Nop(),
	}), w, app}
}

const paymentsSQL = `
SELECT amount, left(merchant_reference, 5), return_url, checkout_url
FROM intents
WHERE application_uuid = $1
ORDER BY created_at DESC`

// The button makes a payment of the test application, and leads to its page in the reader's
// language. A form of another site makes none.
func TestDemonstration(t *testing.T) {
	t.Parallel()
	d := newDemonstration(t)
	page := ask(d.FrontDoor, http.MethodGet, "/?lang=en", "192.0.2.1").Body.String()
	for _, part := range []string{`method="post" action="/demo?lang=en"`, "5.000", "111111"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	forged := ask(d.FrontDoor, http.MethodPost, "/demo", "192.0.2.1", "Sec-Fetch-Site", "cross-site")
	if forged.Code != http.StatusForbidden {
		t.Errorf("a form of another site: %d", forged.Code)
	}
	got := ask(d.FrontDoor, http.MethodPost, "/demo?lang=en", "192.0.2.1", "Sec-Fetch-Site", "same-origin")
	var made struct {
		amount                int64
		reference, back, page string
	}
	err := d.Owner.QueryRow(t.Context(), paymentsSQL, d.app.ID).
		Scan(&made.amount, &made.reference, &made.back, &made.page)
	if err != nil || made.amount != 5_000 || made.reference != "demo-" || made.back != publicURL+"/?lang=en" {
		t.Errorf("the payment is %+v, %v", made, err)
	}
	if to := got.Header().Get("Location"); got.Code != http.StatusSeeOther || to != made.page+"?lang=en" {
		t.Errorf("%d, to %s, want %s", got.Code, to, made.page)
	}
	if got := ask(d.FrontDoor, http.MethodGet, "/demo?lang=en", "192.0.2.1"); got.Code != http.StatusSeeOther ||
		got.Header().Get("Location") != "/?lang=en" {
		t.Errorf("the form's address: %d, %v", got.Code, got.Header())
	}
	if err := d.Accounts.SetActive(t.Context(), accountstest.Operator, d.Org, d.app.ID, false); err != nil {
		t.Fatal(err)
	}
	got = ask(d.FrontDoor, http.MethodPost, "/demo", "192.0.2.1")
	if got.Code != http.StatusServiceUnavailable || !strings.Contains(got.Body.String(), `role="alert"`) {
		t.Errorf("of an application that is not active: %d\n%s", got.Code, got.Body)
	}
}

// Payments stay in the ledger for ever, so a network, and all of them together, can make some only.
func TestDemonstrationsAreLimited(t *testing.T) {
	t.Parallel()
	d := newDemonstration(t)
	flood := func(from string, most int) (made int) {
		for range most {
			switch got := ask(d.FrontDoor, http.MethodPost, "/demo", from); got.Code {
			case http.StatusSeeOther:
				made++
			case http.StatusTooManyRequests:
				if got.Header().Get("Retry-After") == "" || !strings.Contains(got.Body.String(), `role="alert"`) {
					t.Errorf("the answer is %v\n%s", got.Header(), got.Body)
				}
				return made
			default:
				t.Fatalf("%d", got.Code)
			}
		}
		return made
	}
	if made := flood("192.0.2.1", 30); made != 20 {
		t.Errorf("a network made %d at once", made)
	}
	total := 20
	for _, from := range []string{"192.0.2.2", "192.0.2.3", "192.0.2.4"} {
		total += flood(from, 20)
	}
	if total != 60 {
		t.Errorf("all made %d at once", total)
	}
	d.Now.Set(d.Now.Now().Add(time.Minute))
	if made := flood("192.0.2.1", 30); made != 3 {
		t.Errorf("a minute later a network made %d", made)
	}
}

// The application of a demonstration is one for tests.
func TestDemonstrationsMoveNoMoney(t *testing.T) {
	t.Parallel()
	w := accountstest.NewWorld(t)
	live, err := w.Accounts.CreateApplication(t.Context(), accountstest.Operator, w.Org,
		accounts.Draft{Name: "متجر"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := frontdoor.OpenDemo(t.Context(), w.Accounts, live.ID); !errors.Is(err, frontdoor.ErrLive) {
		t.Errorf("a live application: %v", err)
	}
	_, err = frontdoor.OpenDemo(t.Context(), w.Accounts, domain.ApplicationID(uuid.New()))
	if !errors.Is(err, accounts.ErrNoApplication) {
		t.Errorf("no application: %v", err)
	}
}

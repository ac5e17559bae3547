package checkout_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/payments/attempt"
)

func TestEveryWrongLinkIsTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	want := w.want(w.visit("/pay/"+i.ID.String()+"/"+strings.Repeat("0", 26)), 404, "not-found")
	for _, link := range []string{
		"/pay/" + uuid.NewString() + "/" + string(i.CheckoutToken),
		"/pay/not-a-uuid/" + string(i.CheckoutToken),
		"/pay/" + i.ID.String() + "/" + string(i.CheckoutToken[1:]),
		"/pay/" + i.ID.String() + "/" + strings.ToUpper(string(i.CheckoutToken)),
		"/pay/" + i.ID.String(),
		"/pay/" + i.ID.String() + "/",
		"/pay/",
		"/somewhere",
	} {
		got := w.want(w.visit(link), 404, "not-found")
		if diff := cmp.Diff(want.body, got.body); diff != "" {
			t.Errorf("%s (-want +got):\n%s", link, diff)
		}
		for _, h := range []http.Header{want.header, got.header} {
			h.Del("X-Request-Id")
			h.Del("Date")
		}
		if diff := cmp.Diff(want.header, got.header); diff != "" {
			t.Errorf("%s: header (-want +got):\n%s", link, diff)
		}
	}
	for _, form := range []string{"/attempts", "/code"} {
		w.want(w.post("/pay/"+i.ID.String()+"/"+strings.Repeat("0", 26)+form, wallet("0912345678")),
			404, "not-found")
	}
	w.wantHistory(i.ID, "created")
}

func (w *world) position() int {
	w.t.Helper()
	var n int
	if err := w.pool.QueryRow(w.t.Context(), `SELECT count(*) FROM events`).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

func TestLookingAppendsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fresh, typing, paid := w.create(), w.create(), w.create()
	w.atCode(typing, "0912345678")
	w.want(w.submit(w.atCode(paid, "0912345678"), code("111111")), 200, "receipt")
	waiting, _ := w.pendingAtTheBank()
	look := func(want map[domain.IntentID]string) {
		before := w.position()
		for _, i := range []domain.Intent{fresh, typing, paid, waiting} {
			w.want(w.visit(path(i)), 200, want[i.ID])
			if head := w.send(http.MethodHead, path(i), nil); head.status != 200 || head.body != "" {
				t.Errorf("HEAD answers %d %q", head.status, head.body)
			}
		}
		if got := w.position(); got != before {
			t.Errorf("looking appended %d events", got-before)
		}
	}
	look(map[domain.IntentID]string{fresh.ID: "pay", typing.ID: "otp", paid.ID: "receipt",
		waiting.ID: "processing"})
	w.later(25 * time.Hour)
	w.eventually("the attempts are over", func() bool {
		return len(w.history(typing.ID)) == 4 && len(w.history(waiting.ID)) == 4
	})
	look(map[domain.IntentID]string{fresh.ID: "expired", typing.ID: "expired", paid.ID: "receipt",
		waiting.ID: "expired"})
	w.want(w.submitTo(fresh, "/attempts"), 200, "expired")
	w.wantHistory(fresh.ID, "created")
	if got := w.visit(path(paid)).document.refresh(); got != "" {
		t.Errorf("who opens an old receipt is sent away: %q", got)
	}
}

// submitTo posts a form of an old page and goes where the answer leads.
func (w *world) submitTo(i domain.Intent, form string) shown {
	w.t.Helper()
	answer := w.post(path(i)+form, wallet("0912345678"))
	if answer.status != http.StatusSeeOther {
		return answer
	}
	return w.visit(answer.header.Get("Location"))
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	for name, headers := range map[string]map[string]string{
		"cross-site":       {"Sec-Fetch-Site": "cross-site"},
		"same-site":        {"Sec-Fetch-Site": "same-site"},
		"a foreign origin": {"Origin": "https://evil.example"},
		"a hidden origin":  {"Origin": "null"},
	} {
		for _, form := range []string{"/attempts", "/code"} {
			s := w.send(http.MethodPost, path(i)+form, wallet("0912345678"), func(r *http.Request) {
				for k, v := range headers {
					r.Header.Set(k, v)
				}
			})
			if s.status != http.StatusForbidden {
				t.Errorf("%s: %d, want 403", name, s.status)
			}
		}
	}
	w.wantHistory(i.ID, "created")
	// A program that is no browser sends neither header.
	s := w.send(http.MethodPost, path(i)+"/attempts", wallet("0912345678"))
	if s.status != http.StatusSeeOther {
		t.Errorf("without headers: %d, want 303", s.status)
	}
}

func TestEveryPageIsProtected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	for name, s := range map[string]shown{
		"pay": w.visit(path(i)), "not found": w.visit("/pay/x/y"),
		"method":    w.send(http.MethodDelete, path(i), nil),
		"form read": w.send(http.MethodGet, path(i)+"/attempts", nil),
		"corrected": w.post(path(i)+"/attempts", nil),
	} {
		for header, want := range map[string]string{
			"Content-Security-Policy": "form-action 'self'", "Cache-Control": "no-store", "X-Robots-Tag": "noindex",
			"Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff", "X-Request-Id": "-",
		} {
			if !strings.Contains(s.header.Get(header), want) {
				t.Errorf("%s: %s is %q", name, header, s.header.Get(header))
			}
		}
	}
	for path, method := range map[string]string{
		path(i): "PUT", path(i) + "/attempts": "DELETE", path(i) + "/state": "POST",
		"/acquirers/sandbox/notifications": "GET",
	} {
		s := w.send(method, path, nil)
		if allow := s.header.Get("Allow"); s.status != http.StatusMethodNotAllowed || allow == "" ||
			strings.Contains(allow, method) {
			t.Errorf("%s %s: %d, Allow %q", method, path, s.status, allow)
		}
	}
	page := w.visit(path(i))
	sheet := page.document.with(t, "link", "rel", "stylesheet").attr("href")
	if s := w.visit(sheet); s.status != 200 || !strings.HasPrefix(s.header.Get("Content-Type"), "text/css") {
		t.Errorf("style sheet: %d %s", s.status, s.header.Get("Content-Type"))
	}
}

// notify pushes a message as the bank would, signed with the secret.
func (w *world) notify(path, body, secret string) int {
	w.t.Helper()
	timestamp := strconv.FormatInt(w.bankTime().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "." + body))
	req, err := http.NewRequest(http.MethodPost, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Sandbox-Timestamp", timestamp)
	req.Header.Set("Sandbox-Signature", hex.EncodeToString(mac.Sum(nil)))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

func TestANotificationIsAHintAndNothingMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, attempt := w.pendingAtTheBank()
	// On a busy machine a question is under way already: it is not to be counted below.
	w.eventually("nobody asks any more", func() bool {
		left, err := w.db.OwnerPool(t).Exec(t.Context(),
			`UPDATE checkout_attempts SET ask_at = now() + interval '1 hour' WHERE busy_until IS NULL`)
		return err == nil && left.RowsAffected() == 1
	})
	const here = "/acquirers/sandbox/notifications"
	says := func(id string) string {
		return fmt.Sprintf(`{"id":%q,"intent":%q,"amount":45750,"currency":"LYD","state":"paid","reference":"SB1"}`, id, i.ID)
	}
	asked := w.acquirer.inquired.Load()
	for name, tc := range map[string]struct {
		path, body, secret string
		want               int
	}{
		"forged":           {here, says(string(attempt)), "another secret", 401},
		"unsigned":         {here, "", "", 401},
		"unknown attempt":  {here, says("0123456789abcdefghjkmnpqrs"), bankSecret, 204},
		"unreadable":       {here, `{"id":7}`, bankSecret, 400},
		"too large":        {here, strings.Repeat(" ", 64<<10+1), bankSecret, 413},
		"unknown acquirer": {"/acquirers/nobody/notifications", says(string(attempt)), bankSecret, 404},
	} {
		if got := w.notify(tc.path, tc.body, tc.secret); got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
	}
	if got := w.acquirer.inquired.Load(); got != asked {
		t.Error("the acquirer was asked")
	}
	// A true one that lies about the state: asked about, and nothing more.
	if got := w.notify(here, says(string(attempt)), bankSecret); got != 204 {
		t.Errorf("true notification: %d", got)
	}
	w.eventually("it is asked about", func() bool { return w.acquirer.inquired.Load() > asked })
	w.wantHistory(i.ID, "created", "attempt_started")
}

func TestWithoutTheDatabaseNothingIsHalfDone(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	proxy := pgtest.Proxy(t, db.ServiceURL())
	w := newWorldOn(t, db, pgtest.Open(t, proxy.URL(), postgres.Options{SetServiceRole: true, MaxConns: 8}))
	i, j := w.create(), w.create()
	page := w.atCode(j, "0912345678")
	begun := w.acquirer.begun.Load()

	proxy.Refuse()
	for name, s := range map[string]shown{
		"look": w.visit(path(i)), "start": w.post(path(i)+"/attempts", wallet("0912345678")),
		"code": w.post(page.action(t), code("111111")),
	} {
		w.want(s, 503, "unavailable")
		if s.header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", name)
		}
	}
	if got := w.notify("/acquirers/sandbox/notifications", fmt.Sprintf(`{"id":%q}`, w.attemptOf(db, j)),
		bankSecret); got != 503 {
		t.Errorf("notification: %d, want 503", got)
	}
	if w.acquirer.begun.Load() != begun || w.acquirer.confirmed.Load() != 0 {
		t.Error("the acquirer was called all the same")
	}

	proxy.Pass()
	w.want(w.submit(w.want(w.visit(path(j)), 200, "otp"), code("111111")), 200, "receipt")
	w.want(w.visit(path(i)), 200, "pay")
	proxy.Cut() // as a restart of PostgreSQL does
	w.want(w.visit(path(i)), 200, "pay")
	w.wantHistory(i.ID, "created")
	k := w.create()
	w.want(w.submit(w.atCode(k, "0920000001"), code("111111")), 200, "processing")
	w.until(k, "receipt") // Run goes on too
}

// attemptOf reads past the proxy.
func (w *world) attemptOf(db *pgtest.DB, i domain.Intent) string {
	w.t.Helper()
	var id string
	if err := db.OwnerPool(w.t).QueryRow(w.t.Context(),
		`SELECT attempt FROM checkout_attempts WHERE intent_uuid = $1`, [16]byte(i.ID)).Scan(&id); err != nil {
		w.t.Fatal(err)
	}
	return id
}

// Wherever the connection breaks, money is taken at most once and is in the
// ledger in the end. TestLongABrokenConnectionLosesNoMoney breaks it in more places.
func TestABrokenConnectionLosesNoMoney(t *testing.T) {
	t.Parallel()
	loseEvery(t, 500)
}

// loseEvery breaks the connection of two requests after so many bytes, twice as many, and so on.
func loseEvery(t *testing.T, step int) {
	t.Helper()
	db := pgtest.Database(t)
	proxy := pgtest.Proxy(t, db.ServiceURL())
	w := newWorldOn(t, db, pgtest.Open(t, proxy.URL(), postgres.Options{SetServiceRole: true, MaxConns: 8}))
	for n := 0; n < 4000; n += step {
		i, phone := w.create(), fmt.Sprintf("0912%06d", n)
		proxy.LoseAfter(n)
		w.post(path(i)+"/attempts", wallet(phone))
		proxy.LoseAfter(n)
		w.post(path(i)+"/code", code("111111"))
		proxy.Pass()
		// The payer tries until it is done; who waits for a minute waits less here.
		w.eventually("it is paid", func() bool {
			w.exec(`UPDATE checkout_attempts SET created_at = created_at - interval '61 seconds', ask_at = stage_since, busy_until = NULL
				WHERE intent_uuid = $1 AND stage IN ('beginning', 'asking')`, [16]byte(i.ID))
			w.Wake()
			switch page := w.visit(path(i)); page.state() {
			case "pay":
				w.post(path(i)+"/attempts", wallet(phone))
			case "otp":
				w.post(path(i)+"/code", code("111111"))
			case "receipt":
				return true
			}
			return false
		})
		if taken := w.taken(); len(taken) != n/step+1 {
			t.Fatalf("cut after %d bytes: the bank took money %d times in all, want %d", n, len(taken), n/step+1)
		}
	}
}

func TestTheScheduleOfInquiries(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for asked, want := range map[time.Duration]time.Duration{
		0:                               5 * time.Second,
		4 * time.Second:                 5 * time.Second,
		5 * time.Second:                 15 * time.Second,
		15300 * time.Millisecond:        time.Minute,
		time.Minute:                     5 * time.Minute,
		6 * time.Minute:                 30 * time.Minute,
		31 * time.Minute:                2 * time.Hour,
		2 * time.Hour:                   24 * time.Hour,
		24 * time.Hour:                  48 * time.Hour,
		30*24*time.Hour + 5*time.Second: 31 * 24 * time.Hour,
		-time.Second:                    5 * time.Second,
	} {
		if got := attempt.Scheduled(since, since.Add(asked)).Sub(since); got != want {
			t.Errorf("after %v: asked again after %v, want %v", asked, got, want)
		}
	}
}

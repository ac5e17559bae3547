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
		wrong := "/pay/" + i.ID.String() + "/" + strings.Repeat("0", 26)
		w.want(w.post(wrong+form, wallet("0912345678")), 404, "not-found")
	}
	w.wantHistory(i.ID, "created")
}

// position is the number of events in the log.
func (w *world) position() int {
	w.t.Helper()
	return value[int](w, `SELECT count(*) FROM events`)
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
	look(map[domain.IntentID]string{
		fresh.ID: "pay", typing.ID: "otp", paid.ID: "receipt", waiting.ID: "processing",
	})
	w.later(25 * time.Hour)
	w.eventually("the attempts are over", func() bool {
		return len(w.history(typing.ID)) == 4 && len(w.history(waiting.ID)) == 4
	})
	look(map[domain.IntentID]string{
		fresh.ID: "expired", typing.ID: "expired", paid.ID: "receipt", waiting.ID: "expired",
	})
	w.want(w.submitTo(fresh, "/attempts"), 200, "expired")
	w.wantHistory(fresh.ID, "created")
	if got := w.visit(path(paid)).document.refresh(); got != "" {
		t.Errorf("an old receipt leads to the shop by itself: %q", got)
	}
}

// submitTo posts a form of an old page and follows the answer.
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
	// A program other than a browser sends neither header.
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
		"pay":       w.visit(path(i)),
		"not found": w.visit("/pay/x/y"),
		"method":    w.send(http.MethodDelete, path(i), nil),
		"form read": w.send(http.MethodGet, path(i)+"/attempts", nil),
		"corrected": w.post(path(i)+"/attempts", nil),
	} {
		for header, want := range map[string]string{
			"Content-Security-Policy": "form-action 'self'",
			"Cache-Control":           "no-store",
			"X-Robots-Tag":            "noindex",
			"Referrer-Policy":         "same-origin",
			"X-Content-Type-Options":  "nosniff",
			"X-Request-Id":            "-",
		} {
			if !strings.Contains(s.header.Get(header), want) {
				t.Errorf("%s: %s is %q", name, header, s.header.Get(header))
			}
		}
	}
	for path, method := range map[string]string{
		path(i):                            "PUT",
		path(i) + "/attempts":              "DELETE",
		path(i) + "/state":                 "POST",
		"/acquirers/sandbox/notifications": "GET",
	} {
		s := w.send(method, path, nil)
		allow := s.header.Get("Allow")
		if s.status != http.StatusMethodNotAllowed || allow == "" || strings.Contains(allow, method) {
			t.Errorf("%s %s: %d, Allow %q", method, path, s.status, allow)
		}
	}
	page := w.visit(path(i))
	sheet := page.document.with(t, "link", "rel", "stylesheet").attr("href")
	if s := w.visit(sheet); s.status != 200 || !strings.HasPrefix(s.header.Get("Content-Type"), "text/css") {
		t.Errorf("style sheet: %d %s", s.status, s.header.Get("Content-Type"))
	}
}

// notify pushes a message as the bank does, signed with the secret.
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
	// On a busy machine an inquiry may be under way: it must not be counted below.
	w.eventually("no inquiry is under way", func() bool {
		left, err := w.db.OwnerPool(t).Exec(t.Context(),
			`UPDATE checkout_attempts SET ask_at = now() + interval '1 hour' WHERE busy_until IS NULL`)
		return err == nil && left.RowsAffected() == 1
	})
	const here = "/acquirers/sandbox/notifications"
	const paid = `{"id":%q,"intent":%q,"amount":45750,"currency":"LYD","state":"paid","reference":"SB1"}`
	says := func(id string) string { return fmt.Sprintf(paid, id, i.ID) }
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
	// A genuine one with a wrong state only causes an inquiry.
	if got := w.notify(here, says(string(attempt)), bankSecret); got != 204 {
		t.Errorf("genuine notification: %d", got)
	}
	w.eventually("it is asked about", func() bool { return w.acquirer.inquired.Load() > asked })
	w.wantHistory(i.ID, "created", "attempt_started")
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

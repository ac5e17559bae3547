package accounts_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/domain"
	"daftar/internal/postgres/pgtest"
)

func TestWebhookURLs(t *testing.T) {
	t.Parallel()
	a := accountstest.Open(t, pgtest.Database(t).Pool(t), nil)
	s := accountstest.NewShop(t, a)
	long := "https://shop.example/" + strings.Repeat("a", 2048-len("https://shop.example/"))
	for _, allow := range []string{
		"https://shop.example/hook", "http://127.0.0.1:8080/hook", "https://[::1]:8443/", "HTTPS://SHOP.EXAMPLE",
		"https://shop.example/hook?a=1&b=%20", "https://متجر.example/دفع", long, "",
	} {
		app, err := a.CreateApplication(t.Context(), operator, s.Org,
			accounts.Draft{Name: "Web", WebhookURL: allow})
		if err != nil {
			t.Errorf("%q is refused: %v", allow, err)
			continue
		}
		if err := a.SetWebhookURL(t.Context(), operator, s.Org, s.App.ID, allow); err != nil {
			t.Errorf("%q is refused later: %v", allow, err)
		}
		for _, id := range []domain.ApplicationID{app.ID, s.App.ID} {
			got, err := a.Application(t.Context(), id)
			if err != nil || (got.WebhookURL == nil) != (allow == "") ||
				got.WebhookURL != nil && *got.WebhookURL != allow {
				t.Errorf("%q is kept as %v, %v", allow, got.WebhookURL, err)
			}
		}
	}
	const kept = "https://shop.example/kept"
	if err := a.SetWebhookURL(t.Context(), operator, s.Org, s.App.ID, kept); err != nil {
		t.Fatal(err)
	}
	for _, deny := range []string{
		"shop.example/hook", "/hook", "//shop.example/hook", "https:", "https://", "https:///hook",
		"http://:8080/", "https:shop.example",
		"ftp://shop.example/", "javascript:alert(1)", "file:///etc/passwd",
		"https://shop.example/%zz", "https://shop example/",
		"https://user@shop.example/", "https://user:word@shop.example/",
		"ftp://user:word@shop.example/", "https://user:word@shop example/",
		"https://shop.example/#part",
		"https://shop.example/\n", " https://shop.example/", "https://shop.example/\x00",
		"https://shop.example/\xff", long + "a",
	} {
		_, err := a.CreateApplication(t.Context(), operator, s.Org, accounts.Draft{Name: "Web", WebhookURL: deny})
		if !errors.Is(err, accounts.ErrInvalid) {
			t.Errorf("%q at creation: %v, want ErrInvalid", deny, err)
		}
		err = a.SetWebhookURL(t.Context(), operator, s.Org, s.App.ID, deny)
		if !errors.Is(err, accounts.ErrInvalid) {
			t.Errorf("%q later: %v, want ErrInvalid", deny, err)
		}
		if err != nil && strings.Contains(err.Error(), "user:word") {
			t.Errorf("the error repeats a password: %v", err)
		}
	}
	got, err := a.Application(t.Context(), s.App.ID)
	if err != nil || got.WebhookURL == nil || *got.WebhookURL != kept {
		t.Errorf("refused URLs have changed it to %v, %v", got.WebhookURL, err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	a := accountstest.Open(t, pgtest.Database(t).Pool(t), nil)
	s := accountstest.NewShop(t, a)
	name := func(name string) map[string]error {
		_, organization := a.CreateOrganization(t.Context(), operator, name)
		_, application := a.CreateApplication(t.Context(), operator, s.Org, accounts.Draft{Name: name})
		_, _, token := a.CreateToken(t.Context(), operator, s.Org, accounts.TokenDraft{Name: name})
		return map[string]error{"organisation": organization, "application": application, "access token": token}
	}
	for _, allow := range []string{
		"x", " ", "متجر ليبيا 🛒", `"'<&>`, strings.Repeat("ق", 255), strings.Repeat("🛒", 255),
	} {
		for what, err := range name(allow) {
			if err != nil {
				t.Errorf("%s %q is refused: %v", what, allow, err)
			}
		}
	}
	for _, deny := range []string{
		"", strings.Repeat("ق", 256), "a\x00", "a\nb", "a\tb", "a\x7f", "a\xffb", "a\x1b[31m",
	} {
		for what, err := range name(deny) {
			if !errors.Is(err, accounts.ErrInvalid) {
				t.Errorf("%s %q: %v, want ErrInvalid", what, deny, err)
			}
		}
	}
}

func TestReadBack(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t).Pool(t)
	a, later := accountstest.Open(t, pool, accountstest.NewClock().Now), accountstest.Open(t, pool, nil)
	org, err := a.CreateOrganization(t.Context(), operator, "متجر")
	if err != nil {
		t.Fatal(err)
	}
	if want := (accounts.Organization{ID: org.ID, Name: "متجر", CreatedAt: accountstest.Noon}); org != want {
		t.Errorf("created %+v, want %+v", org, want)
	}
	if got, err := later.Organization(t.Context(), org.ID); err != nil || got != org {
		t.Errorf("organisation %+v, %v; want %+v", got, err, org)
	}
	app, err := a.CreateApplication(t.Context(), operator, org.ID,
		accounts.Draft{Name: "Web", WebhookURL: "https://shop.example/"})
	if err != nil {
		t.Fatal(err)
	}
	to := "https://shop.example/"
	want := accounts.Application{
		ID: app.ID, Organization: org.ID, Name: "Web", Mode: domain.ModeLive, Active: true, WebhookURL: &to,
		CreatedAt: accountstest.Noon,
	}
	for range 2 {
		got, err := later.Application(t.Context(), app.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("application (-want +got):\n%s", diff)
		}
		if err := a.SetActive(t.Context(), operator, org.ID, app.ID, false); err != nil {
			t.Fatal(err)
		}
		want.Active = false
	}
	other, err := a.CreateApplication(t.Context(), operator, org.ID, accounts.Draft{Name: "Web"})
	if err != nil || other.ID == app.ID || other.APIKey == app.APIKey ||
		other.WebhookSecret == app.WebhookSecret {
		t.Errorf("a second application of that name shares something with the first: %v", err)
	}
}

func TestUnknownIDs(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t).Pool(t)
	a := accountstest.Open(t, pool, nil)
	s := accountstest.NewShop(t, a)
	before := accountstest.Epoch(t, pool)
	org := accounts.OrganizationID(uuid.New())
	app := domain.ApplicationID(uuid.New())
	token := accounts.TokenID(uuid.New())
	_, organization := a.Organization(t.Context(), org)
	_, createApplication := a.CreateApplication(t.Context(), operator, org, accounts.Draft{Name: "Web"})
	_, _, createToken := a.CreateToken(t.Context(), operator, org, accounts.TokenDraft{Name: "Server"})
	_, application := a.Application(t.Context(), app)
	_, key := a.RollAPIKey(t.Context(), operator, org, app, time.Time{})
	_, rollSecret := a.RollWebhookSecret(t.Context(), operator, org, app, time.Time{})
	_, secret := a.WebhookSecret(t.Context(), app)
	for _, row := range []struct {
		what      string
		got, want error
	}{
		{"organisation", organization, accounts.ErrNoOrganization},
		{"create application", createApplication, accounts.ErrNoOrganization},
		{"create token", createToken, accounts.ErrNoOrganization},
		{"application", application, accounts.ErrNoApplication},
		{"roll key", key, accounts.ErrNoApplication},
		{"roll webhook secret", rollSecret, accounts.ErrNoApplication},
		{"webhook secret", secret, accounts.ErrNoApplication},
		{"deactivate", a.SetActive(t.Context(), operator, org, app, false), accounts.ErrNoApplication},
		{"set webhook URL", a.SetWebhookURL(t.Context(), operator, org, app, ""), accounts.ErrNoApplication},
		{"revoke", a.RevokeToken(t.Context(), operator, org, token), accounts.ErrNoToken},
	} {
		if !errors.Is(row.got, row.want) {
			t.Errorf("%s: %v, want %v", row.what, row.got, row.want)
		}
	}
	if c := s.Enter(t, a); c.Epoch < before {
		t.Errorf("epoch %d", c.Epoch)
	}
}

// Revoking twice keeps the first time.
func TestRevokeAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t).Pool(t)
	now := accountstest.NewClock()
	a := accountstest.Open(t, pool, now.Now)
	s := accountstest.NewShop(t, a)
	for n := range 2 {
		now.Set(accountstest.Noon.AddDate(0, 0, n+1))
		if err := a.RevokeToken(t.Context(), operator, s.Org, s.Token.ID); err != nil {
			t.Fatal(err)
		}
	}
	got := accountstest.Noon
	err := pool.QueryRow(t.Context(), `SELECT revoked_at FROM access_tokens`).Scan(&got)
	if err != nil || !got.Equal(accountstest.Noon.AddDate(0, 0, 1)) {
		t.Errorf("revoked at %v, %v", got, err)
	}
}

func TestParseIDs(t *testing.T) {
	t.Parallel()
	id := uuid.New()
	org, err := accounts.ParseOrganizationID(id.String())
	text, bad := org.MarshalText()
	if err != nil || bad != nil || org.String() != id.String() || string(text) != id.String() {
		t.Errorf("organisation %s, %q, %v, %v", org, text, err, bad)
	}
	if app, err := accounts.ParseApplicationID(id.String()); err != nil || app.String() != id.String() {
		t.Errorf("application %s, %v", app, err)
	}
	if token, err := accounts.ParseTokenID(id.String()); err != nil || token.String() != id.String() {
		t.Errorf("token %s, %v", token, err)
	}
	for _, s := range []string{"", "x", id.String()[1:], id.String() + "0"} {
		_, organization := accounts.ParseOrganizationID(s)
		_, application := accounts.ParseApplicationID(s)
		_, token := accounts.ParseTokenID(s)
		for what, err := range map[string]error{
			"organisation": organization, "application": application, "access token": token,
		} {
			if err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("%q as %s: %v", s, what, err)
			}
		}
	}
}

// The number of an organisation's applications is limited, also where it creates many at once;
// those of another organisation do not count.
func TestApplicationsAreBounded(t *testing.T) {
	t.Parallel()
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	a := accounts.New(pgtest.Database(t).Pool(t), accounts.Options{SecretKey: key, MaxApplications: 4})
	mine, others := accountstest.NewShop(t, a).Org, accountstest.NewShop(t, a).Org // each with an application
	var made atomic.Int64
	var creating sync.WaitGroup
	for n := range 8 {
		creating.Go(func() {
			_, err := a.CreateApplication(t.Context(), operator, mine, accounts.Draft{Name: fmt.Sprint("shop ", n)})
			switch {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, accounts.ErrTooManyApplications):
				t.Error(err)
			}
		})
	}
	creating.Wait()
	if made.Load() != 3 {
		t.Errorf("%d applications were made, want 3 more", made.Load())
	}
	if _, err := a.CreateApplication(t.Context(), operator, others, accounts.Draft{Name: "shop"}); err != nil {
		t.Error(err)
	}
}

// An application is live unless it is made for tests, and never changes. What it is made for is in
// the audit trail.
func TestTheModeOfAnApplication(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for mode, want := range map[domain.Mode]domain.Mode{
		"": domain.ModeLive, domain.ModeLive: domain.ModeLive, domain.ModeTest: domain.ModeTest,
	} {
		app, err := w.Accounts.CreateApplication(t.Context(), operator, w.Org,
			accounts.Draft{Name: "Web", Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		if found, err := w.Accounts.Application(t.Context(), app.ID); err != nil || found.Mode != want {
			t.Errorf("%q: %q, %v; want %q", mode, found.Mode, err, want)
		}
		trail, err := w.Accounts.Trail(t.Context(), operator, w.Org,
			accounts.TrailFilter{Action: accounts.ActionCreateApplication})
		if err != nil || trail[0].Detail["mode"] != string(want) {
			t.Errorf("%q: recorded %v, %v", mode, trail[0].Detail, err)
		}
		all, err := w.Accounts.Applications(t.Context(), operator, w.Org.In(want))
		if err != nil || !slices.ContainsFunc(all, func(a accounts.Application) bool { return a.ID == app.ID }) {
			t.Errorf("%q: not among the applications of its mode: %v, %v", mode, all, err)
		}
		for _, to := range []domain.Mode{domain.ModeLive, domain.ModeTest} {
			_, err := w.Pool.Exec(t.Context(), `UPDATE applications SET mode = $2 WHERE uuid = $1`, app.ID, to)
			if (err == nil) != (to == want) {
				t.Errorf("%q to %q: %v", want, to, err)
			}
		}
	}
	_, err := w.Accounts.CreateApplication(t.Context(), operator, w.Org,
		accounts.Draft{Name: "Web", Mode: "play"})
	if !errors.Is(err, accounts.ErrInvalid) || !strings.Contains(err.Error(), "live or test") {
		t.Errorf("another mode: %v", err)
	}
}

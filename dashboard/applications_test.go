package dashboard_test

import (
	"errors"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/dashboard"
	"daftar/internal/postgres/pgtest"
	"daftar/webhooks"
)

// secretIn is the secret in the box of an answer. No other answer may show it.
func secretIn(t *testing.T, a answer, id string) string {
	t.Helper()
	box := regexp.MustCompile(`<textarea class="secret" id="` + id + `"[^>]*>([^<]*)</textarea>`)
	found := box.FindStringSubmatch(a.body)
	if found == nil {
		t.Fatalf("no secret %s on the page:\n%s", id, a.text())
	}
	return html.UnescapeString(found[1])
}

// actions are those of our organisation's audit trail, the latest first.
func (w *world) actions(t *testing.T) []accounts.Action {
	t.Helper()
	trail, err := w.accounts.Trail(t.Context(), operator, w.ours.org.ID, accounts.TrailFilter{Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	var all []accounts.Action
	for _, r := range trail {
		if r.Outcome == accounts.Done {
			all = append(all, r.Action)
		}
	}
	return all
}

// wantRecord fails unless the latest change in the trail has the action.
func (w *world) wantRecord(t *testing.T, want accounts.Action) {
	t.Helper()
	if all := w.actions(t); len(all) == 0 || all[0] != want {
		t.Errorf("the trail ends with %v, want %s", all[:min(len(all), 3)], want)
	}
}

// letsIn reports whether a key, with the organisation's first token, is accepted.
func (w *world) letsIn(t *testing.T, key string) bool {
	t.Helper()
	_, err := w.accounts.Reauthenticate(t.Context(), w.ours.values[0], key, true, "41.252.10.7")
	if err != nil && !errors.Is(err, accounts.ErrInvalidAPIKey) {
		t.Fatal(err)
	}
	return err == nil
}

func TestCreateApplication(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.developer(t)
	c.get(w.ours.path("applications/new?lang=en")).is(t, http.StatusOK)
	wrong := c.post(w.ours.path("applications?lang=en"), "name", " ", "webhook_url", "http://shop.example/hook").
		is(t, http.StatusUnprocessableEntity).has(t, "Write a name.", "Webhooks cannot go to this address.")
	if got := wrong.form(t, "/applications").Get("webhook_url"); got != "http://shop.example/hook" {
		t.Errorf("the form forgot the address: %q", got)
	}
	made := c.post(w.ours.path("applications?lang=en"), "name", "متجر <b>", "webhook_url", "").
		is(t, http.StatusOK).has(t, "Save both now.", "متجر <b>")
	key, secret := secretIn(t, made, "api-key"), secretIn(t, made, "webhook-secret")
	if !strings.HasPrefix(key, "pk_") || !strings.HasPrefix(secret, "whsec_") ||
		made.header.Get("Cache-Control") != "no-store" {
		t.Errorf("key %q, secret %q, kept by browsers: %q", key, secret, made.header.Get("Cache-Control"))
	}
	if !w.letsIn(t, key) {
		t.Error("the new key is not let in")
	}
	w.wantRecord(t, accounts.ActionCreateApplication)
	c.get(w.ours.path("applications?lang=en")).is(t, http.StatusOK).
		has(t, "متجر <b>", "…"+key[len(key)-4:], "Never used", "ours first", "No URL").lacks(t, key, secret,
		"other first")
}

func TestRollKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.ours.apps[0]
	if !w.letsIn(t, old.APIKey) {
		t.Fatal("the key is not let in to begin with")
	}
	if err := w.accounts.FlushLastUsed(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := w.owner(t)
	page := c.get(w.ours.path("applications/"+old.ID.String()+"?lang=en")).is(t, http.StatusOK).
		has(t, "every server that uses it gets 401", "Last used:", "41.252.10.7")
	form := page.form(t, "/roll-key")
	made := c.send(http.MethodPost, w.ours.path("applications/"+old.ID.String()+"/roll-key?lang=en"), form).
		is(t, http.StatusOK)
	key := secretIn(t, made, "api-key")
	if w.letsIn(t, old.APIKey) || !w.letsIn(t, key) {
		t.Error("the old key works still, or the new one does not")
	}
	w.wantRecord(t, accounts.ActionRollAPIKey)
	// The same form again, by a reload or from another tab, rolls nothing.
	again := c.send(http.MethodPost, w.ours.path("applications/"+old.ID.String()+"/roll-key?lang=en"), form).
		leads(t, w.ours.path("applications/"+old.ID.String()))
	c.follow(again).has(t, "The key was replaced before").lacks(t, key)
	if !w.letsIn(t, key) {
		t.Error("the second form replaced the new key")
	}
}

func TestRollWebhookSecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.ours.apps[0].ID
	c := w.developer(t)
	form := c.get(w.ours.path("applications/"+id.String()+"?lang=en")).form(t, "/roll-webhook-secret")
	roll := w.ours.path("applications/" + id.String() + "/roll-webhook-secret?lang=en")
	made := c.send(http.MethodPost, roll, form).is(t, http.StatusOK)
	now, err := w.accounts.WebhookSecret(t.Context(), id)
	if err != nil || now != secretIn(t, made, "webhook-secret") || now == w.ours.apps[0].WebhookSecret {
		t.Errorf("the secret is not the one that was shown, %v", err)
	}
	w.wantRecord(t, accounts.ActionRollWebhookSecret)
	c.send(http.MethodPost, w.ours.path("applications/"+id.String()+"/roll-webhook-secret"), form).
		is(t, http.StatusSeeOther)
	if n := slices.Index(w.actions(t)[1:], accounts.ActionRollWebhookSecret); n >= 0 {
		t.Error("the form rolled twice")
	}
}

func TestAnApplicationFormCreatesOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.developer(t)
	form := c.get(w.ours.path("applications/new?lang=en")).form(t, "/applications")
	form.Set("name", "Kiosk")
	key := secretIn(t, c.send(http.MethodPost, w.ours.path("applications?lang=en"), form).is(t, http.StatusOK),
		"api-key")
	again := c.send(http.MethodPost, w.ours.path("applications?lang=en"), form).
		leads(t, w.ours.path("applications"))
	page := c.follow(again).has(t, "This application was created before, and no other was created.").
		lacks(t, key)
	if n := strings.Count(page.text(), "Kiosk"); n != 1 {
		t.Errorf("the list names it %d times:\n%s", n, page.text())
	}
	if !w.letsIn(t, key) {
		t.Error("the key that was shown is not let in")
	}
}

// Changes of credentials ask for the password again if the sign-in is too old.
func TestCredentialsWantAFreshSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.owner(t)
	app, token := "applications/"+w.ours.apps[0].ID.String(), "tokens/"+w.ours.tokens[0].ID.String()
	form := c.get(w.ours.path(app)).form(t, "/roll-key")
	form.Set("name", "Thief")
	form.Set("webhook_url", "https://93.184.216.34/thief")
	before := len(w.actions(t))
	w.wait(16 * time.Minute)
	for _, path := range []string{
		"applications", app + "/rename", app + "/activate", app + "/deactivate", app + "/webhook-url",
		app + "/roll-key", app + "/roll-webhook-secret", "tokens", token + "/revoke",
	} {
		c.send(http.MethodPost, w.ours.path(path), form).leads(t, "/dashboard/confirm")
	}
	for _, path := range []string{"applications/new", "tokens/new"} { // before anything is typed
		c.get(w.ours.path(path)).leads(t, "/dashboard/confirm")
	}
	if after := len(w.actions(t)); after != before || !w.letsIn(t, w.ours.apps[0].APIKey) {
		t.Errorf("%d actions were done", after-before)
	}
}

func TestRenameAndDeactivate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	app := w.ours.apps[1]
	at := w.ours.path("applications/" + app.ID.String())
	c := w.developer(t)
	c.post(at+"/rename?lang=en", "name", strings.Repeat("ا", 256)).is(t, http.StatusUnprocessableEntity).
		has(t, "longer than 255")
	c.follow(c.post(at+"/rename?lang=en", "name", "مقهى")).has(t, "The name was changed", "مقهى")
	w.wantRecord(t, accounts.ActionRenameApplication)
	c.follow(c.post(at+"/deactivate?lang=en")).has(t, "Inactive", "refused from now on")
	if w.letsIn(t, app.APIKey) {
		t.Error("an inactive application is let in")
	}
	w.wantRecord(t, accounts.ActionDeactivate)
	c.follow(c.post(at+"/activate?lang=en")).has(t, "Active", "works now")
	if !w.letsIn(t, app.APIKey) {
		t.Error("an active application is not let in")
	}
	w.wantRecord(t, accounts.ActionActivate)
}

func TestDeactivatingOffersToStopCheckouts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	app := w.ours.apps[1]
	at := w.ours.path("applications/" + app.ID.String())
	c := w.developer(t)
	page := c.get(at+"?lang=en").has(t, "Stop the open checkouts", "payments that wait for it are canceled")
	if page.form(t, "/deactivate").Has("stop_checkouts") {
		t.Error("stopping is chosen from the beginning")
	}
	stopped := func() bool {
		a, err := w.accounts.Application(t.Context(), app.ID)
		if err != nil {
			t.Fatal(err)
		}
		return a.CheckoutsStoppedAt != nil
	}
	// Not stopped with the deactivation, they can be stopped later.
	inactive := c.follow(c.post(at + "/deactivate?lang=en"))
	if stopped() {
		t.Error("deactivating alone stopped the checkouts")
	}
	c.follow(c.send(http.MethodPost, at+"/deactivate?lang=en", inactive.form(t, "/deactivate"))).
		has(t, "its open checkouts were stopped", "The open checkouts were stopped on")
	if !stopped() || w.letsIn(t, app.APIKey) {
		t.Error("the checkouts are not stopped, or the key is let in")
	}
	w.wantRecord(t, accounts.ActionStopCheckouts)
	if c.follow(c.post(at + "/activate?lang=en")); stopped() {
		t.Error("the checkouts of an active application are stopped")
	}
	c.follow(c.post(at+"/deactivate?lang=en", "stop_checkouts", "yes"))
	if !stopped() {
		t.Error("deactivating with the choice did not stop the checkouts")
	}
}

func TestWebhookURLObjections(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.ours.apps[0].ID
	at := w.ours.path("applications/" + id.String())
	c := w.developer(t)
	// The answer is the same for every reason, so that it does not reveal names in our network.
	answers := map[string]bool{}
	for _, address := range []string{
		"shop.example/hook", "ftp://93.184.216.34/", "https://a:b@93.184.216.34/", "https://93.184.216.34/#x",
		"http://93.184.216.34/", "https://93.184.216.34:8080/", "https://127.0.0.1/hook",
		"https://[::ffff:10.0.0.1]/hook", "https://169.254.169.254/latest/", "https://localhost/",
		"https://nobody.invalid/",
	} {
		page := c.post(at+"/webhook-url?lang=en", "webhook_url", address).is(t, http.StatusUnprocessableEntity).
			has(t, "Webhooks cannot go to this address.")
		answers[strings.ReplaceAll(page.text(), address, "")] = true
		if got := page.form(t, "/webhook-url").Get("webhook_url"); got != address {
			t.Errorf("%s: the form has %q", address, got)
		}
	}
	if len(answers) != 1 {
		t.Errorf("%d different answers", len(answers))
	}
	c.follow(c.post(at+"/webhook-url?lang=en", "webhook_url", "https://93.184.216.34/hook")).
		has(t, "The webhook URL was saved")
	w.wantRecord(t, accounts.ActionSetWebhookURL)
	c.follow(c.post(at+"/webhook-url?lang=en", "webhook_url", "")).has(t, "nothing is sent")
	if app, err := w.accounts.Application(t.Context(), id); err != nil || app.WebhookURL != nil {
		t.Errorf("the address is still %v, %v", app.WebhookURL, err)
	}
}

func TestTestWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Guard = webhooks.Guard{AllowPrivate: true} })
	hook := newHook(t)
	app := w.ours.apps[0]
	at := w.ours.path("applications/" + app.ID.String())
	c := w.developer(t)
	c.follow(c.post(at+"/test-webhook?lang=en")).has(t, "Set a webhook URL first.")
	c.post(at+"/webhook-url?lang=en", "webhook_url", hook.URL).is(t, http.StatusSeeOther)
	w.dispatch(t)
	sent := c.follow(c.post(at + "/test-webhook?lang=en"))
	address := c.at
	pgtest.WaitFor(t, "the test webhook", func() bool {
		sent = c.get(address)
		return strings.Contains(sent.text(), "The test webhook arrived. (the server answered 204)")
	})
	sent.has(t, "Working")
	if hook.count() != 1 {
		t.Errorf("%d webhooks arrived", hook.count())
	}
	w.wantRecord(t, webhooks.ActionTest)
	// Another organisation's test is not shown, not even by its number.
	other := w.as(t, w.other.email(accounts.RoleOwner))
	_, query, _ := strings.Cut(address, "?")
	other.get(w.other.path("applications/"+w.other.apps[0].ID.String()+"?"+query)).is(t, http.StatusOK).
		lacks(t, "arrived")
}

// Users without the right change and see nothing; applications of others are not found.
func TestApplicationsOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	viewer, owner := w.viewer(t), w.owner(t)
	mine, theirs := w.ours.apps[0].ID.String(), w.other.apps[0].ID.String()
	for _, below := range []string{"applications", "applications/new", "applications/" + mine, "tokens",
		"tokens/new", "developers"} {
		viewer.get(w.ours.path(below)).is(t, http.StatusForbidden).lacks(t, w.ours.apps[0].APIKey[60:])
	}
	for _, action := range []string{"rename", "activate", "deactivate", "webhook-url", "test-webhook",
		"roll-key", "roll-webhook-secret"} {
		viewer.post(w.ours.path("applications/"+mine+"/"+action), "name", "x").is(t, http.StatusForbidden)
		for _, id := range []string{theirs, uuid.NewString(), "x"} {
			owner.post(w.ours.path("applications/"+id+"/"+action), "name", "x").is(t, http.StatusNotFound)
		}
		owner.post(w.other.path("applications/"+theirs+"/"+action), "name", "x").is(t, http.StatusNotFound)
	}
	owner.get(w.ours.path("applications/"+theirs)).is(t, http.StatusNotFound)
	app, err := w.accounts.Application(t.Context(), w.other.apps[0].ID)
	if err != nil || app.Name != "other first" || !app.Active {
		t.Errorf("the other organisation's application is %+v, %v", app, err)
	}
}

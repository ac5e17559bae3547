package dashboard_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/dashboard"
	"daftar/internal/logtest"
	"daftar/payments/acquirer"
)

// Every acquirer's form takes the credentials that its fake accepts. Missing and malformed ones are
// named in both languages, and no secret is repeated.
func TestCredentialsAreAskedForOneByOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAcquirers(t))
	c := w.owner(t)
	says := map[string]map[string][2]string{ // acquirer, setting: English, Arabic
		"plutu": {"api_key": {"Fill in “API key”.", "املأ حقل «مفتاح API»."},
			"secret_key": {"Fill in “Secret key”.", "املأ حقل «المفتاح السري»."}},
		"moamalat": {"merchant_id": {"Fill in “Merchant ID (MID)”.", "املأ حقل «رقم التاجر (MID)»."},
			"notification_key": {"Fill in “Key of the notification service”.", "املأ حقل «مفتاح خدمة الإشعارات»."}},
		"lypay": {"iban": {"Fill in “IBAN”.", "املأ حقل «رقم الحساب الدولي (IBAN)»."}},
	}
	malformed := map[string][3]string{ // setting, value, English
		"plutu": {"access_token", "two words", "“Access token” does not have the right form."},
		"moamalat": {"secure_key", "no-hex",
			"“Secure key of the terminal” does not have the right form. It signs requests"},
		"lypay": {"iban", "LY69099001000000000012345",
			"“IBAN” does not have the right form. The account that is paid"},
	}
	for name, missing := range says {
		at := w.ours.acquirersOf() + "/" + name + "/credentials"
		without := func(setting, value string) []string {
			fields := slices.Clone(credentialsOf[name])
			fields[slices.Index(fields, setting)+1] = value
			return append(fields, "offer-adfali", "yes")
		}
		for setting, sentences := range missing {
			for n, lang := range []string{"?lang=en", "?lang=ar"} {
				c.post(at+lang, without(setting, "  ")...).is(t, http.StatusUnprocessableEntity).has(t, sentences[n]).
					lacks(t, acquirerSecrets...)
			}
		}
		wrong := malformed[name]
		page := c.post(at+"?lang=en", without(wrong[0], wrong[1])...).is(t, http.StatusUnprocessableEntity).
			has(t, wrong[2]).lacks(t, acquirerSecrets...)
		if name == "lypay" && page.form(t, "/credentials").Get("merchant_name") != "TEST SHOP" {
			t.Error("the form forgot what is no secret")
		}
		c.follow(c.post(at+"?lang=en", append(slices.Clone(credentialsOf[name]), "offer-adfali", "yes")...).
			is(t, http.StatusSeeOther)).lacks(t, acquirerSecrets...)
		c.follow(c.post(strings.Replace(at, "/credentials", "/check", 1)+"?lang=en")).
			has(t, "accepts the credentials.")
		form := c.get(at+"?lang=en").form(t, "/credentials")
		if form.Get("api_key")+form.Get("token")+form.Get("secure_key")+form.Get("iban") != "" {
			t.Errorf("the form of %s shows %v", name, form)
		}
	}
	c.post(w.ours.acquirersOf()+"/plutu/remove").is(t, http.StatusSeeOther)
	c.post(w.ours.acquirersOf()+"/plutu/credentials?lang=en", credentialsOf["plutu"]...).
		is(t, http.StatusUnprocessableEntity).has(t, "Choose at least one method.")
	c.get(w.ours.acquirersOf()+"/moneybag/credentials").is(t, http.StatusNotFound)
}

// New credentials do not change methods, limits and order.
func TestReplacingCredentialsChangesNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAcquirers(t))
	w.set(t, w.ours, 0, "plutu", "cards", "adfali")
	w.set(t, w.ours, 0, "moamalat", "moamalat")
	c := w.owner(t)
	at := w.ours.acquirersOf()
	c.follow(c.post(at+"/plutu/limits?lang=en", "method", "cards", "max", "٩٩٫٥")).has(t, "99.500\u00a0LYD")
	c.post(at+"/plutu/disable").is(t, http.StatusSeeOther)
	c.get(at+"/plutu/credentials?lang=en").has(t, "New credentials for Plutu").
		lacks(t, "Which methods does your contract cover?")
	c.post(at+"/plutu/credentials", "api_key", "another-key", "access_token", plutuAccessToken,
		"secret_key", plutuSecretKey).leads(t, at+"/plutu")
	a := w.account(t, "plutu")
	if a.Enabled || !slices.Equal(a.Methods, []string{"cards", "adfali"}) || a.Limits["cards"].Max != 99_500 {
		t.Errorf("the account is %+v", a)
	}
	settings, err := w.settings.AcquirerSettings(a)
	if err != nil || !strings.Contains(string(settings), `"api_key":"another-key"`) {
		t.Errorf("the settings are not the new ones: %v", err)
	}
	c.follow(c.post(at+"/plutu/check?lang=en")).has(t, "Plutu refuses the credentials.")
}

// slowProvider is an acquirer whose check reports its deadline.
type slowProvider struct {
	acquirer.Provider
	given chan time.Duration
	err   error
}

func (p slowProvider) Open(settings []byte) (acquirer.Acquirer, error) {
	opened, err := p.Provider.Open(settings)
	return slowAccount{opened, p}, err
}

type slowAccount struct {
	acquirer.Acquirer
	of slowProvider
}

func (a slowAccount) Check(ctx context.Context, _ []acquirer.Method) error {
	end, _ := ctx.Deadline()
	a.of.given <- time.Until(end)
	return a.of.err
}

// A check has more time than a page, and has separate results for an acquirer that does not answer
// and for one that cannot check credentials. The error is logged.
func TestCheckHasTimeAndSaysWhatItFound(t *testing.T) {
	t.Parallel()
	log := &logtest.Log{}
	slow := slowProvider{given: make(chan time.Duration, 1), err: context.DeadlineExceeded}
	w := newWorld(t, withAcquirers(t), func(c *dashboard.Config) {
		c.Log = zerolog.New(log)
		slow.Provider, c.Providers[1] = c.Providers[1], &slow
	})
	w.set(t, w.ours, 0, "moamalat", "moamalat")
	w.set(t, w.ours, 0, "plutu", "cards")
	c := w.owner(t)
	at := w.ours.acquirersOf()
	c.follow(c.post(at+"/moamalat/check?lang=en")).has(t, "it is not known whether the credentials are right")
	if given := <-slow.given; given < 20*time.Second || given > 30*time.Second {
		t.Errorf("the check was given %v", given)
	}
	if !strings.Contains(log.String(), "account with an acquirer not checked") {
		t.Error("the log does not say that a check failed")
	}
	c.follow(c.post(at+"/plutu/check?lang=ar")).has(t, "لا يمكن فحص هذا الحساب من غير دفعة حقيقية.")
	c.get(at+"/plutu?lang=en&checked=paid").is(t, http.StatusOK).lacks(t, `id="checked"`) // not a known result
}

// countingProvider counts the calls that checks make.
type countingProvider struct {
	acquirer.Provider
	calls *atomic.Int64
}

func (p countingProvider) Open(settings []byte) (acquirer.Acquirer, error) {
	opened, err := p.Provider.Open(settings)
	return countingAccount{opened, p.calls}, err
}

type countingAccount struct {
	acquirer.Acquirer
	calls *atomic.Int64
}

func (a countingAccount) Check(context.Context, []acquirer.Method) error {
	a.calls.Add(1)
	return nil
}

// A check is a call to a third party: each is recorded before it is made, and an organisation may
// make a limited number, for all members and all accounts together.
func TestChecksAreLimitedAndRecorded(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	w := newWorld(t, withAcquirers(t), func(c *dashboard.Config) {
		for n := range c.Providers {
			c.Providers[n] = countingProvider{c.Providers[n], &calls}
		}
	})
	w.stopClock()
	for n := range 2 {
		w.set(t, w.ours, n, "plutu", "cards")
		w.set(t, w.ours, n, "moamalat", "moamalat")
	}
	w.set(t, w.other, 0, "plutu", "cards")
	check := func(c *client, of business, app int, acquirer string) answer {
		t.Helper()
		account := of.path("applications/" + of.apps[app].ID.String() + "/acquirers/" + acquirer)
		return c.post(account + "/check?lang=en")
	}
	members := []*client{w.owner(t), w.developer(t)}
	const free = 10
	for n := range free {
		check(members[n%2], w.ours, n/2%2, []string{"plutu", "moamalat"}[n/4%2]).is(t, http.StatusSeeOther)
	}
	for _, c := range members {
		refused := check(c, w.ours, 1, "plutu").is(t, http.StatusTooManyRequests).
			has(t, "so this one was not tried", "Try again in")
		if got := refused.header.Get("Retry-After"); got != "2" {
			t.Errorf("Retry-After %q", got)
		}
	}
	check(w.viewer(t), w.ours, 0, "plutu").is(t, http.StatusForbidden) // a forbidden check does not count
	check(w.as(t, w.other.email(accounts.RoleOwner)), w.other, 0, "plutu").is(t, http.StatusSeeOther)
	w.wait(2 * time.Second)
	check(members[0], w.ours, 0, "plutu").is(t, http.StatusSeeOther)
	check(members[1], w.ours, 0, "plutu").is(t, http.StatusTooManyRequests)
	if got := calls.Load(); got != free+2 {
		t.Errorf("%d calls were made, want %d", got, free+2)
	}
	records := w.trail(t, w.ours, settings.ActionCheckAcquirer)
	if len(records) != free+1 || records[0].Actor != w.ours.email(accounts.RoleOwner) ||
		records[0].Detail["acquirer"] != "plutu" ||
		records[0].SubjectID != uuid.UUID(w.ours.apps[0].ID) {
		t.Errorf("the trail has %d: %+v", len(records), records)
	}
}

// If the server is not connected with an acquirer, an account with it can only be ended.
func TestAnAccountWithAnAcquirerThatIsNotConnected(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) {
		withAcquirers(t)(c)
		c.Providers = c.Providers[:1]
	})
	w.set(t, w.ours, 0, "lypay", "lypay")
	c := w.owner(t)
	at := w.ours.acquirersOf()
	c.get(at+"/lypay?lang=en").is(t, http.StatusOK).has(t, "not connected with LYPay at present").
		lacks(t, "/lypay/check", "/lypay/credentials")
	for _, action := range []string{"check", "credentials", "methods", "limits"} {
		c.post(at+"/lypay/"+action, "methods", "lypay", "method", "lypay").is(t, http.StatusNotFound)
	}
	c.post(at+"/lypay/disable").is(t, http.StatusSeeOther)
	c.follow(c.post(at+"/lypay/remove?lang=en")).has(t, "were removed")
}

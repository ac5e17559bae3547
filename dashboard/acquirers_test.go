package dashboard_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/accounts/settings"
	"daftar/dashboard"
	"daftar/internal/logtest"
)

// acquirersOf is the page of the first application's accounts with acquirers.
func (b business) acquirersOf() string {
	return b.path("applications/" + b.apps[0].ID.String() + "/acquirers")
}

// An application without accounts says what to do, on both of its pages and in both languages.
func TestAnApplicationWithoutAccountsSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for _, sandbox := range []bool{false, true} {
		w := newWorld(t, withAcquirers(t), func(c *dashboard.Config) { c.Sandbox = sandbox })
		c := w.owner(t)
		says := map[string][]string{
			"?lang=en": {"This application takes no money yet",
				"Open a merchant account with one of the payment providers"},
			"?lang=ar": {"لا يستقبل هذا التطبيق أموالًا بعد", "افتح حساب تاجر لدى إحدى جهات الدفع"},
		}
		if sandbox {
			says["?lang=en"][0] = "customers find only the methods of test mode"
			says["?lang=ar"][0] = "لا يجد الزبون في صفحة الدفع إلا وسائل التجربة"
		}
		for lang, sentences := range says {
			c.get(w.ours.path("applications/"+w.ours.apps[0].ID.String()+lang)).is(t, http.StatusOK).
				has(t, sentences...)
			c.get(w.ours.acquirersOf()+lang).is(t, http.StatusOK).has(t, sentences...)
		}
		page := c.get(w.ours.acquirersOf() + "?lang=en")
		if sandbox {
			page.has(t, "Test mode is on: after your accounts")
		} else {
			page.lacks(t, "Test mode")
		}
		for _, name := range []string{"Plutu", "Moamalat", "LYPay"} {
			page.has(t, "Add an account with "+name)
		}
	}
	alone := newWorld(t)
	alone.owner(t).get(alone.ours.acquirersOf()+"?lang=en").is(t, http.StatusOK).
		has(t, "not connected with any payment provider")
}

// An account from its first form to its removal, as a developer does it.
func TestAccountWithAnAcquirer(t *testing.T) {
	t.Parallel()
	log := &logtest.Log{}
	w := newWorld(t, withAcquirers(t), func(c *dashboard.Config) { c.Log = zerolog.New(log) })
	c := w.developer(t)
	at := w.ours.acquirersOf()
	form := c.get(at+"/plutu/credentials?lang=en").is(t, http.StatusOK).
		has(t, "never shown again", "Which methods does your contract cover?").form(t, "/credentials")
	for n := 0; n+1 < len(credentialsOf["plutu"]); n += 2 {
		form.Set(credentialsOf["plutu"][n], " "+credentialsOf["plutu"][n+1]+" ")
	}
	form.Del("offer-sadad")
	form.Del("offer-tlync")
	saved := c.follow(c.send(http.MethodPost, at+"/plutu/credentials?lang=en", form).leads(t, at+"/plutu")).
		has(t, "saved encrypted", "Plutu", "On", "Adfali Offered", "Sadad Not offered", w.ours.apps[0].ID.String())
	if a := w.account(t, "plutu"); !a.Enabled || !slices.Equal(a.Methods, []string{"adfali", "cards"}) {
		t.Errorf("the account is %+v", a)
	}
	w.wantRecord(t, settings.ActionSetAcquirer)
	if saved.form(t, "/check"); !strings.Contains(saved.body, "/notify/plutu/"+w.ours.apps[0].ID.String()) {
		t.Error("the page does not say where notifications go")
	}
	c.follow(c.post(at+"/plutu/check?lang=en")).has(t, "Plutu accepts the credentials.")
	c.follow(c.post(at+"/plutu/disable?lang=en")).has(t, "The account is off", "Off")
	w.wantRecord(t, settings.ActionDisableAcquirer)
	c.get(at+"?lang=en").has(t, "Plutu Off", "Adfali · Local bank card")
	c.follow(c.post(at+"/plutu/enable?lang=en")).has(t, "The account is on")
	w.wantRecord(t, settings.ActionEnableAcquirer)
	c.get(at+"/plutu?lang=en").has(t, "they wait until the operator of the service has looked into it")
	c.follow(c.post(at+"/plutu/remove?lang=en").leads(t, at)).
		has(t, "The account and its credentials were removed", "takes no money yet")
	w.wantRecord(t, settings.ActionRemoveAcquirer)
	c.get(at+"/plutu").is(t, http.StatusNotFound)
	trail := c.get(w.ours.path("audit?lang=en")).is(t, http.StatusOK).
		has(t, "Acquirer's account of an application removed", "Acquirer: Plutu",
			"Methods: Adfali, Local bank card")
	for _, secret := range acquirerSecrets {
		trail.lacks(t, secret)
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has %s", secret)
		}
	}
}

// Buttons send the whole new list: pressing one twice, or on an old page, does no harm.
func TestMethodsAndTheirOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAcquirers(t))
	w.set(t, w.ours, 0, "plutu", "adfali", "sadad")
	w.set(t, w.ours, 0, "moamalat", "moamalat")
	w.set(t, w.ours, 0, "lypay", "lypay")
	c := w.developer(t)
	at := w.ours.acquirersOf()
	wants := func(want ...string) {
		t.Helper()
		if a := w.account(t, "plutu"); !slices.Equal(a.Methods, want) {
			t.Errorf("offered: %v, want %v", a.Methods, want)
		}
	}
	page := c.get(at + "/plutu?lang=en")
	down := page.form(t, "/methods") // the first button: Adfali a place down
	for range 2 {
		c.follow(c.send(http.MethodPost, at+"/plutu/methods?lang=en", down)).
			has(t, "What the payment page offers of this account was changed.")
		wants("sadad", "adfali")
	}
	w.wantRecord(t, settings.ActionOfferMethods)
	c.post(at+"/plutu/methods", "methods", "sadad adfali tlync").is(t, http.StatusSeeOther)
	c.post(at+"/plutu/methods", "methods", "tlync").is(t, http.StatusSeeOther)
	wants("tlync")
	c.get(at+"/plutu?lang=en").has(t, "T-Lync Offered").lacks(t, "Stop offering") // the last one stays
	for _, wrong := range []string{"", "moamalat", "tlync moneybag", "tlync adfali tlync"} {
		c.post(at+"/plutu/methods", "methods", wrong).is(t, http.StatusNotFound)
	}
	wants("tlync")

	order := func() string {
		t.Helper()
		var names []string
		all, err := w.settings.AcquirerAccounts(t.Context(), w.ours.apps[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range all {
			names = append(names, a.Acquirer)
		}
		return strings.Join(names, " ")
	}
	first := c.get(at+"?lang=en").form(t, "/order") // the first button: Plutu a place down
	for range 2 {
		c.follow(c.send(http.MethodPost, at+"/order?lang=en", first)).
			has(t, "The order of the accounts on the payment page was changed.")
		if got := order(); got != "moamalat plutu lypay" {
			t.Errorf("the order is %s", got)
		}
	}
	w.wantRecord(t, settings.ActionOrderAcquirers)
	c.post(at + "/plutu/remove")
	c.follow(c.send(http.MethodPost, at+"/order?lang=en", first)).
		has(t, "Someone changed the accounts meanwhile")
	if got := order(); got != "moamalat lypay" {
		t.Errorf("the order is %s", got)
	}
}

// Limits must be within the acquirer's; otherwise the form has an error.
func TestLimitsOfMethods(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAcquirers(t))
	w.set(t, w.ours, 0, "moamalat", "moamalat")
	c := w.owner(t)
	at := w.ours.acquirersOf() + "/moamalat"
	c.get(at+"?lang=en").has(t, "Least amount1.000\u00a0LYD", "Greatest amount1,000,000.000\u00a0LYD",
		"1.000\u00a0LYD – 1,000,000.000\u00a0LYD")
	for _, row := range []struct{ least, most, english, arabic string }{
		{"0.999", "", "This is less than the provider takes.", "هذا أقل مما تقبله جهة الدفع."},
		{"", "1,000,000.001", "This is more than the provider takes.", "هذا أكثر مما تقبله جهة الدفع."},
		{"five", "", "Write an amount of dinars, such as 12.500.", "اكتب مبلغًا بالدينار، مثل \u206812.500\u2069."},
		{"5", "4.999", "The greatest amount is below the least", "الحد الأعلى أقل من الحد الأدنى"},
		{"", "0", "The greatest amount is below the least", "الحد الأعلى أقل من الحد الأدنى"},
	} {
		for lang, sentence := range map[string]string{"?lang=en": row.english, "?lang=ar": row.arabic} {
			page := c.post(at+"/limits"+lang, "method", "moamalat", "min", row.least, "max", row.most).
				is(t, http.StatusUnprocessableEntity).has(t, sentence)
			if form := page.form(t, "/limits"); form.Get("min") != row.least || form.Get("max") != row.most {
				t.Errorf("the form forgot what was typed: %v", form)
			}
		}
	}
	c.follow(c.post(at+"/limits?lang=en", "method", "moamalat", "min", "5", "max", "1,500.250")).
		has(t, "The limits were saved", "Least amount5.000\u00a0LYD", "Greatest amount1,500.250\u00a0LYD")
	w.wantRecord(t, settings.ActionLimitMethod)
	want := settings.AmountLimits{Min: 5_000, Max: 1_500_250}
	if got := w.account(t, "moamalat").Limits["moamalat"]; got != want {
		t.Errorf("the limits are %+v", got)
	}
	form := c.get(at+"?lang=en").form(t, "/limits")
	if form.Get("min") != "5.000" || form.Get("max") != "1,500.250" {
		t.Errorf("the form has %v", form)
	}
	c.post(at+"/limits", "method", "moamalat", "min", "", "max", "").is(t, http.StatusSeeOther)
	if got := w.account(t, "moamalat").Limits; len(got) > 0 {
		t.Errorf("taken back, the limits are %v", got)
	}
	c.post(at+"/limits", "method", "adfali", "min", "5").is(t, http.StatusNotFound)
}

// Accounts of another organisation, or of none, are not found; a viewer cannot change anything.
func TestAcquirersOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAcquirers(t))
	w.set(t, w.other, 0, "plutu", "adfali")
	w.set(t, w.ours, 0, "plutu", "adfali")
	owner, viewer := w.owner(t), w.viewer(t)
	actions := []string{"order", "plutu/credentials", "plutu/methods", "plutu/limits", "plutu/enable",
		"plutu/disable", "plutu/check", "plutu/remove"}
	fields := append(slices.Clone(credentialsOf["plutu"]), "order", "plutu", "methods", "cards", "method",
		"adfali", "max", "5")
	for _, id := range []string{w.other.apps[0].ID.String(), uuid.NewString(), "x"} {
		for _, below := range []string{"", "/plutu", "/plutu/credentials"} {
			owner.get(w.ours.path("applications/"+id+"/acquirers"+below)).is(t, http.StatusNotFound)
		}
		for _, action := range actions {
			owner.post(w.ours.path("applications/"+id+"/acquirers/"+action), fields...).is(t, http.StatusNotFound)
			owner.post(w.other.path("applications/"+id+"/acquirers/"+action), fields...).is(t, http.StatusNotFound)
		}
	}
	for _, action := range actions {
		viewer.post(w.ours.acquirersOf()+"/"+action, fields...).is(t, http.StatusForbidden)
	}
	viewer.get(w.ours.acquirersOf()).is(t, http.StatusForbidden)
	all, err := w.settings.AcquirerAccounts(t.Context(), w.other.apps[0].ID)
	if err != nil || len(all) != 1 || !all[0].Enabled || len(all[0].Limits) > 0 ||
		!slices.Equal(all[0].Methods, []string{"adfali"}) {
		t.Errorf("the other organisation's account is %+v, %v", all, err)
	}
}

// Two people change one account at the same time: both limits are stored, and one of the orders.
func TestTwoPeopleAtOneAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAcquirers(t))
	w.set(t, w.ours, 0, "plutu", "adfali", "cards")
	w.set(t, w.ours, 0, "lypay", "lypay")
	at := w.ours.acquirersOf()
	var both sync.WaitGroup
	for method, c := range map[string]*client{"adfali": w.owner(t), "cards": w.developer(t)} {
		both.Go(func() {
			for range 5 {
				c.post(at+"/plutu/limits", "method", method, "max", "100")
				c.post(at+"/order", "order", map[string]string{"adfali": "plutu lypay", "cards": "lypay plutu"}[method])
			}
		})
	}
	both.Wait()
	got := w.account(t, "plutu").Limits
	if len(got) != 2 || got["adfali"].Max != 100_000 || got["cards"].Max != 100_000 {
		t.Errorf("limits %v", got)
	}
	if n := len(w.trail(t, w.ours, settings.ActionLimitMethod)); n != 10 {
		t.Errorf("%d records of limits, want 10", n)
	}
}

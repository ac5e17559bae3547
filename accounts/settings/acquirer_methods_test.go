package settings_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/settings"
)

// order is the order of the application's accounts.
func (w *world) order() string {
	w.T.Helper()
	var names []string
	for _, s := range w.Acquirers(w.App.ID) {
		names = append(names, s.Acquirer)
	}
	return strings.Join(names, " ")
}

// limits are the limits of an account of the application.
func (w *world) limits(acquirer string) map[string]settings.AmountLimits {
	w.T.Helper()
	all := w.Acquirers(w.App.ID)
	n := slices.IndexFunc(all, func(s settings.AcquirerAccount) bool { return s.Acquirer == acquirer })
	if n < 0 {
		w.T.Fatalf("there is no account with %s", acquirer)
	}
	return all[n].Limits
}

// The named accounts come first, and the others follow in their present order.
func TestOrderAcquirers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, app := t.Context(), w.App.ID
	for _, name := range []string{"plutu", "moamalat", "lypay"} {
		w.Acquirer(name, name)
	}
	for _, c := range []struct{ first, want string }{
		{"lypay plutu moamalat", "lypay plutu moamalat"}, {"moamalat", "moamalat lypay plutu"},
		{"", "moamalat lypay plutu"},
		{"plutu lypay", "plutu lypay moamalat"}, {"plutu lypay", "plutu lypay moamalat"},
	} {
		w.done(w.Settings.OrderAcquirers(ctx, operator, w.Org, app, strings.Fields(c.first)))
		if got := w.order(); got != c.want {
			t.Errorf("%s first: %s, want %s", c.first, got, c.want)
		}
	}
	records := w.Count(`SELECT count(*) FROM audit_records`)
	for _, first := range []string{
		"moneybag", "lypay moneybag", "lypay plutu lypay", "plutu lypay moamalat moneybag",
	} {
		err := w.Settings.OrderAcquirers(ctx, operator, w.Org, app, strings.Fields(first))
		if !errors.Is(err, settings.ErrNoAcquirerAccount) {
			t.Errorf("%s: %v, want ErrNoAcquirerAccount", first, err)
		}
	}
	got := w.order()
	if got != "plutu lypay moamalat" || w.Count(`SELECT count(*) FROM audit_records`) != records {
		t.Errorf("after refused changes the order is %s, or there is a record", got)
	}
	w.done(w.Settings.RemoveAcquirer(ctx, operator, w.Org, app, "plutu"))
	w.Acquirer("plutu", "cards")
	if got := w.order(); got != "lypay moamalat plutu" {
		t.Errorf("a new one is not the last: %s", got)
	}
}

// Limits are set and removed for each method separately, and stay when credentials or methods
// change; an account that was removed and added again has none.
func TestLimitMethod(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, app := t.Context(), w.App.ID
	w.Acquirer("plutu", "adfali", "cards")
	type limits = map[string]settings.AmountLimits
	want := func(what string, want limits) {
		t.Helper()
		if diff := cmp.Diff(want, w.limits("plutu")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	set := func(method string, from, to int64) {
		t.Helper()
		w.done(w.Settings.LimitMethod(ctx, operator, w.Org, app, "plutu", method,
			settings.AmountLimits{Min: from, Max: to}))
	}
	want("at first", limits{})
	w.Later(time.Hour)
	set("adfali", 1_000, 500_000)
	set("cards", 0, 9_001)
	want("both", limits{"adfali": {Min: 1_000, Max: 500_000}, "cards": {Max: 9_001}})
	if changed := w.Acquirers(app)[0].ChangedAt; !changed.Equal(accountstest.Noon.Add(time.Hour)) {
		t.Errorf("changed at %v", changed)
	}
	set("adfali", 5_000, 0)
	want("another", limits{"adfali": {Min: 5_000}, "cards": {Max: 9_001}})
	w.done(w.Settings.ReplaceAcquirerSettings(ctx, operator, w.Org, app, "plutu",
		accountstest.SettingsOf("newer")))
	w.done(w.Settings.OfferMethods(ctx, operator, w.Org, app, "plutu", []string{"tlync"}))
	w.done(w.Settings.SetAcquirer(ctx, operator, w.Org, app, "plutu", accountstest.SettingsOf("newest"),
		[]string{"cards", "tlync"}))
	w.WantAcquirers(`plutu [cards tlync] true {"secret_key":"newest"}`)
	want("with other methods", limits{"adfali": {Min: 5_000}, "cards": {Max: 9_001}})
	set("adfali", 0, 0)
	set("sadad", 0, 0) // it has none
	want("taken back", limits{"cards": {Max: 9_001}})
	for _, l := range []settings.AmountLimits{{Min: -1}, {Max: -1}, {Min: 2, Max: 1}} {
		err := w.Settings.LimitMethod(ctx, operator, w.Org, app, "plutu", "cards", l)
		if !errors.Is(err, accounts.ErrInvalid) {
			t.Errorf("%+v: %v, want ErrInvalid", l, err)
		}
	}
	want("after refusals", limits{"cards": {Max: 9_001}})
	w.done(w.Settings.RemoveAcquirer(ctx, operator, w.Org, app, "plutu"))
	w.Acquirer("plutu", "cards")
	want("come back", limits{})
}

// Methods are set without the credentials, and credentials are replaced without the methods.
func TestOfferMethodsAndReplaceSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, app := t.Context(), w.App.ID
	w.Acquirer("plutu", "adfali", "cards")
	w.done(w.Settings.EnableAcquirer(ctx, operator, w.Org, app, "plutu", false))
	w.done(w.Settings.OfferMethods(ctx, operator, w.Org, app, "plutu", []string{"tlync", "adfali"}))
	w.done(w.Settings.ReplaceAcquirerSettings(ctx, operator, w.Org, app, "plutu",
		accountstest.SettingsOf("newer")))
	w.WantAcquirers(`plutu [tlync adfali] false {"secret_key":"newer"}`)
	err := w.Settings.OfferMethods(ctx, operator, w.Org, app, "plutu", nil)
	if !errors.Is(err, accounts.ErrInvalid) {
		t.Errorf("no method: %v, want ErrInvalid", err)
	}
	keyless := settings.New(w.Pool, w.Accounts, accounts.SecretKey{}, w.Now.Now)
	err = keyless.ReplaceAcquirerSettings(ctx, operator, w.Org, app, "plutu", accountstest.SettingsOf("newest"))
	if !errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("without a secret key: %v", err)
	}
	w.done(keyless.OfferMethods(ctx, operator, w.Org, app, "plutu", []string{"adfali"}))
	w.WantAcquirers(`plutu [adfali] false {"secret_key":"newer"}`)
	for what, do := range changes(w.Settings, w.Org, app) {
		if what == "set" || what == "set another" {
			continue
		}
		w.done(w.Settings.SetAcquirer(ctx, operator, w.Org, app, "plutu", accountstest.SettingsOf("another"),
			[]string{"adfali"}))
		w.done(w.Settings.RemoveAcquirer(ctx, operator, w.Org, app, "plutu"))
		if err := do(ctx, operator); !errors.Is(err, settings.ErrNoAcquirerAccount) {
			t.Errorf("%s of an account that is gone: %v, want ErrNoAcquirerAccount", what, err)
		}
	}
}

// The trail has what each change has set, and amounts as people write them.
func TestChoicesAreRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, app := t.Context(), w.App.ID
	w.Acquirer("plutu", "adfali")
	w.Acquirer("lypay", "lypay")
	w.done(w.Settings.ReplaceAcquirerSettings(ctx, operator, w.Org, app, "plutu",
		accountstest.SettingsOf(accountstest.SettingValue)))
	w.done(w.Settings.OfferMethods(ctx, operator, w.Org, app, "plutu", []string{"sadad", "adfali"}))
	w.done(w.Settings.LimitMethod(ctx, operator, w.Org, app, "plutu", "sadad",
		settings.AmountLimits{Min: 1_500, Max: 2_000_000}))
	w.done(w.Settings.LimitMethod(ctx, operator, w.Org, app, "plutu", "sadad", settings.AmountLimits{}))
	w.done(w.Settings.OrderAcquirers(ctx, operator, w.Org, app, []string{"lypay"}))
	records, err := w.Accounts.Trail(ctx, operator, w.Org, accounts.TrailFilter{Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []struct {
		action accounts.Action
		detail map[string]any
	}{
		{settings.ActionOrderAcquirers, map[string]any{"name": "Web", "acquirers": []any{"lypay", "plutu"}}},
		{settings.ActionLimitMethod, map[string]any{"name": "Web", "acquirer": "plutu", "method": "sadad"}},
		{settings.ActionLimitMethod, map[string]any{"name": "Web", "acquirer": "plutu", "method": "sadad",
			"min": "1.500", "max": "2,000.000"}},
		{settings.ActionOfferMethods,
			map[string]any{"name": "Web", "acquirer": "plutu", "methods": []any{"sadad", "adfali"}}},
		{settings.ActionSetAcquirer, map[string]any{"name": "Web", "acquirer": "plutu"}},
	} {
		if diff := cmp.Diff(want.detail, records[n].Detail); diff != "" || records[n].Action != want.action {
			t.Errorf("%s, recorded as %s (-want +got):\n%s", want.action, records[n].Action, diff)
		}
	}
	n := w.Count(`SELECT count(*) FROM audit_records r WHERE r::text LIKE '%' || $1 || '%'`,
		accountstest.SettingValue)
	if n != 0 {
		t.Errorf("%d records have the value of a setting", n)
	}
}

// Of changes at the same time none is lost: the limits of all methods are set, and the order is
// exactly one of those that were requested.
func TestChoicesAtTheSameTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, app := t.Context(), w.App.ID
	names := []string{"plutu", "moamalat", "lypay", "another"}
	for _, name := range names {
		w.Acquirer(name, "adfali")
	}
	want, requested := map[string]settings.AmountLimits{}, map[string]bool{}
	var all sync.WaitGroup
	for n := range 16 {
		method, limits := fmt.Sprintf("method%d", n), settings.AmountLimits{Min: int64(n + 1)}
		want[method] = limits
		order := slices.Concat(names[n%4:], names[:n%4])
		requested[strings.Join(order, " ")] = true
		all.Go(func() {
			if err := w.Settings.LimitMethod(ctx, operator, w.Org, app, "plutu", method, limits); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			if err := w.Settings.OrderAcquirers(ctx, operator, w.Org, app, order); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if diff := cmp.Diff(want, w.limits("plutu")); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	if !requested[w.order()] {
		t.Errorf("the order is %s, which was not requested", w.order())
	}
}

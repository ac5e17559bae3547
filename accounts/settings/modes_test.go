package settings_test

import (
	"errors"
	"testing"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/settings"
	"daftar/domain"
)

// A test application has the sandbox alone, and so no account with an acquirer.
func TestATestApplicationHasNoAcquirerAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	app, err := w.Accounts.CreateApplication(t.Context(), operator, w.Org,
		accounts.Draft{Name: "trials", Mode: domain.ModeTest})
	w.done(err)
	other := accountstest.NewShop(t, w.Accounts)
	for of, want := range map[accounts.OrganizationID]error{
		w.Org: settings.ErrTestApplication, other.Org: accounts.ErrNoApplication,
	} {
		err := w.Settings.SetAcquirer(t.Context(), operator, of, app.ID, "plutu",
			accountstest.SettingsOf("a"), []string{"sadad"})
		if !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if got := w.Acquirers(app.ID); len(got) > 0 {
		t.Errorf("accounts %+v", got)
	}
}

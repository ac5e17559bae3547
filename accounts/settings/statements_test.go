package settings_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/settings"
)

// The last format that was kept for an acquirer is that of the organisation alone, and of those who may
// compare.
func TestStatementFormats(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := accountstest.NewShop(t, w.Accounts)
	keep := func(acquirer string, f settings.StatementFormat) {
		t.Helper()
		err := pgx.BeginFunc(t.Context(), w.Pool, func(tx pgx.Tx) error {
			return settings.KeepStatementFormat(t.Context(), tx, w.Org, acquirer, f)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want := func(of accounts.OrganizationID, acquirer string, want settings.StatementFormat) {
		t.Helper()
		got, err := w.Settings.StatementFormat(t.Context(), operator, of, acquirer)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", acquirer, err, diff)
		}
	}
	chosen := map[string]string{"amount": "قيمة", "status": ""}
	format := settings.StatementFormat{Unit: "dinars", Columns: chosen}
	keep("plutu", settings.StatementFormat{Columns: map[string]string{"amount": "x"}})
	keep("plutu", format)
	keep("lypay", settings.StatementFormat{Unit: "dirhams"})
	want(w.Org, "plutu", format)
	want(w.Org, "lypay", settings.StatementFormat{Unit: "dirhams", Columns: map[string]string{}})
	want(w.Org, "moamalat", settings.StatementFormat{})
	want(other.Org, "plutu", settings.StatementFormat{})
	support := w.Person("support", w.Org, accounts.RoleSupport)
	for _, actor := range []accounts.Actor{by(support), by(w.Person("them", other.Org, accounts.RoleOwner))} {
		f, err := w.Settings.StatementFormat(t.Context(), actor, w.Org, "plutu")
		if !errors.Is(err, accounts.ErrForbidden) && !errors.Is(err, accounts.ErrNotFound) {
			t.Errorf("%s sees %+v, %v", actor.Name, f, err)
		}
	}
}

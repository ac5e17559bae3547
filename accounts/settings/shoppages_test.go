package settings_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/internal/locale"
)

func TestShopPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	set := func(p settings.ShopPage) error {
		return w.Settings.SetShopPage(t.Context(), operator, w.Org, w.App.ID, p)
	}
	want := func(want settings.ShopPage, open bool) {
		t.Helper()
		f, err := w.Settings.Front(t.Context(), want.Name)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := w.Settings.ShopPage(t.Context(), w.App.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range []settings.ShopPage{f.Page, kept} {
			if diff := cmp.Diff(want, page, cmpopts.IgnoreFields(settings.ShopPage{}, "Changed")); diff != "" {
				t.Errorf("the page (-want +got):\n%s", diff)
			}
		}
		if f.ID != w.App.ID || f.Open() != open {
			t.Errorf("the page is of %s, and open %v", f.ID, f.Open())
		}
	}
	if p, err := w.Settings.ShopPage(t.Context(), w.App.ID); err != nil || !p.Changed.IsZero() {
		t.Errorf("an application without a page has %+v: %v", p, err)
	}
	p := settings.ShopPage{
		Name: "cafe-1", Enabled: true,
		Descriptions: locale.Text{Arabic: "قهوة بـ 5 د.ل", English: "Coffee, e.g. 5"},
	}
	if err := set(p); err != nil {
		t.Fatal(err)
	}
	want(p, true)
	other := p
	other.Name, other.Fixed, other.Descriptions = "cafe-2", 5_000, locale.Text{}
	if err := set(other); err != nil {
		t.Fatal(err)
	}
	other.Name = p.Name // it is on paper
	want(other, true)

	err := w.Accounts.SetActive(t.Context(), operator, w.Org, w.App.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	want(other, false)
	if err := w.Accounts.SetActive(t.Context(), operator, w.Org, w.App.ID, true); err != nil {
		t.Fatal(err)
	}
	other.Enabled = false
	if err := set(other); err != nil {
		t.Fatal(err)
	}
	want(other, false)

	rival, err := w.Accounts.CreateOrganization(t.Context(), operator, "Rival")
	if err != nil {
		t.Fatal(err)
	}
	err = w.Settings.SetShopPage(t.Context(), operator, rival.ID, w.App.ID, p)
	if !errors.Is(err, accounts.ErrNoApplication) {
		t.Errorf("another organisation's application: %v", err)
	}
	app, err := w.Accounts.CreateApplication(t.Context(), operator, rival.ID, accounts.Draft{Name: "Rival"})
	if err != nil {
		t.Fatal(err)
	}
	err = w.Settings.SetShopPage(t.Context(), operator, rival.ID, app.ID, p)
	if !errors.Is(err, settings.ErrShopPageTaken) {
		t.Errorf("a name that is taken, of a page that is off: %v", err)
	}
}

func TestShopPageIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, p := range map[string]settings.ShopPage{
		"short":       {Name: "ab"},
		"long":        {Name: strings.Repeat("a", 41)},
		"capitals":    {Name: "Cafe"},
		"arabic":      {Name: "مقهى"},
		"hyphen":      {Name: "-cafe"},
		"line":        {Name: "cafe\n"},
		"reserved":    {Name: "daftar"},
		"a bank":      {Name: "wahda"},
		"lines":       {Name: "cafe", Descriptions: locale.Text{Arabic: "a\nb"}},
		"long text":   {Name: "cafe", Descriptions: locale.Text{English: strings.Repeat("a", 201)}},
		"link":        {Name: "cafe", Descriptions: locale.Text{English: "Pay at https://evil"}},
		"host":        {Name: "cafe", Descriptions: locale.Text{Arabic: "ادفع في evil.ly"}},
		"mail":        {Name: "cafe", Descriptions: locale.Text{Arabic: "me@evil"}},
		"too little":  {Name: "cafe", Fixed: 999},
		"too much":    {Name: "cafe", Fixed: 1_000_000_001},
		"less than 0": {Name: "cafe", Fixed: -1},
	} {
		err := w.Settings.SetShopPage(t.Context(), operator, w.Org, w.App.ID, p)
		if !errors.Is(err, accounts.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := w.Settings.Front(t.Context(), p.Name); !errors.Is(err, settings.ErrNoShopPage) {
			t.Errorf("%s is found: %v", name, err)
		}
	}
}

package settings_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/logo"
)

func (w *world) brand(of domain.ApplicationID) settings.Brand {
	w.T.Helper()
	s, err := w.Settings.Shop(w.T.Context(), of)
	if err != nil || s.ID != of {
		w.T.Fatal(err)
	}
	return s.Brand
}

func (w *world) wantBrand(want settings.Brand) {
	w.T.Helper()
	diff := cmp.Diff(want, w.brand(w.App.ID), cmpopts.IgnoreFields(settings.Brand{}, "Changed"))
	if diff != "" {
		w.T.Errorf("brand (-want +got):\n%s", diff)
	}
}

func TestBrand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.wantBrand(settings.Brand{})
	set := func(b settings.Brand, p *logo.Pictures) {
		t.Helper()
		if err := w.Settings.SetBrand(t.Context(), operator, w.Org, w.App.ID, b, p); err != nil {
			t.Fatal(err)
		}
	}
	b := settings.Brand{
		Names: locale.Text{Arabic: "مقهى الميدان", English: "Maydan Coffee"}, Accent: "#1a1a2e",
		Phone: "+218213334444", WhatsApp: "+218912345678",
		Website: "https://maydan.example/ar", Address: "طرابلس، ميدان الجزائر",
	}
	set(b, nil)
	w.wantBrand(b)
	if _, err := w.Settings.LogoMark(t.Context(), w.App.ID); !errors.Is(err, settings.ErrNoLogo) {
		t.Errorf("a logo that was not set: %v", err)
	}

	set(b, &logo.Pictures{Mark: []byte("mark"), Icon: []byte("icon"), Share: []byte("share")})
	first := w.brand(w.App.ID)
	if len(first.Logo) != 32 || string(first.Icon) != "icon" {
		t.Errorf("logo %q, icon %q", first.Logo, first.Icon)
	}
	// A form without a file changes the rest alone.
	set(settings.Brand{Accent: "#ffffff"}, nil)
	w.wantBrand(settings.Brand{Accent: "#ffffff", Logo: first.Logo, Icon: first.Icon})
	for read, want := range map[string]string{"mark": "mark", "share": "share"} {
		got, err := w.Settings.LogoMark(t.Context(), w.App.ID)
		if read == "share" {
			got, err = w.Settings.LogoShare(t.Context(), w.App.ID)
		}
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", read, got, err)
		}
	}
	set(settings.Brand{}, &logo.Pictures{Mark: []byte("mark"), Icon: []byte("icon"), Share: []byte("other")})
	if got := w.brand(w.App.ID).Logo; got == first.Logo || len(got) != 32 {
		t.Errorf("another logo is called %q", got)
	}
	set(settings.Brand{}, &logo.Pictures{})
	w.wantBrand(settings.Brand{})

	other, err := w.Accounts.CreateOrganization(t.Context(), operator, "Another")
	if err != nil {
		t.Fatal(err)
	}
	err = w.Settings.SetBrand(t.Context(), operator, other.ID, w.App.ID, b, nil)
	if !errors.Is(err, accounts.ErrNoApplication) {
		t.Errorf("by another organisation: %v", err)
	}
	w.wantBrand(settings.Brand{})
}

func TestBrandIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, b := range map[string]settings.Brand{
		"a long name":                 {Names: locale.Text{Arabic: strings.Repeat("ا", 81)}},
		"a name of two lines":         {Names: locale.Text{English: "a\nb"}},
		"a long address":              {Address: strings.Repeat("x", 201)},
		"a colour by name":            {Accent: "red"},
		"a colour in capitals":        {Accent: "#0B5D57"},
		"rules in place of a colour":  {Accent: "#fff; } body { display: none"},
		"a national number":           {Phone: "0912345678"},
		"words":                       {WhatsApp: "call"},
		"a script":                    {Website: "javascript:alert(1)"},
		"no host":                     {Website: "https:///x"},
		"credentials":                 {Website: "https://a:b@shop.example"},
		"an address without a scheme": {Website: "shop.example"},
		"a long website":              {Website: "https://shop.example/" + strings.Repeat("x", 500)},
	} {
		err := w.Settings.SetBrand(t.Context(), operator, w.Org, w.App.ID, b, nil)
		if !errors.Is(err, accounts.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.wantBrand(settings.Brand{})
}

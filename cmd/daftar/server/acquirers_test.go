package server_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"strings"
	"testing"

	"daftar/cmd/daftar-dev/fakes"
	"daftar/cmd/daftar/config"
	"daftar/cmd/daftar/server"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
)

// A provider describes its settings correctly: it requires those that are not optional, accepts
// every choice, and the guide explains each.
func TestSettingsAreThoseOfTheAccounts(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../docs/acquirers.md")
	if err != nil {
		t.Fatal(err)
	}
	described, at := registry.WithAccounts(), acquirer.Addresses{}
	for _, d := range described {
		at[d.Variables[0].Name] = "http://127.0.0.1:1"
	}
	providers, err := server.Providers(config.Config{Addresses: at})
	if err != nil || len(providers) != len(described) {
		t.Fatalf("%d providers, %v", len(providers), err)
	}
	for n, p := range providers {
		program := fakes.All()[n]
		if p.Name() != described[n].Name || program.Acquirer != p.Name() ||
			program.Variable != described[n].Variables[0].Name {
			t.Fatalf("%s is described as %s, and its fake as that of %s",
				p.Name(), described[n].Name, program.Acquirer)
		}
		var right map[string]string
		if err := json.Unmarshal([]byte(program.Settings), &right); err != nil {
			t.Fatal(err)
		}
		open := func(setting, value string) error {
			t.Helper()
			given := maps.Clone(right)
			given[setting] = value
			encoded, err := acquirer.EncodeSettings(described[n].Settings, given)
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Open(encoded)
			return err
		}
		for _, s := range described[n].Settings {
			if !strings.Contains(string(guide), "`"+s.Name+"`") {
				t.Errorf("the guide does not explain %s of %s", s.Name, p.Name())
			}
			err := open(s.Name, "")
			wrong, named := errors.AsType[*acquirer.SettingsError](err)
			missing := named && wrong.Setting == s.Name && wrong.Problem == "is missing"
			if s.Optional && err != nil || !s.Optional && !missing {
				t.Errorf("%s without %s: %v", p.Name(), s.Name, err)
			}
			values := s.Choices
			if s.Flag {
				values = []string{"yes"}
			}
			for _, value := range values {
				if err := open(s.Name, value); err != nil {
					t.Errorf("%s with %s %s: %v", p.Name(), s.Name, value, err)
				}
			}
		}
	}
}

// The doctor and serve name real acquirers next to the sandbox, and nothing else.
func TestSandboxNextToRealMoneyIsNamed(t *testing.T) {
	t.Parallel()
	local := "http://127.0.0.1:8080"
	c := config.Config{PublicURL: local, Acquirers: []string{config.Sandbox}, Addresses: acquirer.Addresses{
		"DAFTAR_PLUTU_URL": "http://127.0.0.1:1", "DAFTAR_MOAMALAT_URL": "https://npg.moamalat.example",
	}}
	providers, err := server.Providers(c)
	if err != nil {
		t.Fatal(err)
	}
	w := server.SandboxWarning(c, providers, []string{"plutu", "moamalat"})
	if !strings.Contains(w, "(moamalat; DAFTAR_ACQUIRERS)") {
		t.Errorf("of a real acquirer and a fake: %q", w)
	}
	if w := server.SandboxWarning(c, providers, []string{"plutu"}); w != "" {
		t.Errorf("of a fake: %q", w)
	}
	c.PublicURL = "https://pay.example"
	if w := server.SandboxWarning(c, providers, []string{"moamalat"}); w != "" {
		t.Errorf("where live applications are not offered the sandbox: %q", w)
	}
	c.PublicURL, c.Acquirers = local, nil
	if w := server.SandboxWarning(c, providers, []string{"moamalat"}); w != "" {
		t.Errorf("without the sandbox: %q", w)
	}
}

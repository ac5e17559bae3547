package daftar_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	daftar "daftar/sdk/go"
)

func TestConfigsThatCannotWork(t *testing.T) {
	t.Parallel()
	good := daftar.Config{BaseURL: "https://pay.example/api/v1", APIKey: key, AccessToken: token}
	if _, err := daftar.NewClient(good); err != nil {
		t.Error(err)
	}
	of := func(change func(*daftar.Config)) daftar.Config {
		c := good
		change(&c)
		return c
	}
	for name, c := range map[string]daftar.Config{
		"nothing":            {},
		"no scheme":          of(func(c *daftar.Config) { c.BaseURL = "pay.example" }),
		"another scheme":     of(func(c *daftar.Config) { c.BaseURL = "ftp://pay.example" }),
		"no host":            of(func(c *daftar.Config) { c.BaseURL = "https:///api/v1" }),
		"a line end":         of(func(c *daftar.Config) { c.BaseURL += "\n" }),
		"a user":             of(func(c *daftar.Config) { c.BaseURL = "https://shop:" + token + "@pay.example" }),
		"a query":            of(func(c *daftar.Config) { c.BaseURL += "?a=b" }),
		"no key":             of(func(c *daftar.Config) { c.APIKey = "" }),
		"a key with a space": of(func(c *daftar.Config) { c.APIKey += " " }),
		"no token":           of(func(c *daftar.Config) { c.AccessToken = "" }),
		"a token of a file":  of(func(c *daftar.Config) { c.AccessToken += "\n" }),
		"a token in Arabic":  of(func(c *daftar.Config) { c.AccessToken += "ر" }),
		"no time":            of(func(c *daftar.Config) { c.Timeout = -1 }),
	} {
		made, err := daftar.NewClient(c)
		mustBeArgumentError(t, name, err)
		if made != nil {
			t.Errorf("%s: a client", name)
		}
		mustHideCredentials(t, name, fmt.Sprint(err))
	}
}

func TestFromEnvironment(t *testing.T) {
	s := serve(t, says(200, intent))
	t.Setenv("DAFTAR_API_URL", s.URL)
	t.Setenv("DAFTAR_API_KEY", "pk_of-the-environment")
	t.Setenv("DAFTAR_ACCESS_TOKEN", "at_of-the-environment")
	for _, c := range []daftar.Config{{}, {APIKey: key, RetryFor: -1}} {
		made, err := daftar.FromEnvironment(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := made.RetrievePaymentIntent(context.Background(), uuid); err != nil {
			t.Fatal(err)
		}
	}
	for n, want := range []string{"pk_of-the-environment", key} {
		h := s.requests()[n].Header
		if h.Get("X-API-Key") != want || h.Get("Authorization") != "Bearer at_of-the-environment" {
			t.Errorf("asked with %v", h)
		}
	}
}

// Whatever prints or encodes a client or its configuration finds no credentials.
func TestCredentialsAreNotPrinted(t *testing.T) {
	t.Parallel()
	config := daftar.Config{
		BaseURL: "https://pay.example/api/v1", APIKey: key, AccessToken: token, HTTPClient: &http.Client{},
	}
	c, err := daftar.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	inside := struct {
		Config daftar.Config
		client *daftar.Client
		value  daftar.Client
	}{config, c, *c}
	for _, value := range []any{config, &config, c, *c, inside, []any{config, c}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			mustHideCredentials(t, verb, fmt.Sprintf(verb, value))
		}
		text, err := json.Marshal(value)
		if err != nil {
			t.Error(err)
		}
		mustHideCredentials(t, "JSON", string(text))
	}
	const want = `daftar.Config{BaseURL: "https://pay.example/api/v1", Timeout: 0s, RetryFor: 0s}`
	if got := fmt.Sprint(config); got != want {
		t.Errorf("a configuration is printed as %s", got)
	}
}

package accounts_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/internal/postgres/pgtest"
)

const (
	read, pay, refund = accounts.ScopeRead, accounts.ScopePayments, accounts.ScopeRefunds
	books             = accounts.ScopeBooks
)

type scopes = []accounts.Scope

func TestWhatScopesAllow(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ has, may scopes }{
		{scopes{read}, scopes{read}},
		{scopes{pay}, scopes{read, pay}},
		{scopes{refund}, scopes{read, refund}},
		{scopes{pay, refund}, scopes{read, pay, refund}},
		{scopes{books}, scopes{books}}, // no customers
		{scopes{read, books}, scopes{read, books}},
		{nil, nil},
		{scopes{"", "people", "READ"}, nil}, // of no release, or of a later one
	} {
		for _, needs := range append(scopes{"", "people", "READ"}, accounts.Scopes...) {
			if got := accounts.Allow(row.has, needs); got != slices.Contains(row.may, needs) {
				t.Errorf("with %q, %q is allowed: %t", row.has, needs, got)
			}
		}
	}
}

func TestParseScopes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]scopes{
		"read": {read}, "payments,refunds": {pay, refund}, " read , payments ": {read, pay},
		"books": {books}, "": nil, "people": nil, "read,": nil, "Read": nil, "payments refunds": nil,
	} {
		got, err := accounts.ParseScopes(text)
		if want == nil {
			if !errors.Is(err, accounts.ErrInvalid) ||
				!strings.Contains(err.Error(), "read, payments, refunds and books") {
				t.Errorf("%q: %v, %v", text, got, err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestParseNetworks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", " , ": "",
		"41.252.0.0/16":           "41.252.0.0/16",
		"41.252.3.4/16":           "41.252.0.0/16",
		"192.0.2.7, 192.0.2.7":    "192.0.2.7/32",
		"2001:db8::1 41.252.0.9،": "41.252.0.9/32 2001:db8::1/128",
		"::ffff:41.252.0.0/112":   "41.252.0.0/16",
	} {
		got, err := accounts.ParseNetworks(text)
		var written []string
		for _, n := range got {
			written = append(written, n.String())
		}
		if err != nil || strings.Join(written, " ") != want {
			t.Errorf("%q: %v, %v; want %s", text, written, err, want)
		}
	}
	var many strings.Builder
	for n := range 33 {
		fmt.Fprintf(&many, "10.0.0.%d ", n)
	}
	for text, says := range map[string]string{
		"server.example": `"server.example" is no address`, "10.0.0.0/33": "10.0.0.0/33",
		"0.0.0.0/0": "every address",
		"::/0":      "every address", many.String(): "at most 32",
	} {
		if got, err := accounts.ParseNetworks(text); !errors.Is(err, accounts.ErrInvalid) ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// A token that is bound to networks is refused from elsewhere as one that does not exist, whether
// this server has it in memory or not.
func TestTokensAreBoundToNetworks(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t).Pool(t)
	a := accountstest.Open(t, pool, nil)
	s, stranger := accountstest.NewShop(t, a), accountstest.NewShop(t, a)
	networks, err := accounts.ParseNetworks("41.252.0.0/16, 2001:db8:7::/48")
	if err != nil {
		t.Fatal(err)
	}
	_, value, err := a.CreateToken(t.Context(), operator, s.Org,
		accounts.TokenDraft{Name: "Server", Networks: networks})
	if err != nil {
		t.Fatal(err)
	}
	key := s.App.APIKey
	for _, row := range []struct {
		rule, key, address string
		want               error
		explained          bool
	}{
		{"elsewhere, not in memory", key, "192.0.2.7", accounts.ErrUnauthenticated, true},
		{"the network", key, "41.252.3.4", nil, false},
		{"elsewhere, in memory", key, "41.253.0.1", accounts.ErrUnauthenticated, true},
		{"in the form of IPv6", key, "::ffff:41.252.0.1", nil, false},
		{"IPv6", key, "2001:db8:7:1::9", nil, false},
		{"another IPv6", key, "2001:db8:8::9", accounts.ErrUnauthenticated, true},
		{"an address that cannot be read", key, "", accounts.ErrUnauthenticated, true},
		{"checked before the key", accounts.NewAPIKey(), "192.0.2.7", accounts.ErrUnauthenticated, false},
		{"another organisation's log learns nothing", stranger.App.APIKey, "192.0.2.7",
			accounts.ErrUnauthenticated, false},
		{"the key is checked from the network", stranger.App.APIKey, "41.252.3.4",
			accounts.ErrInvalidAPIKey, false},
		{"the network again", key, "41.252.3.4", nil, false},
	} {
		_, err := a.Authenticate(t.Context(), value, row.key, true, row.address)
		if !errors.Is(err, row.want) || errors.Is(err, accounts.ErrWrongNetwork) != row.explained {
			t.Errorf("%s: %v, want %v", row.rule, err, row.want)
		}
		if of, known := accounts.RefusedApplication(err); row.explained && (!known || of != s.App.ID) {
			t.Errorf("%s: refused for the application %s", row.rule, of)
		}
	}
	if _, err := a.Authenticate(t.Context(), s.Value, key, true, "192.0.2.7"); err != nil {
		t.Errorf("a token without networks: %v", err)
	}
}

// What a token may do never changes, not by SQL either. One that a server of the previous release
// creates during an upgrade creates payments, from anywhere.
func TestScopesNeverChange(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	a := accountstest.Open(t, db.Pool(t), nil)
	s := accountstest.NewShop(t, a)
	owner := db.OwnerPool(t)
	for _, sql := range []string{
		`UPDATE access_tokens SET scopes = '{refunds}'`, `UPDATE access_tokens SET networks = '{10.0.0.0/8}'`,
	} {
		if _, err := owner.Exec(t.Context(), sql); err == nil || !strings.Contains(err.Error(), "never change") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	const previous = `
INSERT INTO access_tokens (uuid, organization_uuid, name, token_hash, token_ending, created_at)
VALUES (gen_random_uuid(), $1, 'Previous', sha256('y'), 'last', now())`
	if _, err := db.Pool(t).Exec(t.Context(), previous, s.Org); err != nil {
		t.Fatal(err)
	}
	all, err := a.Tokens(t.Context(), operator, s.Org)
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	for _, token := range all {
		if !slices.Equal(token.Scopes, scopes{pay}) || len(token.Networks) != 0 {
			t.Errorf("%s: %q, from %v", token.Name, token.Scopes, token.Networks)
		}
	}
}

package accounts

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"daftar/internal/web"
)

// Scope is what programs with an access token may do. The names are stored and never change.
type Scope string

// The scopes. Each of them but ScopeBooks allows reading.
const (
	// ScopeRead covers retrieving payment intents, their lists and events, and having webhooks
	// forwarded.
	ScopeRead Scope = "read"
	// ScopePayments covers creating payment intents and ending them before their time.
	ScopePayments Scope = "payments"
	// ScopeRefunds covers refunds.
	ScopeRefunds Scope = "refunds"
	// ScopeBooks covers the books of the organisation, and nothing else: accountants' software needs no
	// customers.
	ScopeBooks Scope = "books"
)

// Scopes are all scopes, in the order in which they are offered.
var Scopes = []Scope{ScopeRead, ScopePayments, ScopeRefunds, ScopeBooks}

// Allow reports whether a token with these scopes may do what needs a scope. An empty or an
// unknown scope is allowed to nobody, and allows nothing: a later release may have stored it.
func Allow(scopes []Scope, needs Scope) bool {
	switch needs {
	case ScopeRead:
		return slices.ContainsFunc(scopes, func(s Scope) bool {
			return s != ScopeBooks && slices.Contains(Scopes, s)
		})
	case ScopePayments, ScopeRefunds, ScopeBooks:
		return slices.Contains(scopes, needs)
	}
	return false
}

// GrantedWith is the permission of members who may create a token with the scope: nobody grants
// what they may not do.
func (s Scope) GrantedWith() Permission {
	if s == ScopeRefunds {
		return GrantRefunds
	}
	return ChangeCredentials
}

// ParseScopes reads names of scopes, separated by commas. The error is ErrInvalid, and names
// them all.
func ParseScopes(text string) ([]Scope, error) {
	var scopes []Scope
	for name := range strings.SplitSeq(text, ",") {
		scopes = append(scopes, Scope(strings.TrimSpace(name)))
	}
	return scopes, checkScopes(scopes)
}

func checkScopes(scopes []Scope) error {
	for _, s := range scopes {
		if !slices.Contains(Scopes, s) {
			return fmt.Errorf("%w: %q is none of the scopes %s, %s, %s and %s", ErrInvalid, s,
				ScopeRead, ScopePayments, ScopeRefunds, ScopeBooks)
		}
	}
	return nil
}

// maxNetworks is how many networks a token may be bound to.
const maxNetworks = 32

// ParseNetworks reads the networks that a token is bound to: networks and addresses, separated
// by commas or blanks. An empty text is none. The error is ErrInvalid.
func ParseNetworks(text string) (web.NetworkSet, error) {
	var all web.NetworkSet
	for _, part := range strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(", \t\r\n،", r)
	}) {
		network, err := web.ParseNetwork(part)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		case network.Bits() == 0:
			return nil, fmt.Errorf("%w: %q is every address: for that, name no network", ErrInvalid, part)
		}
		all = append(all, network)
	}
	slices.SortFunc(all, netip.Prefix.Compare)
	all = slices.Compact(all)
	if len(all) > maxNetworks {
		return nil, fmt.Errorf("%w: a token may be bound to at most %d networks", ErrInvalid, maxNetworks)
	}
	return all, nil
}

package accounts

import (
	"encoding/binary"
)

// Random credentials without a database, to check many of them.
var (
	NewAPIKey        = newAPIKey
	NewToken         = newToken
	NewWebhookSecret = newWebhookSecret
)

const MaxCached = maxCached

// Fill adds n made-up credentials to the cache.
func (a *Accounts) Fill(n int) {
	for k := range n {
		var p pair
		binary.BigEndian.PutUint64(p.token[:], uint64(k))
		a.cache.put(p, cachedCredential{})
	}
}

// Cached is how many credentials are in the cache.
func (a *Accounts) Cached() int { return len(a.cache.entries) }

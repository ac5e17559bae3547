package accounts

import (
	"encoding/binary"
)

// Drawing credentials without a database, to look at many of them.
var (
	NewAPIKey        = newAPIKey
	NewToken         = newToken
	NewWebhookSecret = newWebhookSecret
)

const MaxRemembered = maxRemembered

// Fill remembers n credentials that nobody has.
func (a *Accounts) Fill(n int) {
	for k := range n {
		var p pair
		binary.BigEndian.PutUint64(p.token[:], uint64(k))
		a.remembered.keep(p, remembered{})
	}
}

// Remembered is how many credentials are remembered.
func (a *Accounts) Remembered() int { return len(a.remembered.entries) }

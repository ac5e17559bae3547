package accounts

import (
	"context"
	"encoding/binary"
	"fmt"
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

// RealCost is what passwords are hashed at outside tests.
var RealCost = fmt.Sprintf("m=%d,t=%d,p=%d", presentCost.memory, presentCost.time, presentCost.threads)

// Hashes is how many passwords were hashed.
func (a *Accounts) Hashes() int64 { return a.passwords.count.Load() }

// HashAt hashes a password at another cost.
func HashAt(ctx context.Context, password string, memory, passes uint32) (string, error) {
	salt := []byte("0123456789abcdef")
	c := cost{memory, passes, 1}
	key, err := newHasher(c).derive(ctx, password, salt, c, keyBytes)
	return encodePHC(c, salt, key), err
}

// HoldHashing takes all the places in which passwords are hashed until release.
func (a *Accounts) HoldHashing() (release func()) {
	for range hashesAtOnce {
		a.passwords.places <- struct{}{}
	}
	return func() {
		for range hashesAtOnce {
			<-a.passwords.places
		}
	}
}

// Places are how many attempts to give a password are under way.
func (a *Accounts) Places() int {
	a.places.mu.Lock()
	defer a.places.mu.Unlock()
	return a.places.all
}

// How many places there are.
const (
	PlacesOfStrangers = placesOfStrangers
	PlacesOfEach      = placesOfEach
)

// Parts of the second factor.
var (
	TOTPCode = totpCode
	Common   = common
)

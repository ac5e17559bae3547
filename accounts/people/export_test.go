package people

import (
	"context"
	"fmt"
)

// RealCost is what passwords are hashed at outside tests.
var RealCost = fmt.Sprintf("m=%d,t=%d,p=%d", presentCost.memory, presentCost.time, presentCost.threads)

// Hashes is how many passwords were hashed.
func (p *People) Hashes() int64 { return p.passwords.count.Load() }

// HashAt hashes a password at another cost.
func HashAt(ctx context.Context, password string, memory, passes uint32) (string, error) {
	salt := []byte("0123456789abcdef")
	c := cost{memory, passes, 1}
	key, err := newHasher(c).derive(ctx, password, salt, c, keyBytes)
	return encodePHC(c, salt, key), err
}

// HoldHashing takes all the places in which passwords are hashed until release.
func (p *People) HoldHashing() (release func()) {
	for range hashesAtOnce {
		p.passwords.slots <- struct{}{}
	}
	return func() {
		for range hashesAtOnce {
			<-p.passwords.slots
		}
	}
}

// Places are how many attempts to give a password are under way.
func (p *People) Places() int {
	p.slots.mu.Lock()
	defer p.slots.mu.Unlock()
	return p.slots.all
}

// How many places there are.
const (
	PlacesOfStrangers = slotsOfStrangers
	PlacesOfEach      = slotsOfEach
)

// Parts of the second factor.
var (
	TOTPCode = totpCode
	Common   = common
)

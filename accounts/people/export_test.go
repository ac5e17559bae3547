package people

import (
	"context"
	"fmt"
)

// RealCost is the cost of hashing outside tests.
var RealCost = fmt.Sprintf("m=%d,t=%d,p=%d", currentCost.memory, currentCost.time, currentCost.threads)

// Hashes is how many passwords were hashed.
func (p *People) Hashes() int64 { return p.passwords.count.Load() }

// HashAt hashes a password at another cost.
func HashAt(ctx context.Context, password string, memory, passes uint32) (string, error) {
	salt := []byte("0123456789abcdef")
	c := cost{memory, passes, 1}
	key, err := newHasher(c).derive(ctx, password, salt, c, keyBytes)
	return encodePHC(c, salt, key), err
}

// HoldHashing blocks the hashing of passwords until release.
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

// SlotsTaken is how many password checks are under way.
func (p *People) SlotsTaken() int {
	p.slots.mu.Lock()
	defer p.slots.mu.Unlock()
	return p.slots.all
}

const (
	SlotsOfStrangers = slotsOfStrangers
	SlotsOfEach      = slotsOfEach
)

var (
	TOTPCode = totpCode
	Common   = common
)

package people

// Hashes is how many passwords were hashed.
func (p *People) Hashes() int64 { return p.passwords.count.Load() }

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

package people

import (
	"errors"
	"sync"

	"daftar/accounts"
	"daftar/internal/web"
)

// ErrBusy says that too many password checks are under way. The attempt was neither made nor
// counted.
var ErrBusy = errors.New("too many people sign in at the moment")

// Hashing a password takes some ten milliseconds of a processor, and hashesAtOnce are
// computed at a time. These limits keep the wait short under any load: an attempt that
// finds no slot is refused at once. An attempt from a known browser is counted by its
// user, one from any other browser (a stranger's) by the widest of its networks.
const (
	slotsOfAll       = 32
	slotsOfStrangers = 24 // so that strangers together leave room for known browsers
	slotsOfEach      = 4  // of one network of strangers, or one user
)

// slots are the slots taken on this server. The limit protects this server's processors
// and connections, so it is not shared with others.
type slots struct {
	mu        sync.Mutex
	all       int
	strangers int
	of        map[string]int
}

// acquireSlot takes a slot for a password check, until release is called.
// The error is ErrBusy.
func (p *People) acquireSlot(by accounts.Actor) (release func(), err error) {
	networks := web.Networks(by.Address)
	key, stranger := networks[len(networks)-1], 1
	if known := p.device(by); known != "" {
		key, stranger = known.user(), 0
	}
	taken := &p.slots
	taken.mu.Lock()
	defer taken.mu.Unlock()
	if taken.all >= slotsOfAll || taken.of[key] >= slotsOfEach ||
		stranger > 0 && taken.strangers >= slotsOfStrangers {
		return nil, ErrBusy
	}
	taken.all++
	taken.strangers += stranger
	taken.of[key]++
	return func() {
		taken.mu.Lock()
		defer taken.mu.Unlock()
		taken.all--
		taken.strangers -= stranger
		if taken.of[key]--; taken.of[key] == 0 {
			delete(taken.of, key)
		}
	}, nil
}

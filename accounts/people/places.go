package people

import (
	"errors"
	"sync"

	"daftar/accounts"
	"daftar/internal/web"
)

// ErrBusy says that too many attempts to give a password are under way. Nothing was
// tried, and nothing counted.
var ErrBusy = errors.New("too many people sign in at the moment")

// Hashing a password takes some ten milliseconds of a processor, and hashesAtOnce are
// hashed at a time. These limits keep the wait short under any load: an attempt that
// finds no place is refused at once. An attempt from a known browser is counted by its
// user, one of a stranger by the widest of its networks.
const (
	placesOfAll       = 32
	placesOfStrangers = 24 // so that strangers together leave room for known browsers
	placesOfEach      = 4  // of one network of strangers, or one user
)

// places are those taken on this server. The limit protects this server's processors
// and connections, so it is not shared with others.
type places struct {
	mu        sync.Mutex
	all       int
	strangers int
	of        map[string]int
}

// takePlace takes a place for an attempt to give a password, until leave is called.
// The error is ErrBusy.
func (p *People) takePlace(by accounts.Actor) (leave func(), err error) {
	networks := web.Networks(by.Address)
	who, stranger := networks[len(networks)-1], 1
	if known := p.device(by); known != "" {
		who, stranger = known.user(), 0
	}
	taken := &p.places
	taken.mu.Lock()
	defer taken.mu.Unlock()
	if taken.all >= placesOfAll || taken.of[who] >= placesOfEach ||
		stranger > 0 && taken.strangers >= placesOfStrangers {
		return nil, ErrBusy
	}
	taken.all++
	taken.strangers += stranger
	taken.of[who]++
	return func() {
		taken.mu.Lock()
		defer taken.mu.Unlock()
		taken.all--
		taken.strangers -= stranger
		if taken.of[who]--; taken.of[who] == 0 {
			delete(taken.of, who)
		}
	}, nil
}

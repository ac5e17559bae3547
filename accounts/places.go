package accounts

import (
	"errors"
	"sync"

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
func (a *Accounts) takePlace(by Actor) (leave func(), err error) {
	networks := web.Networks(by.Address)
	who, stranger := networks[len(networks)-1], 1
	if known := a.device(by); known != "" {
		who, stranger = known.user(), 0
	}
	p := &a.places
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all >= placesOfAll || p.of[who] >= placesOfEach || stranger > 0 && p.strangers >= placesOfStrangers {
		return nil, ErrBusy
	}
	p.all++
	p.strangers += stranger
	p.of[who]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.all--
		p.strangers -= stranger
		if p.of[who]--; p.of[who] == 0 {
			delete(p.of, who)
		}
	}, nil
}

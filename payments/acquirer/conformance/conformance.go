package conformance

import (
	"errors"
	"testing"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
)

// Adapter is an acquirer's adapter with its fake.
type Adapter struct {
	Capabilities []acquirer.Capability
	// Control are the addresses of the fake below /control, such as "POST faults".
	Control []string
	// Start starts the fake for a world, which has a clock and an inbox, and sets the world's
	// Server and Driver.
	Start func(w *World)
}

// Run checks every method of the adapter by every behaviour, one subtest each. A behaviour that
// does not apply is not run, and the log has the reason.
func Run(t *testing.T, a Adapter) {
	t.Helper()
	for _, c := range a.Capabilities {
		s := subject{a, c}
		s.checkCapability(t)
		s.runBehaviours(t)
		s.runMissingCalls(t)
	}
	t.Run("control", func(t *testing.T) {
		t.Parallel()
		checkControl(t, a)
	})
}

// subject is a method of an adapter.
type subject struct {
	adapter    Adapter
	capability acquirer.Capability
}

func (s subject) name() string { return string(s.capability.Method) }

// world starts a fake whose clock differs from ours by skew.
func (s subject) world(t *testing.T, skew time.Duration) *World {
	t.Helper()
	clock := acquirertest.NewClock()
	w := &World{
		T: t, Clock: clock, Capability: s.capability, Inbox: acquirertest.NewInbox(t),
		Theirs: func() time.Time { return clock.Now().Add(skew) },
	}
	s.adapter.Start(w)
	w.Account = w.Open(w.Server.URL, false)
	return w
}

// reason is why a behaviour does not apply to a capability; empty: it applies.
type reason string

type behaviour struct {
	name  string
	needs func(acquirer.Capability) reason // nil: it applies to all
	run   func(w *World)
	// call is set instead of run where the behaviour applies to every call of the port.
	call func(w *World, c call)
	skew time.Duration // of the fake's clock
}

func always(acquirer.Capability) reason { return "" }

// cells returns the calls of the behaviour that apply to the capability, or why it does not apply.
func (b behaviour) cells(c acquirer.Capability) ([]call, reason) {
	if b.call == nil {
		if b.needs == nil {
			return nil, ""
		}
		return nil, b.needs(c)
	}
	var apply []call
	for _, each := range calls {
		if each.needs(c) == "" {
			apply = append(apply, each)
		}
	}
	return apply, ""
}

func behaviours() []behaviour {
	var all []behaviour
	for _, group := range [][]behaviour{paying, faults, answers, messages, refunds} {
		all = append(all, group...)
	}
	return all
}

func (s subject) runBehaviours(t *testing.T) {
	t.Helper()
	for _, b := range behaviours() {
		apply, why := b.cells(s.capability)
		if why != "" {
			t.Logf("%s/%s does not apply: %s", s.name(), b.name, why)
			continue
		}
		if b.call == nil {
			t.Run(s.name()+"/"+b.name, func(t *testing.T) {
				t.Parallel()
				b.run(s.world(t, b.skew))
			})
		}
		for _, c := range apply {
			t.Run(s.name()+"/"+b.name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				b.call(s.world(t, b.skew), c)
			})
		}
	}
}

// runMissingCalls checks that a call that the capability rules out is an error, and that nothing
// was sent where the error says so.
func (s subject) runMissingCalls(t *testing.T) {
	t.Helper()
	for _, c := range calls {
		if c.needs(s.capability) == "" || c.name == "Begin" {
			continue
		}
		t.Run(s.name()+"/no "+c.name, func(t *testing.T) {
			t.Parallel()
			w := s.world(t, 0)
			about := w.begin(Pays)
			before := w.Server.Requests()
			err := c.do(t.Context(), w.Account, about)
			if w.Server.Requests() > before {
				if !errors.Is(err, acquirer.ErrNoCodeWanted) { // which says nothing about the money either
					w.wantUnknown(err)
				}
			} else if !errors.Is(err, acquirer.ErrNoCodeWanted) {
				w.wantNotSent(err, before)
			}
			w.wantOpen(about)
		})
	}
}

// checkCapability checks that the method takes the amounts of these behaviours, and that
// something proves a payment by it.
func (s subject) checkCapability(t *testing.T) {
	t.Helper()
	c := s.capability
	if !c.Carries(lyd(amount)) || !c.Carries(lyd(otherAmount)) || c.Currency != domain.LYD {
		t.Errorf("%s does not carry the amounts of these tests: %+v", s.name(), c)
	}
	if proves := c.Inquiry || c.Flow == acquirer.OTP || c.SignedNotification || c.SignedReturn; !proves {
		t.Errorf("nothing proves a payment by %s", s.name())
	}
}

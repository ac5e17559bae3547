package acquirer_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
)

// provider is an adapter with its fake.
type provider struct {
	name         string
	capabilities []acquirer.Capability
	// start starts the fake in a world, which has its clock and its inbox, and puts the
	// server and the driver into it.
	start func(w *world)
}

func providers(t *testing.T) []provider {
	t.Helper()
	return []provider{sandboxProvider(t), plutuProvider(t), moamalatProvider(t), lypayProvider(t)}
}

// subject is a method of an adapter.
type subject struct {
	provider   provider
	capability acquirer.Capability
}

func (s subject) name() string { return s.provider.name + " " + string(s.capability.Method) }

func subjects(t *testing.T) []subject {
	t.Helper()
	var all []subject
	for _, p := range providers(t) {
		for _, c := range p.capabilities {
			all = append(all, subject{p, c})
		}
	}
	return all
}

// world starts a fake whose clock differs from ours by skew.
func (s subject) world(t *testing.T, skew time.Duration) *world {
	t.Helper()
	clock := acquirertest.NewClock()
	w := &world{
		t: t, clock: clock, c: s.capability, inbox: acquirertest.NewInbox(t),
		theirs: func() time.Time { return clock.Now().Add(skew) },
	}
	s.provider.start(w)
	w.account = w.open(w.server.URL, false)
	return w
}

// reason says why a behaviour does not apply to a capability; empty: it applies.
type reason string

// behaviour is a row of the table.
type behaviour struct {
	name  string
	needs func(acquirer.Capability) reason // nil: it applies to all
	run   func(w *world)
	// call is set instead of run where the same is asked of every call of the port.
	call func(w *world, c call)
	skew time.Duration // of the fake's clock
}

// always applies.
func always(acquirer.Capability) reason { return "" }

// cells are the calls of the behaviour that apply to the capability, or why there is none.
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
	for _, group := range [][]behaviour{paying, lost, saying, messages, givingBack} {
		all = append(all, group...)
	}
	return all
}

// Every method of every adapter behaves as the port says, whatever its acquirer does. What
// does not apply is not run, and the table says why.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, s := range subjects(t) {
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
}

// The document has the table that is tested.
func TestTheDocumentHasTheTable(t *testing.T) {
	t.Parallel()
	const path, begin, end = "../../docs/acquirers.md", "<!-- conformance -->\n", "<!-- end of conformance -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), begin)
	written, _, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no place for the table", path)
	}
	want := "\n" + table(subjects(t)) + "\n"
	t.Log(want)
	if diff := cmp.Diff(want, written); diff != "" {
		t.Errorf("%s has another table (-want +got):\n%s", path, diff)
	}
}

// table is in Markdown: a row for each behaviour, a column for each method, and below them why
// something does not apply.
func table(all []subject) string {
	var out strings.Builder
	var notes []reason
	note := func(why reason) string {
		for i, known := range notes {
			if known == why {
				return fmt.Sprint(i + 1)
			}
		}
		notes = append(notes, why)
		return fmt.Sprint(len(notes))
	}
	out.WriteString("| behaviour |")
	for _, s := range all {
		fmt.Fprintf(&out, " %s `%s` |", s.provider.name, s.capability.Method)
	}
	out.WriteString("\n|---|" + strings.Repeat("---|", len(all)) + "\n")
	for _, b := range behaviours() {
		fmt.Fprintf(&out, "| %s |", b.name)
		for _, s := range all {
			apply, why := b.cells(s.capability)
			cell := "✓"
			if why != "" {
				cell = "– " + note(why)
			}
			for i, c := range apply {
				if i == 0 {
					cell += " "
				}
				cell += c.letter
			}
			fmt.Fprintf(&out, " %s |", cell)
		}
		out.WriteString("\n")
	}
	out.WriteString("\nThe letters are the calls of the port that pass:\n\n")
	for _, c := range calls {
		fmt.Fprintf(&out, "- %s: `%s`%s\n", c.letter, c.name, exception(c, all))
	}
	out.WriteString("\nWhy a behaviour does not apply:\n\n")
	for i, why := range notes {
		fmt.Fprintf(&out, "%d. %s\n", i+1, why)
	}
	return out.String()
}

// exception is why a call does not apply to some methods.
func exception(c call, all []subject) string {
	for _, s := range all {
		if why := c.needs(s.capability); why != "" {
			return "; without it: " + string(why)
		}
	}
	return ""
}

// What cannot be asked is an error, and whatever adapters swear not to have sent was not sent.
func TestCallsThatACapabilityDoesNotHave(t *testing.T) {
	t.Parallel()
	for _, s := range subjects(t) {
		for _, c := range calls {
			if c.needs(s.capability) == "" || c.name == "Begin" {
				continue
			}
			t.Run(s.name()+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				w := s.world(t, 0)
				about := w.begin(pays)
				before := w.server.Requests()
				err := c.do(t.Context(), w.account, about)
				if w.server.Requests() > before {
					if !errors.Is(err, acquirer.ErrNoCodeWanted) { // nor does that say anything of the money
						w.wantUnknown(err)
					}
				} else if !errors.Is(err, acquirer.ErrNoCodeWanted) {
					w.wantNotSent(err, before)
				}
				w.wantOpen(about)
			})
		}
	}
}

// A reference and an amount that no method refuses, for the tests of the port itself.
func TestCapabilitiesOfAdapters(t *testing.T) {
	t.Parallel()
	for _, s := range subjects(t) {
		c := s.capability
		if !c.Carries(lyd(amount)) || !c.Carries(lyd(otherAmount)) || c.Currency != domain.LYD {
			t.Errorf("%s does not carry the amounts of these tests: %+v", s.name(), c)
		}
		if proves := c.Inquiry || c.Flow == acquirer.OTP || c.SignedNotification || c.SignedReturn; !proves {
			t.Errorf("nothing proves a payment by %s", s.name())
		}
	}
}

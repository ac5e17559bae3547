package facts

import (
	"slices"

	"daftar/domain"
	"daftar/internal/locale"
)

// Kind is what is known of one kind of event.
type Kind struct {
	Stored  string        // its name in the ledger
	Webhook string        // the type of its webhook, and of the event in the API's history
	Leaves  domain.Status // the status after it; empty: it stays as it was
	Money   Money
	Late    bool // the money came after the intent was canceled
	// Refund says that the webhook has the refund that it is about, with the amount: the intent
	// itself does not show it.
	Refund bool
	// Words are what the timeline calls it, unless the event has words of its own.
	Words Words

	is    func(domain.Event) bool
	tells func(domain.Event) Content
}

// Money is which way money went.
type Money string

// The ways of money. Most events move none.
const (
	NoMoney   Money = ""
	CameIn    Money = "came in"    // it pays the intent
	CameAgain Money = "came again" // for an intent that was paid already
	WentBack  Money = "went back"
)

// Words are a title of the timeline.
type Words struct {
	locale.Text
	Colour string // the class of its pill: ok, wait, late or off
}

// Content is what an event tells; what it does not tell is zero. Merchants see attempt, amount,
// reason and refund, under these names. All of it is shown to the organisation's people.
type Content struct {
	Attempt                 domain.AttemptID
	Acquirer, Method, Payer string // of an attempt that begins
	Amount                  domain.Money
	ProviderReference       string
	// Reason is a word: the acquirer's of an attempt, ours of an intent.
	Reason   string
	Refund   domain.RefundID
	Evidence domain.Evidence
	Words    Words // instead of the kind's
}

// row makes a row of the kind of E.
func row[E domain.Event](k Kind, tells func(E) Content) Kind {
	k.is = func(e domain.Event) bool { _, is := e.(E); return is }
	k.tells = func(e domain.Event) Content {
		own, is := e.(E)
		if !is {
			panic("facts: an event of another kind")
		}
		return tells(own)
	}
	return k
}

// Of is the row of an event.
func Of(e domain.Event) *Kind {
	for n := range table {
		if table[n].is(e) {
			return &table[n]
		}
	}
	panic("facts: an event without a row")
}

// Named is the row of a stored name; false: this version does not know it.
func Named(stored string) (*Kind, bool) {
	for n := range table {
		if table[n].Stored == stored {
			return &table[n], true
		}
	}
	return nil, false
}

// Tell is what an event tells.
func Tell(e domain.Event) Content { return Of(e).Tell(e) }

// Tell is what an event of the kind tells.
func (k *Kind) Tell(e domain.Event) Content { return k.tells(e) }

// Title is what the timeline calls an event.
func Title(e domain.Event) Words {
	k := Of(e)
	if own := k.Tell(e).Words; own != (Words{}) {
		return own
	}
	return k.Words
}

// Closes reports whether nothing is waited for after it: the intent is paid or canceled.
func (k *Kind) Closes() bool {
	return k.Leaves == domain.StatusSucceeded || k.Leaves == domain.StatusCanceled
}

// All are the rows, in the order of a payment's life.
func All() []Kind { return slices.Clone(table) }

// Stored are the names of all kinds in the ledger.
func Stored() []string {
	names := make([]string, len(table))
	for n := range table {
		names[n] = table[n].Stored
	}
	return names
}

// Moving are the stored names of the kinds by which money went these ways.
func Moving(ways ...Money) (names []string) {
	for _, k := range table {
		if slices.Contains(ways, k.Money) {
			names = append(names, k.Stored)
		}
	}
	return names
}

// Webhooks are the types of webhooks, each once.
func Webhooks() (types []string) {
	for _, k := range table {
		if !slices.Contains(types, k.Webhook) {
			types = append(types, k.Webhook)
		}
	}
	return types
}

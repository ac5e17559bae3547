package facts

import (
	"cmp"
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
	// Name is what the dashboard calls the webhook, and Meaning what merchants read about it, with
	// code in backticks. Where two kinds have one type, one row has both.
	Name, Meaning locale.Text
	// Words are what the timeline calls it, unless the details of the event have others.
	Words Words

	// Details takes out of an event of the kind what others show of it.
	Details func(domain.Event) Details
	is      func(domain.Event) bool
}

// Money is which way money went.
type Money string

// The ways of money. Most events move none.
const (
	NoMoney       Money = ""
	Received      Money = "received"       // it pays the intent
	ReceivedAgain Money = "received again" // for an intent that was paid already
	Returned      Money = "returned"
)

// Words are a title of the timeline.
type Words struct {
	locale.Text
	Colour string // the class of its pill: ok, wait, late or off
}

// Details are what an event has of these; the others are zero. Merchants see attempt, amount,
// reason and refund, under these names. All of it is shown to the organisation's people.
type Details struct {
	Attempt                 domain.AttemptID
	Acquirer, Method, Payer string // of an attempt that begins
	Amount                  domain.Money
	ProviderReference       string
	// Reason is a word: the acquirer's of an attempt, ours of an intent or a refund.
	Reason   string
	Refund   domain.RefundID
	Evidence domain.Evidence
	Words    *Words // instead of the kind's; nil: none
}

func text(arabic, english string) locale.Text { return locale.Text{Arabic: arabic, English: english} }

// row makes a row of the kind of E.
func row[E domain.Event](k Kind, details func(E) Details) Kind {
	k.is = func(e domain.Event) bool { _, is := e.(E); return is }
	k.Details = func(e domain.Event) Details {
		own, _ := e.(E)
		return details(own)
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

// DetailsOf are the details of an event.
func DetailsOf(e domain.Event) Details { return Of(e).Details(e) }

// Title is what the timeline calls an event.
func Title(e domain.Event) Words { return *cmp.Or(DetailsOf(e).Words, &Of(e).Words) }

// Closes reports whether nothing is waited for after it: the intent is paid or canceled.
func (k *Kind) Closes() bool {
	return k.Leaves == domain.StatusSucceeded || k.Leaves == domain.StatusCanceled
}

// Stored are the names of all kinds in the ledger.
func Stored() []string { return Moving(NoMoney, Received, ReceivedAgain, Returned) }

// Moving are the stored names of the kinds by which money went these ways.
func Moving(ways ...Money) (names []string) {
	for _, k := range table {
		if slices.Contains(ways, k.Money) {
			names = append(names, k.Stored)
		}
	}
	return names
}

// Webhooks are the rows that give a type of webhook its meaning: one for each type.
func Webhooks() []*Kind { return webhooks }

var webhooks = func() (rows []*Kind) {
	for n := range table {
		if table[n].Meaning != (locale.Text{}) {
			rows = append(rows, &table[n])
		}
	}
	return rows
}()

// OfWebhook is the row that gives a type of webhook its meaning; false: no event has this type.
func OfWebhook(kind string) (*Kind, bool) {
	n := slices.IndexFunc(webhooks, func(k *Kind) bool { return k.Webhook == kind })
	if n < 0 {
		return nil, false
	}
	return webhooks[n], true
}

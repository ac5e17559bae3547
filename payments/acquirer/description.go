package acquirer

import (
	"cmp"

	"daftar/internal/locale"
	"daftar/payments/acquirer/statements"
)

// Description is what the rest of the program knows about an acquirer. Each adapter has one, and
// package registry lists them: no other code names an acquirer.
type Description struct {
	// Name is that of the Provider: the stable name in events, settings and commands.
	Name  string
	Label locale.Text // as merchants know it
	// About tells merchants before they open an account which methods it has; empty where
	// applications have no accounts.
	About locale.Text
	// Lookup tells a person where to look for a payment whose outcome is unknown, and under which number.
	Lookup locale.Text
	// Methods has every method that it ever had, because events keep their names.
	Methods []MethodWords
	// Variables are its addresses, that of its API first. Without a value of that one the
	// acquirer is not offered.
	Variables []Variable
	// Settings are what an account needs, in the order of the forms.
	Settings []Setting
	// Statement is the format of its files about payouts.
	Statement statements.Format
	// Open returns the provider at these addresses; it connects to nothing. Nil where
	// applications have no accounts: the sandbox.
	Open func(at Addresses) (Provider, error)
}

// MethodWords has the texts about a method for payers and merchants.
type MethodWords struct {
	Method Method
	Label  locale.Text
	// Name is what payers call it, and may be that of other methods; empty: the Label. Two acquirers'
	// cards are the same card to a payer.
	Name locale.Text
	Hint locale.Text // for whom it is, or what the payer has to do
	Mark Mark
}

// Payers is the name of the method for payers.
func (w MethodWords) Payers() locale.Text { return cmp.Or(w.Name, w.Label) }

// Mark is the sign of a method on the pay page.
type Mark uint8

// The zero value is none.
const (
	_ Mark = iota
	PhoneMark
	CardMark
	CodeMark
)

// Variable is a variable of the environment whose value is an address.
type Variable struct {
	Name    string
	Default string
	Meaning string // as config.Variable has it
	Servers bool   // the value is a list of schemes and hosts, separated by commas
}

// Addresses has the values of acquirers' variables by name: http or https addresses, or lists of
// them, that were checked. A variable without a value has no entry.
type Addresses map[string]string

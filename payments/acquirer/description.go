package acquirer

import (
	"daftar/internal/locale"
	"daftar/payments/acquirer/statements"
)

// Description is all that the program knows of an acquirer before it is asked for anything. An
// adapter has one, and package registry lists them: nothing else names an acquirer.
type Description struct {
	// Name is that of the Provider: the stable name in events, settings and commands.
	Name  string
	Label locale.Text // as merchants know it
	// About says which methods it has, to who thinks of opening an account; empty where
	// nobody can.
	About locale.Text
	// Methods are all that it ever had: events keep their names.
	Methods []MethodWords
	// Variables say where it is, the address of its API first. Without a value of that one the
	// acquirer is not offered.
	Variables []Variable
	// Settings are what an account needs, in the order in which forms ask for it.
	Settings []Setting
	// Statement is how the files read that it sends of what it paid out.
	Statement statements.Format
	// Open returns the provider at these addresses; it connects to nothing. Nil where
	// applications have no accounts: the sandbox.
	Open func(at Addresses) (Provider, error)
}

// MethodWords are a method as payers and merchants know it.
type MethodWords struct {
	Method Method
	Label  locale.Text
	Hint   locale.Text // what the payer has to do
}

// Variable is a variable of the environment that has an address.
type Variable struct {
	Name    string
	Default string
	Meaning string // as config.Variable has it
	Servers bool   // schemes and hosts alone, separated by commas
}

// Addresses are what the variables of acquirers say, by their names: addresses of http or https,
// or lists of them, that were checked. None is kept for a variable without a value.
type Addresses map[string]string

package registry

import (
	"slices"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/lypay"
	"daftar/payments/acquirer/moamalat"
	"daftar/payments/acquirer/plutu"
	"daftar/payments/acquirer/sandbox"
)

// all is in the order in which pages and commands list acquirers.
var all = []acquirer.Description{
	plutu.Description, moamalat.Description, lypay.Description, sandbox.Description,
}

// All returns the acquirers in their order, including the sandbox.
func All() []acquirer.Description { return slices.Clone(all) }

// WithAccounts returns the acquirers with which applications have accounts.
func WithAccounts() []acquirer.Description {
	return slices.DeleteFunc(All(), func(d acquirer.Description) bool { return d.Open == nil })
}

// Named returns the acquirer of this name; false where there is none.
func Named(name string) (acquirer.Description, bool) {
	for _, d := range all {
		if d.Name == name {
			return d, true
		}
	}
	return acquirer.Description{}, false
}

// OfMethod returns the acquirer of a method, with the method's texts; false where no acquirer ever
// had it.
func OfMethod(m acquirer.Method) (acquirer.Description, acquirer.MethodWords, bool) {
	for _, d := range all {
		for _, words := range d.Methods {
			if words.Method == m {
				return d, words, true
			}
		}
	}
	return acquirer.Description{}, acquirer.MethodWords{}, false
}

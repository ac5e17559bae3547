package checkout_test

import (
	"github.com/anishathalye/porcupine"

	"daftar/internal/torture/life"
)

// The model is package life's; here it begins with an intent that was created.
func lives() porcupine.Model { return life.Model(life.Created()) }

// phones are the wallets' numbers, and how the ledger masks them.
var phones = map[rune]struct{ number, masked string }{
	life.Pays: {"0912345678", "091•••5678"}, life.Holds: {"0920000003", "092•••0003"},
	life.Hangs: {"0920000001", "092•••0001"}, life.Refuses: {"0920000004", "092•••0004"},
}

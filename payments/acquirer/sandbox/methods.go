package sandbox

import "daftar/payments/acquirer"

// The methods of the sandbox.
const (
	Wallet acquirer.Method = "wallet"
	Card   acquirer.Method = "card"
)

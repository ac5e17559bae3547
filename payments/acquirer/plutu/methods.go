package plutu

import "daftar/payments/acquirer"

// The methods of Plutu.
const (
	Adfali acquirer.Method = "adfali"
	Sadad  acquirer.Method = "sadad"
	Cards  acquirer.Method = "cards"
	TLync  acquirer.Method = "tlync"
)

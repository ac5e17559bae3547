package server

// LimitNetworks bounds the connections of each network.
var LimitNetworks = limitNetworks

// FakeSettings open an account with the fake of an acquirer.
func FakeSettings(acquirer string) string { return fakeAcquirers[acquirer].settings }

// How long a server takes to stop.
const (
	DrainLimit = drainLimit
	WorkLimit  = workLimit
	StopLimit  = stopLimit
)

package server

// LimitNetworks bounds the connections of each network.
var LimitNetworks = limitNetworks

// How long a server takes to stop.
const (
	DrainLimit = drainLimit
	WorkLimit  = workLimit
	StopLimit  = stopLimit
)

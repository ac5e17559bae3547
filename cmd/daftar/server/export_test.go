package server

// LimitNetworks bounds the connections of each network.
var LimitNetworks = limitNetworks

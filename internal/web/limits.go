package web

import (
	"math"
	"strconv"
	"time"

	"daftar/internal/throttle"
)

// limitsTracked is how many networks of each width are remembered, some 100 bytes each.
const limitsTracked = 1 << 16

// NetworkLimits are one for each width of Networks.
type NetworkLimits [len(Allowances)]*throttle.Keyed[string]

// NewNetworkLimits lets one line do something perSecond times on average and burst times at
// once; wider networks get Allowances times as many. A nil now is the machine's clock.
func NewNetworkLimits(perSecond float64, burst int, now func() time.Time) (l NetworkLimits) {
	if now == nil {
		now = time.Now
	}
	for n, times := range Allowances {
		l[n] = throttle.New[string](perSecond*float64(times), burst*times, limitsTracked, now)
	}
	return l
}

// Take takes a token from each limit of an address's networks. It returns how long to wait.
func (l NetworkLimits) Take(address string) (wait time.Duration) {
	for n, network := range Networks(address) {
		wait = max(wait, l[n].Take(network).Wait)
	}
	return wait
}

// Wait is the wait that Take would return. It takes nothing.
func (l NetworkLimits) Wait(address string) (wait time.Duration) {
	for n, network := range Networks(address) {
		wait = max(wait, l[n].Wait(network))
	}
	return wait
}

// RetryAfter is the value of the header of that name: whole seconds, at least 1.
func RetryAfter(wait time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(wait.Seconds()))))
}

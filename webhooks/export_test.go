package webhooks

import (
	"net/http"
	"time"
)

// The limits that the tests reach.
const (
	FailuresToOpen    = failuresToOpen
	MaxInFlight       = maxInFlight
	MaxOfOrganization = maxOfOrganization
	ReplayPositions   = replayPositions
)

// Schedule is when deliveries are repeated.
var Schedule = schedule

// SetLimits sets how long a try may take.
func (d *Dispatcher) SetLimits(connect, total time.Duration) {
	d.sender.client, d.sender.limit = d.sender.guard.client(connect), total
}

// Transport connects to the endpoints.
func (d *Dispatcher) Transport() *http.Transport { return d.sender.client.Transport.(*http.Transport) }

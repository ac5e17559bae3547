package webhooks

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// What the tests use in addition to the exported names.
var (
	Schedule   = schedule
	Wait       = wait
	RetryAfter = retryAfter
	AnswerText = answerText
)

const (
	Lease          = lease
	FailuresToOpen = failuresToOpen
	MaxInFlight    = maxInFlight

	MaxOfOrganization = maxOfOrganization

	MaxAnswer       = maxAnswer
	MaxBodyRead     = maxBodyRead
	ReplayPositions = replayPositions
)

// Health is the breaker without a database.
type Health = health

// Failed and Succeeded are the health after one more try.
func (h health) Failed(status int, at time.Time) Health {
	return h.after(result{Status: status, Error: errorStatus}, at)
}

func (h health) Succeeded(at time.Time) Health {
	return h.after(result{Status: http.StatusOK}, at)
}

// SucceededIn is Succeeded with the duration of the answer.
func (h health) SucceededIn(took time.Duration, at time.Time) Health {
	return h.after(result{Status: http.StatusOK, Duration: took}, at)
}

// Open reports whether the breaker is open.
func (h health) Open() bool { return h.open() }

// SetLimits shortens how long a try may take.
func (d *Dispatcher) SetLimits(connect, total time.Duration) {
	d.sender.client, d.sender.limit = d.sender.guard.client(connect), total
}

// LookingUp is the guard with another resolver.
func (g Guard) LookingUp(lookUp func(ctx context.Context, network, host string) ([]netip.Addr, error)) Guard {
	g.lookUp = lookUp
	return g
}

// Control is what the strict guard does before each dial.
func Control(network, address string) error { return control(network, address, nil) }

// Refused reports whether an error is the guard's.
var Refused = refused

// DialTo makes the dispatcher connect to an address in place of the one it dials; asked receives
// the latter.
func (d *Dispatcher) DialTo(address string, asked chan<- string) {
	if t, ok := d.sender.client.Transport.(*http.Transport); ok {
		t.DialContext = func(ctx context.Context, network, to string) (net.Conn, error) {
			asked <- to
			return new(net.Dialer).DialContext(ctx, network, address)
		}
	}
}

// Trust makes the dispatcher use the test's TLS configuration.
func (d *Dispatcher) Trust(c *tls.Config) {
	if t, ok := d.sender.client.Transport.(*http.Transport); ok {
		t.TLSClientConfig = c
	}
}

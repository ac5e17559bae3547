package payments

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"
	"github.com/sony/gobreaker/v2"

	"daftar/domain"
	"daftar/payments/acquirer"
)

const (
	// FaultThreshold is how many faults in a row make an acquirer out of order. A share of failed calls
	// is no measure: an acquirer may have too little traffic in the time that matters.
	FaultThreshold = 5
	// outOfOrderFor is how long no call is made then. After that the first call tries
	// the acquirer and decides for all.
	outOfOrderFor = 15 * time.Second
)

// errOutOfOrder: an acquirer was not called because it does not work.
var errOutOfOrder = errors.New("the acquirer is out of order")

// breakerAcquirer is an acquirer with a circuit breaker: while it does not work, calls are
// refused and not sent. Notifications are still read, which needs no call.
type breakerAcquirer struct {
	acquirer.Acquirer
	*circuit
}

// circuit keeps whether an acquirer works, as this server sees it. All accounts with the
// acquirer share one, because they have the same address.
type circuit struct {
	name    string
	breaker *gobreaker.CircuitBreaker[outcome]
	metrics *metrics
}

// withBreaker routes an account's calls through the circuit of its acquirer.
func (e *Engine) withBreaker(a acquirer.Acquirer) *breakerAcquirer {
	return &breakerAcquirer{a, e.circuits[a.Name()]}
}

func newCircuit(name string, pause time.Duration, m *metrics, log zerolog.Logger) *circuit {
	m.watchAcquirer(name)
	return &circuit{name: name, metrics: m, breaker: gobreaker.NewCircuitBreaker[outcome](gobreaker.Settings{
		Name:        name,
		MaxRequests: 1,
		Timeout:     pause,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= FaultThreshold },
		IsExcluded:  func(err error) bool { return errors.Is(err, errInterrupted) },
		OnStateChange: func(_ string, from, to gobreaker.State) {
			level := zerolog.WarnLevel
			if to == gobreaker.StateClosed {
				level = zerolog.InfoLevel
			}
			log.WithLevel(level).Str("acquirer", name).Stringer("from", from).Stringer("to", to).
				Msg("acquirer's circuit changed")
			m.setUp(name, to == gobreaker.StateClosed)
		},
	})}
}

// outOfOrder reports whether a call would be refused. While one call tries the acquirer,
// others may be refused although outOfOrder is false.
func (c *circuit) outOfOrder() bool { return c.breaker.State() == gobreaker.StateOpen }

// outcome is how a call went, for the metrics.
type outcome string

const (
	outcomeAnswered    outcome = "answered"
	outcomeUndecided   outcome = "undecided" // it has the payment and has not decided yet
	outcomeNotSent     outcome = "not_sent"
	outcomeFault       outcome = "fault"
	outcomeInterrupted outcome = "cut_short" // this server is stopping
	outcomeRefused     outcome = "refused"   // it is out of order and was not called
)

// The circuit ignores calls that end with errInterrupted and counts those with errFault.
var (
	errInterrupted = errors.New("cut short")
	errFault       = errors.New("fault")
)

// classify tells from a call's error whether the acquirer works. Errors are its fault (a
// time-out, a broken connection, an answer that makes no sense), except those of package
// acquirer that are answers, and those of a context that this server canceled.
func classify(ctx context.Context, err error) (outcome, error) {
	switch {
	case err == nil, errors.Is(err, acquirer.ErrNoCodeWanted), errors.Is(err, acquirer.ErrAccount),
		errors.Is(err, acquirer.ErrRefused):
		return outcomeAnswered, nil
	case errors.Is(err, acquirer.ErrUndecided):
		return outcomeUndecided, nil
	case errors.Is(ctx.Err(), context.Canceled):
		return outcomeInterrupted, errInterrupted
	case errors.Is(err, acquirer.ErrNotSent):
		return outcomeNotSent, errFault
	}
	return outcomeFault, errFault
}

// through makes one call, or refuses it while the acquirer is out of order.
func through[T any](ctx context.Context, c *circuit, call string, f func() (T, error)) (T, error) {
	var answer T
	var err error
	began, called := time.Now(), false
	how, refused := c.breaker.Execute(func() (outcome, error) {
		called = true
		answer, err = f()
		return classify(ctx, err)
	})
	if !called {
		c.metrics.calls.WithLabelValues(c.name, call, string(outcomeRefused)).Inc()
		return answer, fmt.Errorf("%w: %w: %w", acquirer.ErrNotSent, errOutOfOrder, refused)
	}
	c.metrics.called(c.name, call, how, time.Since(began))
	return answer, err
}

// The calls of acquirer.Acquirer.

func (g *breakerAcquirer) Begin(ctx context.Context, p acquirer.Payment) (acquirer.Begun, error) {
	return through(ctx, g.circuit, "begin", func() (acquirer.Begun, error) { return g.Acquirer.Begin(ctx, p) })
}

func (g *breakerAcquirer) Confirm(
	ctx context.Context, r acquirer.Ref, code acquirer.Code,
) (acquirer.Confirmed, error) {
	return through(ctx, g.circuit, "confirm", func() (acquirer.Confirmed, error) {
		return g.Acquirer.Confirm(ctx, r, code)
	})
}

func (g *breakerAcquirer) Resend(ctx context.Context, r acquirer.Ref) (acquirer.CodeSent, error) {
	return through(ctx, g.circuit, "resend", func() (acquirer.CodeSent, error) {
		return g.Acquirer.Resend(ctx, r)
	})
}

func (g *breakerAcquirer) Cancel(ctx context.Context, r acquirer.Ref) (acquirer.Report, error) {
	return through(ctx, g.circuit, "cancel", func() (acquirer.Report, error) {
		return g.Acquirer.Cancel(ctx, r)
	})
}

func (g *breakerAcquirer) Inquire(ctx context.Context, r acquirer.Ref) (acquirer.Report, error) {
	return through(ctx, g.circuit, "inquire", func() (acquirer.Report, error) {
		return g.Acquirer.Inquire(ctx, r)
	})
}

// Refund does not use the circuit: many of its errors say that the payment cannot be
// refunded, and must not keep payers from paying.
func (g *breakerAcquirer) Refund(
	ctx context.Context, r acquirer.Ref, amount domain.Money,
) (acquirer.Refunded, error) {
	began := time.Now()
	answer, err := g.Acquirer.Refund(ctx, r, amount)
	how, _ := classify(ctx, err)
	g.metrics.called(g.name, "refund", how, time.Since(began))
	return answer, err
}

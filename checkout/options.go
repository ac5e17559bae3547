package checkout

import (
	"context"
	"slices"

	"daftar/checkout/acquirer"
	"daftar/checkout/attempt"
	"daftar/domain"
)

// option is a method together with the acquirer that takes it.
type option struct {
	acquirer.Capability
	by         *guarded
	outOfOrder bool
}

// options are the methods that can carry the amount to the last dirham. Of two
// acquirers that have a method, one that is out of order stands back.
func (c *Checkout) options(m domain.Money) []option {
	var found []option
	for _, a := range c.acquirers {
		down := a.outOfOrder()
		for _, can := range a.Capabilities() {
			if !can.Carries(m) {
				continue
			}
			n := slices.IndexFunc(found, func(o option) bool { return o.Method == can.Method })
			switch {
			case n < 0:
				found = append(found, option{can, a, down})
			case found[n].outOfOrder && !down:
				found[n] = option{can, a, down}
			}
		}
	}
	return found
}

// optionOf is the method of an attempt with its acquirer. It returns false where there
// is no such acquirer any more, or it gave the method up.
func (c *Checkout) optionOf(a attempt.Attempt) (option, bool) {
	by, known := c.acquirer(a.Acquirer)
	if !known {
		return option{}, false
	}
	for _, can := range by.Capabilities() {
		if can.Method == a.Method {
			return option{Capability: can, by: by}, true
		}
	}
	return option{}, false
}

// withTimeout bounds one question to the acquirer. The leases of claims rely on
// acquirerLimit.
func (o option) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := acquirerLimit
	if o.Timeout > 0 {
		limit = min(limit, o.Timeout)
	}
	return context.WithTimeout(ctx, limit)
}

package payments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// Option is a method together with the acquirer that takes it.
type Option struct {
	acquirer.Capability

	OutOfOrder bool
	by         *breakerAcquirer
}

// Acquirer is the name of the acquirer.
func (o Option) Acquirer() string { return o.by.Name() }

// Options returns the methods that can carry the intent's exact amount: those of the
// application's own accounts, then those of the acquirers of all. Of two with the same method,
// the first is returned, or the second if only the first is out of order. The mode is that of
// the intent's application; a test application has the sandbox alone.
func (e *Engine) Options(ctx context.Context, i domain.Intent, mode domain.Mode) ([]Option, error) {
	offering, err := e.offeringOf(ctx, i.Application, mode)
	if err != nil {
		return nil, err
	}
	var found []Option
	for _, a := range offering {
		down := a.outOfOrder()
		for _, can := range a.Capabilities() {
			if !can.Carries(i.Amount) {
				continue
			}
			n := slices.IndexFunc(found, func(o Option) bool { return o.Method == can.Method })
			switch {
			case n < 0:
				found = append(found, Option{can, down, a})
			case found[n].OutOfOrder && !down:
				found[n] = Option{can, down, a}
			}
		}
	}
	return found, nil
}

// offeringOf are the acquirers that the checkout of an application offers.
func (e *Engine) offeringOf(
	ctx context.Context, app domain.ApplicationID, mode domain.Mode,
) (all []*breakerAcquirer, err error) {
	if mode == domain.ModeLive {
		enabled := func(s settings.AcquirerAccount) bool { return s.Enabled }
		if all, err = e.accountsOf(ctx, app, enabled); err != nil {
			return nil, err
		}
	}
	for _, a := range e.shared {
		if e.takes(a, mode) {
			all = append(all, a)
		}
	}
	return all, nil
}

// accountsOf opens the accounts of an application that wanted selects. An account that cannot
// be opened is logged and left out, so that the others still work.
func (e *Engine) accountsOf(
	ctx context.Context, app domain.ApplicationID, wanted func(settings.AcquirerAccount) bool,
) ([]*breakerAcquirer, error) {
	if len(e.providers) == 0 {
		return nil, nil
	}
	stored, err := e.settings.AcquirerAccounts(ctx, app)
	if err != nil {
		return nil, err
	}
	var opened []*breakerAcquirer
	for _, s := range stored {
		p, known := e.providers[s.Acquirer]
		if !known || !wanted(s) {
			continue
		}
		a, err := e.open(p, s)
		if err != nil {
			e.log.Error().Err(err).Str("application", app.String()).Str("acquirer", s.Acquirer).
				Msg("account with an acquirer cannot be opened")
			continue
		}
		opened = append(opened, a)
	}
	return opened, nil
}

func (e *Engine) open(p acquirer.Provider, s settings.AcquirerAccount) (*breakerAcquirer, error) {
	settings, err := e.settings.AcquirerSettings(s)
	if err != nil {
		return nil, err
	}
	a, err := p.Open(settings)
	if err != nil {
		return nil, err
	}
	return e.withBreaker(offering{a, p, s}), nil
}

// offering is an account with the methods that the merchant chose, in their order and within
// their limits.
type offering struct {
	acquirer.Acquirer
	provider acquirer.Provider
	chosen   settings.AcquirerAccount
}

// Capabilities implements acquirer.Acquirer.
func (o offering) Capabilities() []acquirer.Capability {
	var all []acquirer.Capability
	for _, m := range o.chosen.Methods {
		if can, has := acquirer.CapabilityOf(o.provider, acquirer.Method(m)); has {
			limits := o.chosen.Limits[m]
			all = append(all, can.Within(limits.Min, limits.Max))
		}
	}
	return all
}

// account returns the application's account with an acquirer, also one that is disabled,
// because attempts that have begun continue. It returns false where there is none.
func (e *Engine) account(
	ctx context.Context, app domain.ApplicationID, name string,
) (*breakerAcquirer, bool, error) {
	for _, a := range e.shared {
		if a.Name() == name {
			return a, true, nil
		}
	}
	if _, known := e.providers[name]; !known {
		return nil, false, nil
	}
	found, err := e.accountsOf(ctx, app, func(s settings.AcquirerAccount) bool { return s.Acquirer == name })
	if err != nil {
		return nil, false, fmt.Errorf("find account with %s: %w", name, err)
	}
	if len(found) == 0 {
		return nil, false, nil
	}
	return found[0], true, nil
}

// OptionOf returns the method of an attempt of the intent with its acquirer, also one that the
// merchant no longer offers. It returns false where there is no such account any more.
func (e *Engine) OptionOf(ctx context.Context, a attempt.Attempt, i domain.Intent) (Option, bool, error) {
	by, known, err := e.account(ctx, i.Application, a.Acquirer)
	if err != nil || !known {
		return Option{}, false, err
	}
	can, has := acquirer.CapabilityOf(by, a.Method)
	if p := e.providers[a.Acquirer]; !has && p != nil {
		can, has = acquirer.CapabilityOf(p, a.Method)
	}
	return Option{Capability: can, by: by}, has, nil
}

// maxCallTimeout bounds Capability.Timeout: the payer's browser waits for the call, and the
// server ends a request after half a minute.
const maxCallTimeout = 25 * time.Second

// limit is how long one call to the acquirer may take. The leases of claims rely on it.
func (o Option) limit() time.Duration { return min(cmp.Or(o.Timeout, acquirerLimit), maxCallTimeout) }

func (o Option) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, o.limit())
}

// MayGiveUp reports whether a payer can end an attempt: the acquirer can cancel it, or it waits
// for a code without which no money moves, or only the payer can still pay and an inquiry
// finds out if they do.
func (o Option) MayGiveUp(a attempt.Attempt) bool {
	return o.Cancel || o.OnlyConfirmPays && a.Stage == attempt.Code || o.payerAlone()
}

// payerAlone reports whether only the payer can make the money move, in an app or in the
// acquirer's form.
func (o Option) payerAlone() bool {
	return o.Inquiry && (o.Flow == acquirer.Lightbox || o.Flow == acquirer.QR)
}

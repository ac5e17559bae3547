package checkout_test

import (
	"context"
	"sync/atomic"

	"daftar/payments/acquirer"
)

// faultyAcquirer wraps the real acquirer, counts calls and replaces those that a test sets.
type faultyAcquirer struct {
	acquirer.Acquirer
	begun     atomic.Int64 // calls
	confirmed atomic.Int64
	inquired  atomic.Int64
	resent    atomic.Int64
	canceled  atomic.Int64
	change    atomic.Pointer[func(*capability)]
	begin     atomic.Pointer[func(context.Context, acquirer.Payment) (acquirer.Begun, error)]
	confirm   atomic.Pointer[func(context.Context, acquirer.Ref, acquirer.Code) (acquirer.Confirmed, error)]
	inquire   atomic.Pointer[func(context.Context, acquirer.Ref) (acquirer.Report, error)]
	resend    atomic.Pointer[func(context.Context, acquirer.Ref) (acquirer.CodeSent, error)]
	cancel    atomic.Pointer[func(context.Context, acquirer.Ref) (acquirer.Report, error)]
}

func (m *faultyAcquirer) Begin(ctx context.Context, p acquirer.Payment) (acquirer.Begun, error) {
	m.begun.Add(1)
	if f := m.begin.Load(); f != nil {
		return (*f)(ctx, p)
	}
	return m.Acquirer.Begin(ctx, p)
}

func (m *faultyAcquirer) Confirm(ctx context.Context, id acquirer.Ref,
	code acquirer.Code,
) (acquirer.Confirmed, error) {
	m.confirmed.Add(1)
	if f := m.confirm.Load(); f != nil {
		return (*f)(ctx, id, code)
	}
	return m.Acquirer.Confirm(ctx, id, code)
}

func (m *faultyAcquirer) Inquire(ctx context.Context, id acquirer.Ref) (acquirer.Report, error) {
	m.inquired.Add(1)
	if f := m.inquire.Load(); f != nil {
		return (*f)(ctx, id)
	}
	return m.Acquirer.Inquire(ctx, id)
}

func (m *faultyAcquirer) Resend(ctx context.Context, id acquirer.Ref) (acquirer.CodeSent, error) {
	m.resent.Add(1)
	if f := m.resend.Load(); f != nil {
		return (*f)(ctx, id)
	}
	return m.Acquirer.Resend(ctx, id)
}

func (m *faultyAcquirer) Cancel(ctx context.Context, id acquirer.Ref) (acquirer.Report, error) {
	m.canceled.Add(1)
	if f := m.cancel.Load(); f != nil {
		return (*f)(ctx, id)
	}
	return m.Acquirer.Cancel(ctx, id)
}

type capability = acquirer.Capability

// setCapability changes the acquirer's capabilities.
func (m *faultyAcquirer) setCapability(change func(*capability)) { m.change.Store(&change) }

func (m *faultyAcquirer) Capabilities() []acquirer.Capability {
	all := m.Acquirer.Capabilities()
	if change := m.change.Load(); change != nil {
		for n := range all {
			(*change)(&all[n])
		}
	}
	return all
}

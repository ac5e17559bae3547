package dashboard

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/projections"
	"daftar/webhooks"
)

// history reads what happened to a payment and folds it.
func (d *Dashboard) history(req *request, id domain.IntentID) ([]view.HistoryEntry, error) {
	recorded, err := eventstore.NewReader(d.config.Pool).ReadStream(req.ctx, uuid.UUID(id))
	if err != nil {
		return nil, fmt.Errorf("read history of a payment: %w", err)
	}
	i := domain.Blank(id)
	all := make([]view.HistoryEntry, len(recorded))
	for n, r := range recorded {
		e, err := projections.Decode(r)
		if err != nil {
			return nil, fmt.Errorf("read history of a payment: %w", err)
		}
		origin, err := r.Origin()
		if err != nil {
			return nil, fmt.Errorf("read history of a payment: %w", err)
		}
		before := i
		i = domain.Evolve(i, e)
		all[n] = view.HistoryEntry{
			Event: e, Before: before, After: i, Version: r.Version, Position: r.Position, Actor: origin.Actor, Note: origin.Note,
		}
	}
	return all, nil
}

func (d *Dashboard) showPayment(req *request) error {
	id, err := domain.ParseIntentID(req.variable("payment"))
	if err != nil {
		return errNoPage
	}
	org := uuid.UUID(req.organization.ID)
	// The only question that decides whose it is; what follows goes by its answer.
	found, ok, err := d.config.Payments.Find(req.ctx, org, id)
	if err != nil {
		return err
	}
	if !ok {
		return errNoPage
	}
	p := view.PaymentPage{}
	if p.Applications, err = d.config.Accounts.Applications(req.ctx, req.by, req.organization.ID); err != nil {
		return err
	}
	p.PaymentRow = d.paymentRow(found, p.Applications)
	if p.History, err = d.history(req, id); err != nil {
		return err
	}
	if len(p.History) > 0 {
		p.Attempts = p.History[len(p.History)-1].After.Attempts
	}
	if p.Exceptions, err = d.config.Payments.Exceptions(req.ctx, org, id); err != nil {
		return err
	}
	deliveries, err := d.config.Deliveries.List(req.ctx, webhooks.Filter{Tenant: webhooks.TenantOf(req.organization.ID), Intent: &id, Limit: 30})
	if err != nil {
		return err
	}
	// A replay may have recorded an earlier event later.
	slices.SortFunc(deliveries, func(a, b webhooks.Delivery) int { return b.Sequence - a.Sequence })
	for _, one := range deliveries {
		tries, err := d.config.Deliveries.Tries(req.ctx, webhooks.TenantOf(req.organization.ID), one.ID)
		if err != nil {
			return err
		}
		p.Deliveries = append(p.Deliveries, view.DeliveryRow{Delivery: one, Application: p.Application, Tries: tries})
	}
	return req.show(view.SectionPayments, p)
}

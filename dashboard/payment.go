package dashboard

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/payments/outcomes"
	"daftar/webhooks"
)

// history reads the events of a payment, with the state before and after each.
func (d *Dashboard) history(req *request, id domain.IntentID) ([]view.HistoryEntry, error) {
	recorded, err := eventstore.NewReader(d.config.Pool).ReadStream(req.ctx, uuid.UUID(id))
	if err != nil {
		return nil, fmt.Errorf("read history of a payment: %w", err)
	}
	i := domain.Blank(id)
	all := make([]view.HistoryEntry, len(recorded))
	for n, r := range recorded {
		e, err := domain.Decode(r)
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
			Event:    e,
			Before:   before,
			After:    i,
			Version:  r.Version,
			Position: r.Position,
			Actor:    origin.Actor,
			Note:     origin.Note,

			ProposedBy: origin.ProposedBy,
			Statement:  origin.Statement,
		}
	}
	return all, nil
}

// addOutcomes adds which attempts have an unknown outcome, and the names of the members who settled some.
func (d *Dashboard) addOutcomes(req *request, p *view.PaymentPage) (err error) {
	if p.Names, err = d.config.Outcomes.Names(req.ctx, req.tenant(), p.ID); err != nil {
		return err
	}
	for _, a := range p.Attempts {
		if a.State != domain.AttemptStateOpen {
			continue
		}
		o, err := d.config.Outcomes.Find(req.ctx, req.tenant(), outcomes.KeyOfPayment(a.ID))
		if errors.Is(err, outcomes.ErrNoOutcome) {
			continue
		}
		if err != nil {
			return err
		}
		p.Unknown = append(p.Unknown, o.Attempt)
	}
	return nil
}

func (d *Dashboard) paymentPage(req *request) (p view.PaymentPage, err error) {
	if p.PaymentRow, p.Applications, err = d.foundPayment(req); err != nil {
		return p, err
	}
	id := p.ID
	if p.History, err = d.history(req, id); err != nil {
		return p, err
	}
	if len(p.History) > 0 {
		after := p.History[len(p.History)-1].After
		p.Attempts, p.CanRefund = after.Attempts, len(d.config.Refunds.Offers(after)) > 0
		p.Receipt = d.receiptAddress(req, after)
	}
	if err := d.addOutcomes(req, &p); err != nil {
		return p, err
	}
	if p.Refunds, err = d.config.Refunds.Of(req.ctx, req.organization.ID, id); err != nil {
		return p, err
	}
	p.Exceptions, err = d.config.Decisions.Exceptions(req.ctx, req.tenant(), id)
	if err != nil {
		return p, err
	}
	for n := range p.Exceptions {
		if x := &p.Exceptions[n]; x.Decision == nil && len(p.History) > 0 {
			x.Decision = decidedByRefund(p.History[len(p.History)-1].After, x.Attempt, p.Refunds)
		}
	}
	if p.Notes, err = d.notesPart(req, id); err != nil {
		return p, err
	}
	if req.role.Allows(accounts.SeeMoney) && len(p.Attempts) > 0 {
		p.Settlements, err = d.settlements.Covering(req.ctx, req.tenant(), id, p.CreatedAt)
		if err != nil {
			return p, err
		}
	}
	deliveries, err := d.config.Deliveries.List(req.ctx,
		webhooks.Filter{Tenant: webhooks.TenantOf(req.organization.ID), Intent: &id, Limit: 30})
	if err != nil {
		return p, err
	}
	// A replay may have recorded an earlier event later.
	slices.SortFunc(deliveries, func(a, b webhooks.Delivery) int { return b.Sequence - a.Sequence })
	for _, one := range deliveries {
		tries, err := d.config.Deliveries.Tries(req.ctx, webhooks.TenantOf(req.organization.ID), one.ID)
		if err != nil {
			return p, err
		}
		p.Deliveries = append(p.Deliveries, view.DeliveryRow{
			Delivery:    one,
			Application: p.Application,
			Tries:       tries,
		})
	}
	return p, nil
}

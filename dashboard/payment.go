package dashboard

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/projections"
	"daftar/webhooks"
)

// happening is an event of a payment, with the state on both sides of it.
type happening struct {
	Event         domain.Event
	Before, After domain.Intent
	Version       int
	Position      int64
	Actor, Note   string
}

// At is when it was decided, by the ledger's clock.
func (h happening) At() time.Time { return h.Event.OccurredAt() }

// history reads what happened to a payment and folds it.
func (d *Dashboard) history(v *visit, id domain.IntentID) ([]happening, error) {
	recorded, err := eventstore.NewReader(d.pool).ReadStream(v.ctx, uuid.UUID(id))
	if err != nil {
		return nil, fmt.Errorf("read history of a payment: %w", err)
	}
	i := domain.Blank(id)
	all := make([]happening, len(recorded))
	for n, r := range recorded {
		e, err := projections.Decode(r)
		if err != nil {
			return nil, fmt.Errorf("read history of a payment: %w", err)
		}
		var origin eventstore.Metadata
		if err := json.Unmarshal(r.Metadata, &origin); err != nil {
			return nil, fmt.Errorf("read origin of an event: %w", err)
		}
		before := i
		i = domain.Evolve(i, e)
		all[n] = happening{
			Event: e, Before: before, After: i, Version: r.Version, Position: r.Position, Actor: origin.Actor, Note: origin.Note,
		}
	}
	return all, nil
}

// paymentPage is everything about one payment.
type paymentPage struct {
	paymentRow
	Applications []accounts.Application
	Attempts     []domain.Attempt
	Exceptions   []projections.Exception
	History      []happening
	Deliveries   []deliveryRow
}

func (paymentPage) Template() string { return "payment" }

func (p paymentPage) title(t *texts) string { return t.Payment.Title + " " + p.Reference.Capitals() }

// Undecided says that somebody has to decide about money of this payment.
func (p paymentPage) Undecided() bool {
	for _, x := range p.Exceptions {
		if x.Decision == nil {
			return true
		}
	}
	return false
}

func (d *Dashboard) showPayment(v *visit) error {
	id, err := domain.ParseIntentID(v.variable("payment"))
	if err != nil {
		return errNoPage
	}
	org := uuid.UUID(v.organization.ID)
	// The only question that decides whose it is; what follows goes by its answer.
	found, ok, err := d.payments.Find(v.ctx, org, id)
	if err != nil {
		return err
	}
	if !ok {
		return errNoPage
	}
	p := paymentPage{}
	if p.Applications, err = d.accounts.Applications(v.ctx, v.by, v.organization.ID); err != nil {
		return err
	}
	p.paymentRow = d.paymentRow(found, p.Applications)
	if p.History, err = d.history(v, id); err != nil {
		return err
	}
	if len(p.History) > 0 {
		p.Attempts = p.History[len(p.History)-1].After.Attempts
	}
	if p.Exceptions, err = d.payments.Exceptions(v.ctx, org, id); err != nil {
		return err
	}
	deliveries, err := d.deliveries.OfIntent(v.ctx, v.organization.ID, id)
	if err != nil {
		return err
	}
	for _, one := range deliveries {
		tries, err := d.deliveries.Tries(v.ctx, webhooks.TenantOf(v.organization.ID), one.ID)
		if err != nil {
			return err
		}
		p.Deliveries = append(p.Deliveries, deliveryRow{Delivery: one, Application: p.Application, Tries: tries})
	}
	return v.show(sectionPayments, p)
}

package dashboard

import (
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/layout"
	"daftar/ledger"
	"daftar/projections"
)

var _ = declare(
	get("/links/new", member(accounts.CreatePayments), loaded(view.SectionPayments, (*Dashboard).linkForm)),
	post("/links", member(accounts.CreatePayments), (*Dashboard).createLink),
	get("/payments/{payment}/link", member(accounts.CreatePayments),
		loaded(view.SectionPayments, (*Dashboard).linkPage)),
)

// linkForm is the form as it was sent, or a new one.
func (d *Dashboard) linkForm(req *request) (p view.LinkForm, err error) {
	all, err := d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
	for _, a := range all {
		if a.Active && a.CheckoutsStoppedAt == nil {
			p.Applications = append(p.Applications, a)
		}
	}
	p.Number = req.formNumber()
	p.Application = req.field("application")
	p.Amount = req.field("amount")
	p.Expiry = req.field("expiry")
	p.Description = req.field("description")
	p.Reference = req.field("reference")
	return p, err
}

// createLink creates an intent through the ledger, as a request of the application would. Its
// merchant reference comes from the form, so a form that is sent twice creates one intent.
func (d *Dashboard) createLink(req *request) error {
	form, err := d.linkForm(req)
	if err != nil {
		return err
	}
	command, wrong := form.Read(d.config.Now())
	if form.FormErrors = wrong; len(wrong) > 0 {
		return req.show(view.SectionPayments, form)
	}
	namespace, err := d.config.Accounts.Namespace(req.ctx, req.by, req.organization.ID, command.Application)
	if errors.Is(err, accounts.ErrInactive) {
		form.FormErrors = view.LinkInactive
		return req.show(view.SectionPayments, form)
	}
	if err != nil {
		return err
	}
	id := namespace.IntentID(command.MerchantReference)
	i, err := d.config.Ledger.Current(req.ctx, id, 0)
	if errors.Is(err, ledger.ErrNotFound) {
		i, err = d.createPayment(req, command, namespace)
	}
	if err != nil {
		return err
	}
	if i.Amount != command.Amount || i.Description != command.Description {
		form.FormErrors = view.LinkReferenceUsed
		return req.show(view.SectionPayments, form)
	}
	return req.done(req.in("payments/"+id.String()+"/link"), "link-created")
}

// createPayment writes the audit record before the ledger has the payment. If the second step
// fails, sending the same form again creates the payment.
func (d *Dashboard) createPayment(
	req *request, c domain.Create, n domain.Namespace,
) (projections.Intent, error) {
	err := d.config.Accounts.Do(req.ctx, req.by, req.organization.ID, accounts.CreatePayments,
		func(pgx.Tx) (accounts.Entry, error) {
			return accounts.Entry{
				Action:    accounts.ActionCreatePayment,
				Subject:   "payment",
				SubjectID: uuid.UUID(n.IntentID(c.MerchantReference)),
				Detail:    map[string]any{"amount": c.Amount.String(), "reference": string(c.MerchantReference)},
			}, nil
		})
	if err != nil {
		return projections.Intent{}, err
	}
	origin := ledger.Origin{Actor: ledger.ActorUser(uuid.UUID(req.by.User)), RequestID: req.by.RequestID}
	i, _, err := d.config.Ledger.Create(req.ctx, c, n, origin)
	return i, err
}

// linkPage shows the link of an open payment, to be given to the customer.
func (d *Dashboard) linkPage(req *request) (p view.LinkPage, err error) {
	if p.PaymentRow, _, err = d.foundPayment(req); err != nil {
		return p, err
	}
	if !p.Open() {
		return p, nil
	}
	p.URL = strings.TrimSuffix(d.config.PublicURL, "/") + p.CheckoutPath
	p.QR, err = layout.QR(p.URL, view.LinkLabel(req.lang))
	return p, err
}

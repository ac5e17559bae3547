package dashboard

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments"
	"daftar/payments/refunds"
)

const refundPath = "/payments/{payment}/refund"

var _ = declare(
	get(refundPath, member(accounts.RefundPayments),
		loaded(view.SectionPayments, (*Dashboard).refundPage)).fresh(),
	post(refundPath, member(accounts.RefundPayments), (*Dashboard).refund).fresh(),
)

// Refunds gives money back; see package refunds.
type Refunds interface {
	Of(ctx context.Context, org accounts.OrganizationID, intent domain.IntentID) ([]refunds.Refund, error)
	Offers(i domain.Intent) []refunds.Offer
	Request(
		ctx context.Context, by accounts.Actor, org accounts.OrganizationID, o refunds.Order,
	) (refunds.Refund, error)
}

// foundPayment is the payment of the path as it is listed; errNoPage if the organisation has no
// such payment.
func (d *Dashboard) foundPayment(req *request) (view.PaymentRow, []accounts.Application, error) {
	id, err := domain.ParseIntentID(req.variable("payment"))
	if err != nil {
		return view.PaymentRow{}, nil, errNoPage
	}
	// Only this query checks that the payment belongs to the organisation; later ones rely on it.
	found, ok, err := d.config.Payments.Find(req.ctx, req.tenant(), id)
	if err != nil {
		return view.PaymentRow{}, nil, err
	}
	if !ok {
		return view.PaymentRow{}, nil, errNoPage
	}
	applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
	return d.paymentRow(found, applications), applications, err
}

// refundPage is the form as it was sent, or one for the attempt in the query.
func (d *Dashboard) refundPage(req *request) (p view.RefundPage, err error) {
	if p.PaymentRow, _, err = d.foundPayment(req); err != nil {
		return p, err
	}
	i, err := d.config.Ledger.Load(req.ctx, p.ID)
	if err != nil {
		return p, err
	}
	p.Offers = d.config.Refunds.Offers(i)
	p.Form = view.RefundForm{
		Number:    req.formNumber(),
		Attempt:   req.field("attempt"),
		Amount:    req.field("amount"),
		Way:       view.RefundWay(req.field("way")),
		Reference: req.field("reference"),
		Note:      req.field("note"),
	}
	if p.Form.Attempt == "" {
		p.Form.Attempt = req.r.URL.Query().Get("attempt")
	}
	return p, nil
}

// refundNamespace is the namespace of refund ids made from the number of a form.
var refundNamespace = domain.NameBased(uuid.NameSpaceURL, "daftar refund form")

func (d *Dashboard) refund(req *request) error {
	p, err := d.refundPage(req)
	if err != nil {
		return err
	}
	amount, wrong := p.Form.Read()
	if p.FormErrors = wrong; len(wrong) > 0 {
		return req.show(view.SectionPayments, p)
	}
	// The id depends on the user, so that two users' forms never collide.
	form := fmt.Sprint(req.by.User, p.ID, p.Form.Number)
	o := refunds.Order{
		ID:         domain.RefundID(domain.NameBased(refundNamespace, form)),
		Intent:     p.ID,
		Attempt:    domain.AttemptID(p.Form.Attempt),
		Amount:     amount,
		ByAcquirer: p.Form.Way == view.ByAcquirer,
		Note:       p.Form.Note,
	}
	if !o.ByAcquirer {
		o.ProviderReference = p.Form.Reference
	}
	r, err := d.config.Refunds.Request(req.ctx, req.by, req.organization.ID, o)
	if p.FormErrors = refundErrors(err); len(p.FormErrors) > 0 || err != nil && r.State != refunds.Recording {
		return req.correct(view.SectionPayments, p, err)
	}
	// A refund that is not recorded yet is recorded by a worker in a moment.
	notice := "refund-requested"
	if r.State == refunds.Recorded {
		notice = "refund-recorded"
	}
	return req.done(req.in("payments/"+p.ID.String()), notice)
}

// refundErrors are the errors that a user can correct in the form.
func refundErrors(err error) view.FormErrors {
	if _, wrong := errors.AsType[payments.NoteError](err); wrong {
		return view.RefundNote
	}
	for _, known := range []struct {
		err  error
		says view.FormErrors
	}{
		{refunds.ErrTooLarge, view.RefundTooLarge},
		{refunds.ErrUnderWay, view.RefundUnderWay},
		{refunds.ErrNothingPaid, view.RefundNothing},
		{refunds.ErrWhichAttempt, view.RefundWhich},
		{refunds.ErrNoCall, view.RefundNoCall},
		{refunds.ErrGivenBack, view.RefundGivenBack},
		{refunds.ErrKnown, view.RefundKnown},
		{refunds.ErrReference, view.RefundReference},
	} {
		if errors.Is(err, known.err) {
			return known.says
		}
	}
	return nil
}

package checkout

import (
	"cmp"
	"context"
	"crypto/subtle"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"daftar/domain"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
	"daftar/projections"
	"daftar/webhooks"
)

const (
	// longUnknown is how long without an answer the page asks the payer to wait.
	longUnknown = time.Minute
	// justPaid is how long after the payment the receipt leads back to the shop.
	justPaid = 2 * time.Minute
	// earlyInquiryEvery is the least time between inquiries at the acquirer while a payer waits.
	earlyInquiryEvery = 2 * time.Second
)

// The parameters with which a form's answer tells the page the result.
const (
	codeParameter   = "code"
	resentParameter = "resent"
)

// formResult is the result of the form before, as the address of the page has it. The page shows it
// only where the attempt's row agrees: anyone can write a link.
type formResult struct {
	code   payments.CodeResult
	resent bool
	stay   bool // on the receipt, although the payment was made just now
	inApp  bool // the browser is a part of an app
}

func formResultOf(r *http.Request) formResult {
	query := r.URL.Query()
	return formResult{
		code:   payments.CodeResult(query.Get(codeParameter)),
		resent: query.Has(resentParameter),
		stay:   query.Has(StayParameter),
		inApp:  isInApp(r.UserAgent()),
	}
}

// nextMinute rounds up to the minute: pages show no seconds, and a payer who comes at the time
// shown must not be too early.
func nextMinute(t time.Time) time.Time { return t.Add(time.Minute - 1).Truncate(time.Minute) }

func pagePath(i domain.Intent) string { return projections.CheckoutPath(i.ID, i.CheckoutToken) }

// find finds the intent of a request. The error for an invalid link is ledger.ErrNotFound,
// whatever is wrong with it.
func (c *Checkout) find(r *http.Request) (domain.Intent, error) {
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	id, err := domain.ParseIntentID(mux.Vars(r)["uuid"])
	if err != nil {
		return domain.Intent{}, ledger.ErrNotFound
	}
	var i domain.Intent
	err = c.retrier.Do(ctx, func() (err error) {
		i, err = c.ledger.Load(ctx, id)
		return err
	})
	if err != nil {
		return domain.Intent{}, err
	}
	if subtle.ConstantTimeCompare([]byte(i.CheckoutToken), []byte(mux.Vars(r)["token"])) != 1 {
		return domain.Intent{}, ledger.ErrNotFound
	}
	return i, nil
}

// show answers GET of the page. It appends nothing, also where the time is over:
// then the page shows that, and package expiry records it.
func (c *Checkout) show(w http.ResponseWriter, r *http.Request) error {
	i, s, err := c.state(r)
	if err != nil {
		return err
	}
	c.renderIntent(w, r, http.StatusOK, i, c.withTyped(w, r, i, s))
	return nil
}

// state finds the intent of a request, and the state of its page.
func (c *Checkout) state(r *http.Request) (i domain.Intent, s State, err error) {
	if i, err = c.find(r); err != nil {
		return i, nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	order, stopped, err := c.order(ctx, i)
	if err != nil {
		return i, nil, err
	}
	switch i.Status {
	case domain.StatusRequiresPaymentMethod:
		if !stopped && !i.Overdue(c.ledger.Now()) {
			options, err := c.engine.Options(ctx, i, order.Mode)
			return i, c.pay(i, order, options), err
		}
		s, err = c.expired(ctx, i, order)
	case domain.StatusProcessing:
		s, err = c.processing(ctx, i, order, formResultOf(r))
	case domain.StatusSucceeded:
		s, err = c.receipt(ctx, i, order, formResultOf(r))
	case domain.StatusCanceled:
		s, err = c.expired(ctx, i, order)
	default:
		panic("checkout: page of an intent with status " + string(i.Status))
	}
	return i, s, err
}

// order is the order of an intent. stopped reports whether the merchant has stopped its
// checkouts: then no attempt begins.
func (c *Checkout) order(ctx context.Context, i domain.Intent) (o Order, stopped bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	shop, err := c.settings.Shop(ctx, i.Application)
	if err != nil {
		return Order{}, false, err
	}
	o = Order{
		Merchant:    shop.Name,
		Mode:        shop.Mode,
		Description: i.Description,
		Amount:      i.Amount,
		Reference:   i.Reference,
		Brand:       BrandOf(shop, c.publicURL),
	}
	if i.ReturnURL != nil {
		o.ReturnURL = *i.ReturnURL
	}
	return o, shop.CheckoutsStoppedAt != nil, nil
}

// expired is the page of an intent whose time is over. A message from the acquirer
// may report an attempt that had failed as paid, or only repeat that it failed: until
// the acquirer has answered, the page says neither.
func (c *Checkout) expired(ctx context.Context, i domain.Intent, o Order) (State, error) {
	checking, quarantined, err := c.engine.LateReports(ctx, i)
	if err != nil {
		return nil, err
	}
	_, open := i.OpenAttempt()
	return Expired{
		Order:        o,
		NoMoneyTaken: !open && !checking && !quarantined,
		Checking:     checking,
		Stopped:      c.ledger.Now().Before(i.ExpiresAt), // otherwise the payer could still pay
	}, nil
}

// pay is the page on which a method is chosen, before anything was typed.
func (c *Checkout) pay(i domain.Intent, o Order, options []payments.Option) Pay {
	p := Pay{Order: o, Deadline: i.ExpiresAt, Action: pagePath(i) + "/attempts"}
	for _, o := range options {
		offer := Offer{Method: o.Method, OutOfOrder: o.OutOfOrder}
		if !o.OutOfOrder {
			p.LeadsTo = acquirer.OriginsOf(append(p.LeadsTo, o.Pages...)...)
		}
		for _, in := range o.Inputs {
			offer.Needs = append(offer.Needs, in.Field)
		}
		p.Offers = append(p.Offers, offer)
	}
	if n := len(i.Attempts); n > 0 && i.Attempts[n-1].State == domain.AttemptStateFailed {
		last := i.Attempts[n-1]
		p.Failed, p.FailedBy = acquirer.ParseReason(last.Reason), acquirer.Method(last.Method)
	}
	if next := i.NextAttemptAt(); c.ledger.Now().Before(next) {
		p.NotBefore = nextMinute(next)
	}
	return p
}

// processing is the page of an intent whose attempt is open.
func (c *Checkout) processing(ctx context.Context, i domain.Intent, o Order,
	after formResult,
) (State, error) {
	a, found, err := c.engine.OpenAttempt(ctx, i)
	if err != nil {
		return nil, err
	}
	if !found {
		panic("checkout: intent is processing without an open attempt")
	}
	by, _, err := c.engine.OptionOf(ctx, a, i)
	if err != nil {
		return nil, err
	}
	if by.Inquiry {
		c.engine.InquireEarly(ctx, a, i.ExpiresAt, max(earlyInquiryEvery, by.LeastPause))
	}
	if !c.ledger.Now().Before(i.ExpiresAt) {
		return Processing{Order: o, TimeOver: true}, nil
	}
	switch a.Stage {
	case attempt.Code:
		return c.otp(i, o, a, by, after), nil
	case attempt.Bank:
		return continueAtAcquirer(i, o, a, by), nil
	case attempt.Quarantined:
		return Processing{Order: o, StillUnknown: true}, nil
	case attempt.Beginning, attempt.Asking, attempt.Ending, attempt.Closed:
		return Processing{Order: o, StillUnknown: c.ledger.Now().Sub(a.Since) >= longUnknown}, nil
	}
	panic("checkout: page of an attempt in stage " + string(a.Stage))
}

// otp is the page on which the code is typed.
func (c *Checkout) otp(i domain.Intent, order Order, a attempt.Attempt, o payments.Option,
	after formResult,
) OTP {
	now := c.ledger.Now()
	s := OTP{
		Order:        order,
		SentTo:       a.SentTo,
		Digits:       cmp.Or(a.Digits, o.CodeDigits),
		Action:       pagePath(i) + "/code",
		GiveUpAction: giveUpAction(i, a, o),
	}
	if o.Resend {
		s.ResendAction, s.ResendAfter = pagePath(i)+"/resend", a.NoResendFor(now)
		s.Resent = after.resent && a.ResentAt != nil && now.Sub(*a.ResentAt) < attempt.ResendEvery
	}
	wait := a.NoCodeFor(now)
	switch {
	case after.code == payments.CodeTooMany && wait > 0:
		s.Problem, s.Wait = CodeTooMany, wait
	case after.code == payments.CodeWrong && a.CodesSince != nil:
		s.Problem, s.TriesLeft = CodeWrong, a.TriesLeft
	}
	return s
}

// continueAtAcquirer is the page of an attempt whose payer continues at the acquirer's page, in its
// form or in an app.
func continueAtAcquirer(i domain.Intent, order Order, a attempt.Attempt, o payments.Option) State {
	giveUp := giveUpAction(i, a, o)
	switch a.PayerFlow() {
	case acquirer.Redirect:
		return Processing{Order: order, BankURL: a.BankURL, GiveUpAction: giveUp}
	case acquirer.Lightbox:
		return Lightbox{
			Order: order, Method: a.Method, ScriptURL: a.BankURL, Configuration: a.Presented,
			Deadline: i.ExpiresAt, GiveUpAction: giveUp,
		}
	case acquirer.QR:
		return QR{
			Order: order, Method: a.Method, Payload: a.Presented, PictureURL: pagePath(i) + "/qr.png",
			Deadline: i.ExpiresAt, GiveUpAction: giveUp,
		}
	case acquirer.OTP:
	}
	panic("checkout: payer continues by " + string(a.PayerFlow()))
}

// giveUpAction is the address of the form that ends the attempt; empty where it cannot be ended.
func giveUpAction(i domain.Intent, a attempt.Attempt, o payments.Option) string {
	if !o.MayGiveUp(a) {
		return ""
	}
	return pagePath(i) + "/give-up"
}

func (c *Checkout) receipt(ctx context.Context, i domain.Intent, o Order,
	after formResult,
) (r Receipt, err error) {
	paid, _ := i.Attempt(i.PaidBy)
	r = Receipt{
		Order: o, PaidAt: paid.EndedAt, Method: acquirer.Method(paid.Method), Payer: paid.Payer, Late: i.Late,
		CheckURL: c.publicURL + ReceiptPath(i), PictureURL: pagePath(i) + receiptPicture, InApp: after.inApp,
	}
	for _, a := range i.Attempts {
		r.Twice = r.Twice || a.State == domain.AttemptStatePaid && a.ID != i.PaidBy
	}
	// The receipt of a late payment has a warning to read first.
	fresh := c.ledger.Now().Sub(paid.EndedAt) < justPaid
	r.Reopened = !fresh && !i.Late
	r.SendBack = fresh && !i.Late && !r.Twice && !after.stay
	switch {
	case r.Twice:
		r.ShopNotified, err = c.deliveries.Delivered(ctx, i.ID, webhooks.TypeDuplicatePayment)
	case r.Late:
		r.ShopNotified, err = c.deliveries.Delivered(ctx, i.ID, webhooks.TypeSucceeded)
	}
	return r, err
}

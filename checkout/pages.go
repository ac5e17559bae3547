package checkout

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/mux"

	"daftar/checkout/acquirer"
	"daftar/checkout/attempt"
	"daftar/domain"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/projections"
	"daftar/webhooks"
)

const (
	// longUnknown is after how long without an answer the page stops asking the
	// payer to wait.
	longUnknown = time.Minute
	// justPaid is how long after the payment the receipt leads back to the shop.
	justPaid = 2 * time.Minute
	// earlyInquiryEvery is how often the acquirer is asked while somebody waits.
	earlyInquiryEvery = 2 * time.Second
)

// The parameters tell the page after a form what to say of it. They are believed
// only where the row says the same: anybody can write a link.
const (
	codeParameter   = "code"
	codeWrong       = "wrong"
	codeTooMany     = "many"
	resentParameter = "resent"
)

func pagePath(i domain.Intent) string { return projections.CheckoutPath(i.ID, i.CheckoutToken) }

// find is the intent whose page a request asks for. The error is
// ledger.ErrNotFound whatever is wrong with the link.
func (c *Checkout) find(r *http.Request) (domain.Intent, error) {
	ctx, cancel := context.WithTimeout(r.Context(), storeLimit)
	defer cancel()
	id, err := domain.ParseIntentID(mux.Vars(r)["uuid"])
	if err != nil {
		return domain.Intent{}, ledger.ErrNotFound
	}
	var i domain.Intent
	if err := c.patience.Do(ctx, func() (err error) { i, err = c.ledger.Load(ctx, id); return err }); err != nil {
		return domain.Intent{}, err
	}
	if subtle.ConstantTimeCompare([]byte(i.CheckoutToken), []byte(mux.Vars(r)["token"])) != 1 {
		return domain.Intent{}, ledger.ErrNotFound
	}
	return i, nil
}

// show answers GET of the page. It appends nothing, also where the time is over:
// then it says so; package expiry records it.
func (c *Checkout) show(w http.ResponseWriter, r *http.Request) error {
	i, s, err := c.state(r)
	if err != nil {
		return err
	}
	c.renderIntent(w, r, http.StatusOK, i, s)
	return nil
}

// state is the intent whose page a request asks for, and what the page shows of it.
func (c *Checkout) state(r *http.Request) (i domain.Intent, s State, err error) {
	if i, err = c.find(r); err != nil {
		return i, nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), storeLimit)
	defer cancel()
	order, stopped, err := c.order(ctx, i)
	if err != nil {
		return i, nil, err
	}
	switch i.Status {
	case domain.StatusRequiresPaymentMethod:
		if !stopped && !i.Overdue(c.now()) {
			options, err := c.options(ctx, i)
			return i, c.pay(i, order, options), err
		}
		s, err = c.expired(ctx, i, order)
	case domain.StatusProcessing:
		s, err = c.processing(ctx, i, order, r.URL.Query())
	case domain.StatusSucceeded:
		s, err = c.receipt(ctx, i, order, r.URL.Query())
	case domain.StatusCanceled:
		s, err = c.expired(ctx, i, order)
	default:
		panic("checkout: page of an intent with status " + string(i.Status))
	}
	return i, s, err
}

// order is what the page says of an intent, and whether the merchant has stopped its
// checkout: then no attempt begins.
func (c *Checkout) order(ctx context.Context, i domain.Intent) (o Order, stopped bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	shop, err := c.accounts.Shop(ctx, i.Application)
	if err != nil {
		return Order{}, false, err
	}
	o = Order{
		Merchant: shop.Name, Description: i.Description, Amount: i.Amount, Reference: i.Reference, Brand: BrandOf(shop, c.publicURL),
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
	ids := make([]domain.AttemptID, len(i.Attempts))
	for n, a := range i.Attempts {
		ids[n] = a.ID
	}
	checking, aside, err := c.attempts.lateReports(ctx, i.ID, ids)
	if err != nil {
		return nil, err
	}
	_, open := i.OpenAttempt()
	stopped := c.now().Before(i.ExpiresAt) // or there would be time to pay
	return Expired{Order: o, NoMoneyTaken: !open && !checking && !aside, Checking: checking, Stopped: stopped}, nil
}

// pay is the page on which a method is chosen, before anything was typed.
func (c *Checkout) pay(i domain.Intent, o Order, options []option) Pay {
	p := Pay{Order: o, Deadline: i.ExpiresAt, Action: pagePath(i) + "/attempts"}
	for _, o := range options {
		offer := Offer{Method: o.Method, OutOfOrder: o.outOfOrder}
		if !o.outOfOrder {
			p.LeadsTo = acquirer.OriginsOf(append(p.LeadsTo, o.Pages...)...)
		}
		for _, in := range o.Inputs {
			offer.Needs = append(offer.Needs, in.Field)
		}
		p.Offers = append(p.Offers, offer)
	}
	if n := len(i.Attempts); n > 0 && i.Attempts[n-1].State == domain.AttemptStateFailed {
		p.Failed = acquirer.ParseReason(i.Attempts[n-1].Reason)
	}
	if next := i.NextAttemptAt(); c.now().Before(next) {
		p.NotBefore = nextMinute(next)
	}
	return p
}

// openAttempt is the row of the attempt that is under way. One that was lost is
// written again from the ledger, so that the acquirer is asked what became of it.
// It returns false where no attempt is open.
func (c *Checkout) openAttempt(ctx context.Context, i domain.Intent) (attempt.Attempt, bool, error) {
	open, waits := i.OpenAttempt()
	if i.Status != domain.StatusProcessing || !waits {
		return attempt.Attempt{}, false, nil
	}
	a, err := c.attempts.find(ctx, open.ID)
	if !errors.Is(err, ErrNoAttempt) {
		return a, err == nil, err
	}
	now := c.now()
	a, err = c.attempts.insert(ctx, attempt.Recovered(open, i.ID, web.Arabic.String(), now), now)
	if err != nil {
		return attempt.Attempt{}, false, err
	}
	c.logFor(a).Error().Msg("row of an open attempt was lost; written again from the ledger")
	c.wake(a.Acquirer)
	return a, true, nil
}

// processing is the page of an intent whose attempt is open.
func (c *Checkout) processing(ctx context.Context, i domain.Intent, o Order, query url.Values) (State, error) {
	a, found, err := c.openAttempt(ctx, i)
	if err != nil {
		return nil, err
	}
	if !found {
		panic("checkout: intent is processing without an open attempt")
	}
	by, _, err := c.optionOf(ctx, a, i)
	if err != nil {
		return nil, err
	}
	if by.Inquiry {
		c.inquireEarly(ctx, a, i.ExpiresAt, max(earlyInquiryEvery, by.LeastPause))
	}
	if !c.now().Before(i.ExpiresAt) {
		return Processing{Order: o, TimeOver: true}, nil
	}
	switch a.Stage {
	case attempt.Code:
		return c.otp(i, o, a, by, query), nil
	case attempt.Bank:
		return elsewhere(i, o, a, by), nil
	case attempt.Quarantined:
		return Processing{Order: o, StillUnknown: true}, nil
	case attempt.Beginning, attempt.Asking, attempt.Ending, attempt.Closed:
		return Processing{Order: o, StillUnknown: c.now().Sub(a.Since) >= longUnknown}, nil
	}
	panic("checkout: page of an attempt in stage " + string(a.Stage))
}

// inquireEarly has the acquirer asked now, because somebody waits for the answer. A
// failure costs only time.
func (c *Checkout) inquireEarly(ctx context.Context, a attempt.Attempt, expiresAt time.Time, pause time.Duration) {
	early, now := attempt.InquireEarly{NotSince: pause, ExpiresAt: expiresAt}, c.now()
	if _, fits := attempt.Next(a, early, now); !fits {
		return // most of the time, and without a statement
	}
	_, due, err := c.attempts.apply(ctx, a, early, now)
	if err != nil {
		c.log.Warn().Err(err).Str("attempt", string(a.ID)).Msg("attempt not asked about early")
		return
	}
	if due {
		c.wake(a.Acquirer)
	}
}

// otp is the page on which the code is typed.
func (c *Checkout) otp(i domain.Intent, order Order, a attempt.Attempt, o option, query url.Values) OTP {
	now := c.now()
	s := OTP{
		Order: order, SentTo: a.SentTo, Digits: cmp.Or(a.Digits, o.CodeDigits), Action: pagePath(i) + "/code", GiveUpAction: giveUpAction(i, a, o),
	}
	if o.Resend {
		s.ResendAction, s.ResendAfter = pagePath(i)+"/resend", a.NoResendFor(now)
		s.Resent = query.Has(resentParameter) && a.ResentAt != nil && now.Sub(*a.ResentAt) < attempt.ResendEvery
	}
	wait := a.NoCodeFor(now)
	switch said := query.Get(codeParameter); {
	case said == codeTooMany && wait > 0:
		s.Problem, s.Wait = CodeTooMany, wait
	case said == codeWrong && a.CodesSince != nil:
		s.Problem, s.TriesLeft = CodeWrong, a.TriesLeft
	}
	return s
}

// elsewhere is the page of an attempt whose payer goes on at the acquirer's page, in its
// form or in an app.
func elsewhere(i domain.Intent, order Order, a attempt.Attempt, o option) State {
	giveUp := giveUpAction(i, a, o)
	switch a.PayerGoesOn() {
	case acquirer.Redirect:
		return Processing{Order: order, BankURL: a.BankURL, GiveUpAction: giveUp}
	case acquirer.Lightbox:
		return Lightbox{
			Order: order, Method: a.Method, ScriptURL: a.BankURL, Configuration: a.Presented, Deadline: i.ExpiresAt, GiveUpAction: giveUp,
		}
	case acquirer.QR:
		return QR{
			Order: order, Method: a.Method, Payload: a.Presented, PictureURL: pagePath(i) + "/qr.png", Deadline: i.ExpiresAt, GiveUpAction: giveUp,
		}
	case acquirer.OTP:
	}
	panic("checkout: payer goes on by " + string(a.PayerGoesOn()))
}

// giveUpAction is where the form goes that ends the attempt; empty where nobody can.
func giveUpAction(i domain.Intent, a attempt.Attempt, o option) string {
	if !mayGiveUp(o, a) {
		return ""
	}
	return pagePath(i) + "/give-up"
}

func (c *Checkout) receipt(ctx context.Context, i domain.Intent, o Order, query url.Values) (r Receipt, err error) {
	paid, _ := i.Attempt(i.PaidBy)
	r = Receipt{
		Order: o, PaidAt: paid.EndedAt, Method: acquirer.Method(paid.Method), Payer: paid.Payer, Late: i.Late,
		CheckURL: c.publicURL + ReceiptPath(i),
	}
	for _, a := range i.Attempts {
		r.Twice = r.Twice || a.State == domain.AttemptStatePaid && a.ID != i.PaidBy
	}
	// Who paid late has something to read first.
	fresh := c.now().Sub(paid.EndedAt) < justPaid
	r.Reopened = !fresh && !i.Late
	r.SendBack = fresh && !i.Late && !r.Twice && !query.Has(StayParameter)
	switch {
	case r.Twice:
		r.ShopTold, err = c.deliveries.Told(ctx, i.ID, webhooks.TypeDuplicatePayment)
	case r.Late:
		r.ShopTold, err = c.deliveries.Told(ctx, i.ID, webhooks.TypeSucceeded)
	}
	return r, err
}

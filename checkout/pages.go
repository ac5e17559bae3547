package checkout

import (
	"context"
	"crypto/subtle"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/mux"

	"daftar/checkout/acquirer"
	"daftar/domain"
	"daftar/ledger"
	"daftar/projections"
)

const (
	// longUnknown is after how long without an answer the page stops asking the
	// payer to wait.
	longUnknown = time.Minute
	// justPaid is how long after the payment the receipt leads back to the shop.
	justPaid = 2 * time.Minute
	// hurryEvery is how often the acquirer is asked while somebody waits.
	hurryEvery = 2 * time.Second
)

// codeParameter tells the page after a code what to say about it.
const (
	codeParameter = "code"
	codeWrong     = "wrong"
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
	i, err := c.ledger.Load(ctx, id)
	if err != nil {
		return domain.Intent{}, err
	}
	if subtle.ConstantTimeCompare([]byte(i.CheckoutToken), []byte(mux.Vars(r)["token"])) != 1 {
		return domain.Intent{}, ledger.ErrNotFound
	}
	return i, nil
}

// show answers GET of the page. It appends nothing, also where the time is over:
// then it says so, and the expiry is recorded by whoever is to record it.
func (c *Checkout) show(w http.ResponseWriter, r *http.Request) error {
	i, err := c.find(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), storeLimit)
	defer cancel()
	s, err := c.stateOf(ctx, i, r.URL.Query())
	if err != nil {
		return err
	}
	c.render(w, r, http.StatusOK, s)
	return nil
}

// stateOf is what the page shows of an intent.
func (c *Checkout) stateOf(ctx context.Context, i domain.Intent, query url.Values) (State, error) {
	order, err := c.order(ctx, i)
	if err != nil {
		return nil, err
	}
	switch i.Status {
	case domain.StatusRequiresPaymentMethod:
		if i.Overdue(c.now()) {
			return expired(i, order), nil
		}
		return c.pay(i, order), nil
	case domain.StatusProcessing:
		return c.underWay(ctx, i, order, query)
	case domain.StatusSucceeded:
		return c.receipt(i, order, query), nil
	case domain.StatusCanceled:
		return expired(i, order), nil
	}
	panic("checkout: page of an intent with status " + string(i.Status))
}

func (c *Checkout) order(ctx context.Context, i domain.Intent) (Order, error) {
	app, err := c.accounts.Application(ctx, i.Application)
	if err != nil {
		return Order{}, err
	}
	o := Order{Merchant: app.Name, Description: i.Description, Amount: i.Amount, Reference: i.Reference}
	if i.ReturnURL != nil {
		o.ReturnURL = *i.ReturnURL
	}
	return o, nil
}

func expired(i domain.Intent, o Order) Expired {
	_, open := i.OpenAttempt()
	return Expired{Order: o, NoMoneyTaken: !open}
}

// pay is the page on which a method is chosen, before anything was typed.
func (c *Checkout) pay(i domain.Intent, o Order) Pay {
	p := Pay{Order: o, Deadline: i.ExpiresAt, Action: pagePath(i) + "/attempts"}
	for _, way := range c.ways(i.Amount) {
		p.Offers = append(p.Offers, Offer{Method: way.Method})
	}
	if n := len(i.Attempts); n > 0 && i.Attempts[n-1].State == domain.AttemptStateFailed {
		p.Failed = acquirer.ParseReason(i.Attempts[n-1].Reason)
	}
	return p
}

// way is a method together with the acquirer that takes it.
type way struct {
	acquirer.Capability
	by acquirer.Acquirer
}

// ways are the methods that can carry the amount to the last dirham.
func (c *Checkout) ways(m domain.Money) []way {
	var found []way
	taken := make(map[acquirer.Method]bool)
	for _, a := range c.acquirers {
		for _, can := range a.Capabilities() {
			if can.Carries(m) && !taken[can.Method] {
				taken[can.Method] = true
				found = append(found, way{can, a})
			}
		}
	}
	return found
}

// underWay is the page of an intent whose attempt is open.
func (c *Checkout) underWay(ctx context.Context, i domain.Intent, o Order, query url.Values) (State, error) {
	open, _ := i.OpenAttempt()
	a, found, err := c.attempts.find(ctx, open.ID)
	if err != nil {
		return nil, err
	}
	if !found {
		return Processing{Order: o, StillUnknown: true}, nil
	}
	c.hurry(ctx, a)
	switch a.Stage {
	case stageCode:
		return otp(i, o, a, query), nil
	case stageBank:
		return Processing{Order: o, BankURL: a.BankURL}, nil
	case stageQuarantined:
		return Processing{Order: o, StillUnknown: true}, nil
	case stageBeginning, stageAsking, stageClosed:
		return Processing{Order: o, StillUnknown: c.now().Sub(a.Since) >= longUnknown}, nil
	}
	panic("checkout: page of an attempt in stage " + string(a.Stage))
}

// hurry has the acquirer asked now, because somebody waits for the answer. A
// failure costs only time.
func (c *Checkout) hurry(ctx context.Context, a attempt) {
	now := c.now()
	due, err := c.attempts.hurry(ctx, a.ID, now, now.Add(-hurryEvery))
	if err != nil {
		c.log.Warn().Err(err).Str("attempt", string(a.ID)).Msg("attempt not hurried")
		return
	}
	if due {
		c.wake()
	}
}

func otp(i domain.Intent, o Order, a attempt, query url.Values) OTP {
	s := OTP{Order: o, SentTo: a.SentTo, Digits: a.Digits, Action: pagePath(i) + "/code"}
	if query.Get(codeParameter) == codeWrong && a.TriesLeft > 0 {
		s.Problem, s.TriesLeft = CodeWrong, a.TriesLeft
	}
	return s
}

func (c *Checkout) receipt(i domain.Intent, o Order, query url.Values) Receipt {
	paid, _ := i.Attempt(i.PaidBy)
	r := Receipt{Order: o, PaidAt: paid.EndedAt, Method: acquirer.Method(paid.Method), Payer: paid.Payer, Late: i.Late}
	// Who paid late has something to read first.
	fresh := c.now().Sub(paid.EndedAt) < justPaid
	r.SendBack = fresh && !i.Late && !query.Has(StayParameter)
	return r
}

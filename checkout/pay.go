package checkout

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"daftar/checkout/acquirer"
	"daftar/domain"
	"daftar/internal/failpoint"
	"daftar/internal/web"
)

// beginLease and codeLease are how long a request may take from its claim to the
// writing down of the outcome. Only after that is the acquirer asked.
const (
	beginLease = acquirerLimit + 3*storeLimit
	codeLease  = 2*acquirerLimit + 4*storeLimit
)

// readForm reads the fields of a form. One that cannot be read has none.
func readForm(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		r.PostForm = nil
	}
}

// startAttempt answers POST of the pay page. Where no payment can begin now, the
// page says why.
func (c *Checkout) startAttempt(w http.ResponseWriter, r *http.Request) error {
	i, err := c.find(r)
	if err != nil {
		return err
	}
	if i.Status != domain.StatusRequiresPaymentMethod || i.Overdue(c.now()) {
		seePage(w, r, "")
		return nil
	}
	readForm(w, r)
	chosen, phone := acquirer.Method(r.PostForm.Get("method")), r.PostForm.Get("phone")
	by, corrected := c.checkPayForm(i, chosen, phone)
	if corrected != nil {
		ctx, cancel := context.WithTimeout(r.Context(), storeLimit)
		defer cancel()
		if corrected.Order, err = c.order(ctx, i); err != nil {
			return err
		}
		c.renderIntent(w, r, http.StatusUnprocessableEntity, i, *corrected)
		return nil
	}
	if by.Method == acquirer.Wallet {
		phone, _ = web.LibyanMobile(phone)
	} else {
		phone = ""
	}
	if err := c.begin(r.Context(), i, by, phone, web.LangFrom(r)); err != nil {
		return err
	}
	seePage(w, r, "")
	return nil
}

// checkPayForm is the way to pay that was chosen, or else the page on which the
// form has to be corrected.
func (c *Checkout) checkPayForm(i domain.Intent, chosen acquirer.Method, phone string) (way, *Pay) {
	ways := c.ways(i.Amount)
	p := c.pay(i, Order{})
	p.Failed, p.Chosen, p.Phone = "", chosen, phone
	n := slices.IndexFunc(ways, func(w way) bool { return w.Method == chosen })
	switch {
	case n >= 0 && !ways[n].outOfOrder:
	case chosen == acquirer.Wallet || chosen == acquirer.Card:
		p.MethodProblem = MethodOutOfOrder
		return way{}, &p
	default:
		p.MethodProblem = MethodMissing
		return way{}, &p
	}
	if chosen == acquirer.Wallet {
		if _, mobile := web.LibyanMobile(phone); !mobile {
			p.PhoneProblem = PhoneNotMobile
			if strings.TrimSpace(phone) == "" {
				p.PhoneProblem = PhoneMissing
			}
			return way{}, &p
		}
	}
	return ways[n], nil
}

// begin starts an attempt and calls the acquirer. It goes on when the payer
// leaves: half way, an answer would turn into an unknown outcome.
//
// The row is first, so that whatever happens after it is found out; the event is
// second, and whoever wrote it calls the acquirer, nobody else.
func (c *Checkout) begin(ctx context.Context, i domain.Intent, by way, phone string, l web.Lang) error {
	var random [16]byte
	rand.Read(random[:]) // cannot fail: crypto/rand ends the program where the system has no randomness
	now := c.now()
	a := attempt{
		ID: domain.NewAttemptID(random), Intent: i.ID, Acquirer: by.by.Name(), Method: by.Method, Language: l,
		Stage: stageBeginning, Since: now, CreatedAt: now, AskAt: after(now, beginLease),
	}
	if phone != "" {
		a.Payer = web.MaskPhone(phone)
	}
	recorded, err := c.record(ctx, a)
	if err != nil || !recorded {
		return err
	}
	c.about(a).Info().Str("method", string(a.Method)).Msg("attempt started")

	now = c.now()
	a.AskAt = after(now, beginLease)
	renewing, cancel := brief(ctx)
	defer cancel()
	kept, err := c.attempts.renew(renewing, a, now)
	if err != nil {
		return err
	}
	if !kept {
		// This request slept for so long that its row was given up. Nothing was sent.
		return c.fail(ctx, a, acquirer.Unreachable)
	}
	failpoint.Here("checkout_before_begin")
	begun, err := c.callBegin(ctx, a, i, by, phone)
	failpoint.Here("checkout_after_begin")
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		c.about(a).Error().Err(err).Msg("acquirer not reached")
		return c.fail(ctx, a, acquirer.Unreachable)
	case err != nil:
		c.about(a).Warn().Err(err).Str("outcome", "unknown").Msg("attempt may have begun")
		return c.ask(ctx, a, i)
	}
	return c.noteBegun(ctx, a, i, begun)
}

func after(t time.Time, d time.Duration) *time.Time {
	t = t.Add(d)
	return &t
}

// record writes the row and the event. It returns false if another attempt was
// first, or the time is over: the page shows that.
func (c *Checkout) record(ctx context.Context, a attempt) (bool, error) {
	ctx, cancel := brief(ctx)
	defer cancel()
	if err := c.attempts.insert(ctx, a); err != nil {
		return false, err
	}
	failpoint.Here("checkout_before_event")
	_, err := c.ledger.Execute(ctx, a.Intent, domain.StartAttempt{
		Attempt: a.ID, Acquirer: a.Acquirer, Method: string(a.Method), Payer: a.Payer,
	}, c.causedBy(ctx, "payer", a.ID))
	if _, refused := errors.AsType[domain.Refusal](err); refused {
		if err := c.close(ctx, a); err != nil {
			c.about(a).Warn().Err(err).Msg("attempt that did not begin is not closed yet")
		}
		return false, nil
	}
	return err == nil, err
}

// callBegin asks the acquirer to open the payment, or which one it opened before.
func (c *Checkout) callBegin(ctx context.Context, a attempt, i domain.Intent, by way, phone string) (acquirer.Begun, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitOf(by.Capability))
	defer cancel()
	return by.by.Begin(ctx, acquirer.Payment{
		Attempt: a.ID, Intent: i.ID, Money: i.Amount, Method: a.Method, Phone: phone, Description: i.Description,
		Language: a.Language.String(), ReturnURL: c.returnURL(i, a.Language), NotifyURL: c.notifyURL(a.Acquirer),
	})
}

// withCode is the attempt with what the acquirer says of a code that it sent.
func (a attempt) withCode(sent acquirer.CodeSent, now time.Time) attempt {
	a.SentTo, a.Digits, a.CodeSentAt, a.CodeUntil = masked(sent.SentTo), sent.Digits, &now, nil
	if sent.ValidFor > 0 {
		a.CodeUntil = after(now, sent.ValidFor)
	}
	return a
}

// noteBegun remembers what the payer has to do next.
func (c *Checkout) noteBegun(ctx context.Context, a attempt, i domain.Intent, begun acquirer.Begun) error {
	b := a
	b.Since = c.now()
	switch begun := begun.(type) {
	case acquirer.CodeSent:
		b = b.withCode(begun, b.Since)
		b.Stage = stageCode
	case acquirer.Redirected:
		b.Stage, b.BankURL = stageBank, begun.URL
	case acquirer.BeginDeclined:
		return c.fail(ctx, a, begun.Reason)
	}
	if b.Stage == a.Stage {
		return errors.Join(fmt.Errorf("acquirer answers begin with %T", begun), c.askAgain(ctx, a, i))
	}
	at := nextInquiry(b, i.ExpiresAt, b.Since)
	b.AskAt = &at
	ctx, cancel := brief(ctx)
	defer cancel()
	c.about(b).Info().Msg("attempt begun")
	return c.attempts.noteBegun(ctx, a, b)
}

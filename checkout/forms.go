package checkout

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/web"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// startAttempt answers POST of the pay page. Where no payment can begin now, the
// page says why.
func (c *Checkout) startAttempt(w http.ResponseWriter, r *http.Request) error {
	i, err := c.find(r)
	if err != nil {
		return err
	}
	order, stopped, err := c.order(r.Context(), i)
	if err != nil {
		return err
	}
	if now := c.ledger.Now(); i.Status != domain.StatusRequiresPaymentMethod || stopped || i.Overdue(now) ||
		now.Before(i.NextAttemptAt()) {
		redirectToPage(w, r, "")
		return nil
	}
	form := readPayForm(w, r)
	options, err := c.engine.Options(r.Context(), i)
	if err != nil {
		return err
	}
	page := c.pay(i, Order{}, options)
	if start, fine := form.check(&page, options, c.ledger.Now()); fine {
		start.Networks, start.Language = web.Networks(web.ClientAddress(r)), locale.LangFrom(r)
		err := c.engine.Begin(r.Context(), i, start)
		if err == nil {
			c.leadOn(w, r, start.Option)
			return nil
		}
		limit, limited := errors.AsType[payments.LimitReached](err)
		if !limited {
			return err
		}
		page.LimitedUntil = nextMinute(limit.Until)
		if limit.Number {
			page.PhoneProblem = PhoneLimited
		} else {
			page.MethodProblem = MethodLimited
		}
	}
	page.Order = order
	c.renderCorrection(w, r, i, page, page.LimitedUntil)
	return nil
}

// leadOn answers a form that has begun an attempt: with the way to the acquirer's page, once
// that is recorded and where the form's page allows it, and to our page otherwise.
func (c *Checkout) leadOn(w http.ResponseWriter, r *http.Request, o payments.Option) {
	if o.Flow == acquirer.Redirect {
		i, a, found, err := c.findOpen(r)
		ready := err == nil && found && a.Stage == attempt.Bank && a.Method == o.Method &&
			a.Acquirer == o.Acquirer() && c.ledger.Now().Before(i.ExpiresAt)
		if ready && o.LeadsTo(a.BankURL) {
			w.Header().Set("Location", a.BankURL)
			w.WriteHeader(http.StatusSeeOther)
			return
		}
		if ready {
			c.log.Warn().Str("attempt", string(a.ID)).Str("acquirer", a.Acquirer).
				Str("origin", acquirer.OriginOf(a.BankURL)).
				Msg("acquirer's page has another origin than its pages are known to have: it is shown as a link")
		}
	}
	redirectToPage(w, r, "")
}

// renderCorrection answers a form that has to be corrected, or that comes too early: it
// may be sent again at that time.
func (c *Checkout) renderCorrection(w http.ResponseWriter, r *http.Request, i domain.Intent, s State, notBefore time.Time) {
	status := http.StatusUnprocessableEntity
	if !notBefore.IsZero() {
		status = http.StatusTooManyRequests
		c.log.Info().Str("intent", i.ID.String()).Time("until", notBefore).Msg("too many codes or messages: refused")
		w.Header().Set("Retry-After", strconv.Itoa(int(notBefore.Sub(c.ledger.Now())/time.Second)+1))
	}
	c.renderIntent(w, r, status, i, s)
}

// enterCode answers POST of the code page.
func (c *Checkout) enterCode(w http.ResponseWriter, r *http.Request) error {
	i, a, found, err := c.findOpen(r)
	if err != nil {
		return err
	}
	if !found || a.Stage != attempt.Code {
		redirectToPage(w, r, "")
		return nil
	}
	code, problem := readCode(w, r)
	if problem != CodeFine {
		return c.renderCodeProblem(w, r, i, a, problem, time.Time{})
	}
	result, err := c.engine.Confirm(r.Context(), a, i, code)
	if limit, limited := errors.AsType[payments.LimitReached](err); limited {
		return c.renderCodeProblem(w, r, i, a, CodeLimited, nextMinute(limit.Until))
	}
	if err != nil {
		return err
	}
	query := ""
	if result != payments.CodeTaken {
		query = "?" + codeParameter + "=" + string(result)
	}
	redirectToPage(w, r, query)
	return nil
}

// renderCodeProblem answers with the code page that says what is wrong, and until when.
func (c *Checkout) renderCodeProblem(w http.ResponseWriter, r *http.Request, i domain.Intent, a attempt.Attempt, problem CodeProblem, until time.Time) error {
	order, _, err := c.order(r.Context(), i)
	if err != nil {
		return err
	}
	o, _, err := c.engine.OptionOf(r.Context(), a, i)
	if err != nil {
		return err
	}
	s := c.otp(i, order, a, o, notice{})
	s.Problem, s.LimitedUntil = problem, until
	c.renderCorrection(w, r, i, s, until)
	return nil
}

// resendCode answers POST of the form that asks for a new code. Whatever comes of
// it, the page shows it.
func (c *Checkout) resendCode(w http.ResponseWriter, r *http.Request) error {
	i, a, found, err := c.findOpen(r)
	if err != nil {
		return err
	}
	query := ""
	if found && a.Stage == attempt.Code {
		sent, err := c.engine.Resend(r.Context(), a, i)
		if limit, limited := errors.AsType[payments.LimitReached](err); limited {
			return c.renderCodeProblem(w, r, i, a, ResendLimited, nextMinute(limit.Until))
		}
		if err != nil {
			return err
		}
		if sent {
			query = "?" + resentParameter + "=1"
		}
	}
	redirectToPage(w, r, query)
	return nil
}

// findOpen is the intent whose page a request asks for, and its open attempt.
func (c *Checkout) findOpen(r *http.Request) (domain.Intent, attempt.Attempt, bool, error) {
	i, err := c.find(r)
	if err != nil {
		return domain.Intent{}, attempt.Attempt{}, false, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	a, found, err := c.engine.OpenAttempt(ctx, i)
	return i, a, found, err
}

// giveUp answers POST of the form that ends the attempt, so that the payer can
// pay another way.
func (c *Checkout) giveUp(w http.ResponseWriter, r *http.Request) error {
	i, a, found, err := c.findOpen(r)
	if err != nil {
		return err
	}
	if found && (a.Stage == attempt.Code || a.Stage == attempt.Bank) {
		if err := c.engine.GiveUp(r.Context(), a, i); err != nil {
			return err
		}
	}
	redirectToPage(w, r, "")
	return nil
}

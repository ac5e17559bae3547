package checkout

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"daftar/checkout/acquirer"
	"daftar/checkout/attempt"
	"daftar/domain"
	"daftar/internal/web"
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
	order, stopped, err := c.order(r.Context(), i)
	if err != nil {
		return err
	}
	if now := c.now(); i.Status != domain.StatusRequiresPaymentMethod || stopped || i.Overdue(now) || now.Before(i.NextAttemptAt()) {
		redirectToPage(w, r, "")
		return nil
	}
	readForm(w, r)
	options, err := c.options(r.Context(), i)
	if err != nil {
		return err
	}
	page := c.pay(i, Order{}, options)
	o, typed, fine := checkPayForm(&page, options, r.PostForm, c.now())
	if fine {
		err := c.begin(r.Context(), i, o, typed, web.Networks(web.ClientAddress(r)), web.LangFrom(r))
		if err == nil {
			c.leadOn(w, r, o)
			return nil
		}
		limit, limited := errors.AsType[limitReached](err)
		if !limited {
			return err
		}
		page.LimitedUntil = limit.until
		if limit.number {
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
func (c *Checkout) leadOn(w http.ResponseWriter, r *http.Request, o option) {
	if o.Flow == acquirer.Redirect {
		i, a, found, err := c.findOpen(r)
		ready := err == nil && found && a.Stage == attempt.Bank && a.Method == o.Method && a.Acquirer == o.by.Name() && c.now().Before(i.ExpiresAt)
		if ready && o.LeadsTo(a.BankURL) {
			w.Header().Set("Location", a.BankURL)
			w.WriteHeader(http.StatusSeeOther)
			return
		}
		if ready {
			c.logFor(a).Warn().Str("origin", acquirer.OriginOf(a.BankURL)).Msg("acquirer's page has another origin than its pages are known to have: it is shown as a link")
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
		w.Header().Set("Retry-After", strconv.Itoa(int(notBefore.Sub(c.now())/time.Second)+1))
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
	readForm(w, r)
	code := web.FoldCode(r.PostForm.Get("otp"))
	if problem := checkCode(code); problem != CodeFine {
		return c.renderCodeProblem(w, r, i, a, problem, time.Time{})
	}
	note, err := c.confirm(r.Context(), a, i, code)
	if limit, limited := errors.AsType[limitReached](err); limited {
		return c.renderCodeProblem(w, r, i, a, CodeLimited, limit.until)
	}
	if err != nil {
		return err
	}
	query := ""
	if note != "" {
		query = "?" + codeParameter + "=" + note
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
	o, _, err := c.optionOf(r.Context(), a, i)
	if err != nil {
		return err
	}
	s := c.otp(i, order, a, o, nil)
	s.Problem, s.LimitedUntil = problem, until
	c.renderCorrection(w, r, i, s, until)
	return nil
}

// maxCode bounds a code in digits. Whether the length is right is for the
// acquirer to say.
const maxCode = 12

func checkCode(code string) CodeProblem {
	if code == "" {
		return CodeMissing
	}
	if len(code) > maxCode || strings.Trim(code, "0123456789") != "" {
		return CodeMalformed
	}
	return CodeFine
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
		sent, err := c.resend(r.Context(), a, i)
		if limit, limited := errors.AsType[limitReached](err); limited {
			return c.renderCodeProblem(w, r, i, a, ResendLimited, limit.until)
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
	ctx, cancel := context.WithTimeout(r.Context(), storeLimit)
	defer cancel()
	a, found, err := c.openAttempt(ctx, i)
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
		if err := c.cancel(r.Context(), a, i); err != nil {
			return err
		}
	}
	redirectToPage(w, r, "")
	return nil
}

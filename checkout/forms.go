package checkout

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// renderCorrection answers a form that has to be corrected, or that comes too early: then
// notBefore is when it may be sent again.
func (c *Checkout) renderCorrection(w http.ResponseWriter, r *http.Request, i domain.Intent, s State,
	notBefore time.Time,
) {
	status := http.StatusUnprocessableEntity
	if !notBefore.IsZero() {
		status = http.StatusTooManyRequests
		c.log.Info().Str("intent", i.ID.String()).Time("until", notBefore).
			Msg("too many codes or messages: refused")
		w.Header().Set("Retry-After", strconv.Itoa(int(notBefore.Sub(c.ledger.Now())/time.Second)+1))
	}
	c.renderIntent(w, r, status, i, s)
}

// postedFields are the fields of a form; nil where it cannot be read.
func postedFields(w http.ResponseWriter, r *http.Request) url.Values {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return nil
	}
	return r.PostForm
}

// maxCode bounds a code in digits. The acquirer checks the exact length.
const maxCode = 12

// readCode reads the form of the code page, and returns what is wrong with it.
func readCode(w http.ResponseWriter, r *http.Request) (acquirer.Code, CodeProblem) {
	code := locale.FoldCode(postedFields(w, r).Get("otp"))
	switch {
	case code == "":
		return "", CodeMissing
	case len(code) > maxCode, strings.Trim(code, "0123456789") != "":
		return "", CodeMalformed
	}
	return acquirer.Code(code), CodeFine
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

// renderCodeProblem answers with the code page and the problem, which ends at until.
func (c *Checkout) renderCodeProblem(w http.ResponseWriter, r *http.Request, i domain.Intent,
	a attempt.Attempt, problem CodeProblem, until time.Time,
) error {
	order, _, err := c.order(r.Context(), i)
	if err != nil {
		return err
	}
	o, _, err := c.engine.OptionOf(r.Context(), a, i)
	if err != nil {
		return err
	}
	s := c.otp(i, order, a, o, formResult{})
	s.Problem, s.LimitedUntil = problem, until
	c.renderCorrection(w, r, i, s, until)
	return nil
}

// resendCode answers POST of the form that asks for a new code. The page shows the result.
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

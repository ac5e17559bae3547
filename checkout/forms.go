package checkout

import (
	"context"
	"net/http"
	"slices"
	"strings"

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
	if i.Status != domain.StatusRequiresPaymentMethod || stopped || i.Overdue(c.now()) {
		redirectToPage(w, r, "")
		return nil
	}
	readForm(w, r)
	chosen, phone := acquirer.Method(r.PostForm.Get("method")), r.PostForm.Get("phone")
	o, corrected := c.checkPayForm(i, chosen, phone)
	if corrected != nil {
		corrected.Order = order
		c.renderIntent(w, r, http.StatusUnprocessableEntity, i, *corrected)
		return nil
	}
	number := ""
	if o.Method == acquirer.Wallet {
		number, _ = web.LibyanMobile(phone)
	}
	if err := c.begin(r.Context(), i, o, number, web.LangFrom(r)); err != nil {
		return err
	}
	redirectToPage(w, r, "")
	return nil
}

// checkPayForm is the way to pay that was chosen, or else the page on which the
// form has to be corrected.
func (c *Checkout) checkPayForm(i domain.Intent, chosen acquirer.Method, phone string) (option, *Pay) {
	p := c.pay(i, Order{})
	p.Failed, p.Chosen, p.Phone = "", chosen, phone
	options := c.options(i.Amount)
	n := slices.IndexFunc(options, func(o option) bool { return o.Method == chosen && !o.outOfOrder })
	_, mobile := web.LibyanMobile(phone)
	switch {
	case n < 0 && (chosen == acquirer.Wallet || chosen == acquirer.Card):
		p.MethodProblem = MethodOutOfOrder
	case n < 0:
		p.MethodProblem = MethodMissing
	case chosen == acquirer.Wallet && strings.TrimSpace(phone) == "":
		p.PhoneProblem = PhoneMissing
	case chosen == acquirer.Wallet && !mobile:
		p.PhoneProblem = PhoneNotMobile
	default:
		return options[n], nil
	}
	return option{}, &p
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
	code := web.FoldDigits(r.PostForm.Get("otp"))
	if problem := checkCode(code); problem != CodeFine {
		order, _, err := c.order(r.Context(), i)
		if err != nil {
			return err
		}
		s := c.otp(i, order, a, nil)
		s.Problem = problem
		c.renderIntent(w, r, http.StatusUnprocessableEntity, i, s)
		return nil
	}
	note, err := c.confirm(r.Context(), a, i, code)
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

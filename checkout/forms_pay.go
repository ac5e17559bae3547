package checkout

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/web"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
	"daftar/payments/attempt"
)

// startAttempt answers POST of the pay page. Where no payment can begin now, the
// page shows why.
func (c *Checkout) startAttempt(w http.ResponseWriter, r *http.Request) error {
	i, err := c.find(r)
	if err != nil {
		return err
	}
	order, stopped, err := c.order(r.Context(), i)
	if err != nil {
		return err
	}
	now := c.ledger.Now()
	if i.Status != domain.StatusRequiresPaymentMethod || stopped || i.Overdue(now) ||
		now.Before(i.NextAttemptAt()) {
		redirectToPage(w, r, "")
		return nil
	}
	form := readPayForm(w, r)
	options, err := c.engine.Options(r.Context(), i, order.Mode)
	if err != nil {
		return err
	}
	page := c.pay(i, Order{}, options)
	if start, fine := form.check(&page, options, c.ledger.Now()); fine {
		start.Networks, start.Language = web.Networks(web.ClientAddress(r)), locale.LangFrom(r)
		err := c.engine.Begin(r.Context(), i, start)
		if err == nil {
			c.keepTyped(w, i, start.Inputs)
			c.redirectToAcquirer(w, r, start.Option)
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

// redirectToAcquirer answers a form that has begun an attempt. It redirects to the acquirer's page
// if that is recorded by now and the policy of the form's page allows it, and to the checkout page
// otherwise.
func (c *Checkout) redirectToAcquirer(w http.ResponseWriter, r *http.Request, o payments.Option) {
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
				Msg("acquirer's page has another origin than its pages are known to have: " +
					"it is shown as a link")
		}
	}
	redirectToPage(w, r, "")
}

// payForm has the fields of a payer's form, as they were typed.
type payForm struct {
	method acquirer.Method
	typed  acquirer.Inputs
}

// readPayForm reads the form of the pay page; all fields are empty where it cannot be read.
func readPayForm(w http.ResponseWriter, r *http.Request) payForm {
	fields := postedFields(w, r)
	f := payForm{method: acquirer.Method(fields.Get("method")), typed: make(acquirer.Inputs)}
	for _, field := range []acquirer.Field{acquirer.Phone, acquirer.BirthYear} {
		f.typed[field] = fields.Get(string(field))
	}
	return f
}

func isMethod(m acquirer.Method) bool {
	_, _, known := registry.OfMethod(m)
	return known
}

// check returns the chosen option with its inputs, and whether the form is valid. It puts
// what was typed, and what is wrong with it, on the page.
func (f payForm) check(p *Pay, options []payments.Option, now time.Time) (payments.Start, bool) {
	p.Failed, p.Chosen = "", f.method
	p.Phone, p.BirthYear = f.typed[acquirer.Phone], f.typed[acquirer.BirthYear]
	n := slices.IndexFunc(options, func(o payments.Option) bool {
		return o.Method == f.method && !o.OutOfOrder
	})
	switch {
	case n < 0 && isMethod(f.method):
		p.MethodProblem = MethodOutOfOrder
		return payments.Start{}, false
	case n < 0:
		p.MethodProblem = MethodMissing
		return payments.Start{}, false
	}
	start := payments.Start{Option: options[n], Inputs: make(acquirer.Inputs)}
	for _, in := range options[n].Inputs {
		switch in.Field {
		case acquirer.Phone:
			start.Inputs[in.Field], p.PhoneProblem = checkPhone(p.Phone, in.Prefixes)
			p.PhonePrefixes = in.Prefixes
		case acquirer.BirthYear:
			start.Inputs[in.Field], p.BirthYearProblem = checkBirthYear(p.BirthYear, in, now)
		}
	}
	return start, p.PhoneProblem == PhoneFine && p.BirthYearProblem == BirthYearFine
}

// checkPhone returns the number in its normal form, or what is wrong with it. Without prefixes
// every Libyan mobile number is valid.
func checkPhone(typed string, prefixes []string) (string, PhoneProblem) {
	if strings.TrimSpace(typed) == "" {
		return "", PhoneMissing
	}
	number, mobile := locale.LibyanMobile(typed)
	if !mobile {
		return "", PhoneNotMobile
	}
	begins := func(prefix string) bool { return strings.HasPrefix(number, prefix) }
	if len(prefixes) > 0 && !slices.ContainsFunc(prefixes, begins) {
		return "", PhoneOtherNetwork
	}
	return number, PhoneFine
}

// checkBirthYear returns the year in four digits, or what is wrong with it.
func checkBirthYear(typed string, in acquirer.Input, now time.Time) (string, BirthYearProblem) {
	folded := locale.FoldDigits(typed)
	if folded == "" {
		return "", BirthYearMissing
	}
	year, err := strconv.Atoi(folded)
	if err != nil || len(folded) != 4 || year < in.From || year > now.Year()-in.MinAge {
		return "", BirthYearMalformed
	}
	return folded, BirthYearFine
}

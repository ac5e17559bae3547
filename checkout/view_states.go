package checkout

import (
	"slices"
	"time"

	"daftar/checkout/acquirer"
	"daftar/internal/web"
)

// How long a page waits before it loads itself again, where no script asks for the
// state.
const (
	processingRefresh = 3 * time.Second
	bankRefresh       = 5 * time.Second // the customer may be about to click
	checkingRefresh   = 5 * time.Second
	unknownRefresh    = 10 * time.Second // no answer is expected soon
)

// problem is one line of the summary above a form, and the text beside the field.
type problem struct {
	Field string // id of the element to go to
	Text  string
}

// correctable is a state with a form in which something may be wrong.
type correctable interface {
	problems(t *texts) []problem
}

// reloading is a state whose page loads itself again; 0: not now.
type reloading interface {
	refresh() time.Duration
}

func (Pay) template() string         { return "pay" }
func (OTP) template() string         { return "otp" }
func (Processing) template() string  { return "processing" }
func (Receipt) template() string     { return "receipt" }
func (Expired) template() string     { return "expired" }
func (NotFound) template() string    { return "not-found" }
func (Unavailable) template() string { return "unavailable" }

func (s Pay) order() Order        { return s.Order }
func (s OTP) order() Order        { return s.Order }
func (s Processing) order() Order { return s.Order }
func (s Receipt) order() Order    { return s.Order }
func (s Expired) order() Order    { return s.Order }
func (NotFound) order() Order     { return Order{} }
func (Unavailable) order() Order  { return Order{} }

func (Pay) live() bool         { return true }
func (OTP) live() bool         { return true }
func (Processing) live() bool  { return true }
func (Receipt) live() bool     { return false }
func (s Expired) live() bool   { return s.Checking }
func (NotFound) live() bool    { return false }
func (Unavailable) live() bool { return false }

func (NotFound) heading(t *texts) (title, detail string) { return t.NotFound.Title, "" }

func (Unavailable) heading(t *texts) (title, detail string) { return t.Unavailable.Title, "" }

func (s Pay) heading(t *texts) (title, detail string) {
	if s.Failed != "" {
		return t.Pay.FailedTitle, "failed"
	}
	return t.Pay.Title, ""
}

func (s Pay) problems(t *texts) []problem {
	var all []problem
	switch s.MethodProblem {
	case MethodFine:
	case MethodMissing:
		all = append(all, problem{s.MethodField(), t.Pay.MethodMissing})
	case MethodOutOfOrder:
		all = append(all, problem{s.MethodField(), t.Pay.MethodOutOfOrder})
	}
	switch s.PhoneProblem {
	case PhoneFine:
	case PhoneMissing:
		all = append(all, problem{"phone", t.Pay.PhoneMissing})
	case PhoneNotMobile:
		all = append(all, problem{"phone", t.Pay.PhoneNotMobile})
	}
	return all
}

// usable is the offer of the method, or the first of all; nil where it cannot be
// chosen.
func (s Pay) usable(m acquirer.Method) *Offer {
	n := slices.IndexFunc(s.Offers, func(o Offer) bool { return !o.OutOfOrder && (m == "" || o.Method == m) })
	if n < 0 {
		return nil
	}
	return &s.Offers[n]
}

// CanPay reports whether any method can be chosen.
func (s Pay) CanPay() bool { return s.usable("") != nil }

// TakesPhone reports whether the wallet can be chosen, which needs a number.
func (s Pay) TakesPhone() bool { return s.usable(acquirer.Wallet) != nil }

// MethodField is the id of the first method that can be chosen.
func (s Pay) MethodField() string {
	if first := s.usable(""); first != nil {
		return first.ID()
	}
	return ""
}

// Preselected is the method that is chosen when the page opens: the customer's, or
// else the first that works, which is one decision less to make; empty for none.
func (s Pay) Preselected() acquirer.Method {
	switch first := s.usable(""); {
	case first == nil, s.MethodProblem == MethodMissing:
		return ""
	case s.Chosen != "" && s.usable(s.Chosen) != nil:
		return s.Chosen
	default:
		return first.Method
	}
}

// ID is the element's id, for links from the summary of problems.
func (o Offer) ID() string { return "method-" + string(o.Method) }

func (s OTP) heading(t *texts) (title, detail string) {
	if s.Resent && s.Problem == CodeFine {
		return t.OTP.ResentTitle, ""
	}
	return t.OTP.Title, ""
}

func (s OTP) problems(t *texts) []problem {
	if s.Problem == CodeFine {
		return nil
	}
	text := map[CodeProblem]string{
		CodeMissing: t.OTP.Missing, CodeMalformed: t.OTP.Malformed, CodeWrong: t.OTP.Wrong, CodeTooMany: t.OTP.TooMany,
	}[s.Problem]
	return []problem{{"otp", text}}
}

func (s Processing) heading(t *texts) (title, detail string) {
	switch {
	case s.StillUnknown:
		return t.Processing.UnknownTitle, "unknown"
	case s.BankURL != "":
		return t.Processing.CardTitle, "bank"
	}
	return t.Processing.Title, ""
}

func (s Processing) refresh() time.Duration {
	switch {
	case s.StillUnknown:
		return unknownRefresh
	case s.BankURL != "":
		return bankRefresh
	}
	return processingRefresh
}

// heading names what the payer has to act on before what is merely so.
func (s Receipt) heading(t *texts) (title, detail string) {
	switch {
	case s.Twice:
		return t.Receipt.TwiceTitle, "twice"
	case s.Late:
		return t.Receipt.LateTitle, "late"
	case s.Reopened:
		return t.Receipt.ReopenedTitle, "already-paid"
	}
	return t.Receipt.Title, ""
}

func (s Expired) heading(t *texts) (title, detail string) {
	if s.Checking {
		return t.Expired.CheckingTitle, "checking"
	}
	return t.Expired.Title, ""
}

func (s Expired) refresh() time.Duration {
	if s.Checking {
		return checkingRefresh
	}
	return 0
}

// masked hides a phone number that is not hidden yet.
func masked(payer string) string {
	if _, whole := web.LibyanMobile(payer); whole {
		return web.MaskPhone(payer)
	}
	return payer
}

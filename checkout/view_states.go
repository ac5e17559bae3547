package checkout

import (
	"strings"
	"time"
)

// How long a page waits before it loads itself again, where no script asks for the
// state.
const (
	processingRefresh = 3 * time.Second
	bankRefresh       = 5 * time.Second // the customer may be about to click
	checkingRefresh   = 5 * time.Second
	unknownRefresh    = 10 * time.Second // no answer is expected soon
)

// problem is one line of the summary above a form, and the text next to the field.
type problem struct {
	Field string // id of the element to go to
	Text  string
}

func (s NotFound) frame(t *texts) frame {
	if s.Receipt {
		return frame{template: "not-found", title: t.NotFound.ReceiptTitle, detail: "receipt"}
	}
	if s.Shop {
		return frame{template: "not-found", title: t.NotFound.ShopTitle, detail: "shop"}
	}
	return frame{template: "not-found", title: t.NotFound.Title}
}

func (Unavailable) frame(t *texts) frame {
	return frame{template: "unavailable", title: t.Unavailable.Title}
}

func (Secure) frame(t *texts) frame { return frame{template: "secure", title: t.Secure.Title} }

// AddressPrefix begins the address of every payment page.
func (s Secure) AddressPrefix() string { return s.Service + "/pay/" }

func (s Pay) frame(t *texts) frame {
	f := frame{template: "pay", title: t.Pay.Title, order: s.Order, deadline: s.Deadline, live: true}
	if s.Failed != "" {
		f.title, f.detail = t.Pay.FailedTitle, "failed"
	}
	if !s.NotBefore.IsZero() {
		f.title, f.detail = t.Pay.LimitedTitle, "limited"
	}
	switch s.MethodProblem {
	case MethodFine:
	case MethodMissing:
		f.problems = append(f.problems, problem{s.MethodField(), t.Pay.MethodMissing})
	case MethodOutOfOrder:
		f.problems = append(f.problems, problem{s.MethodField(), t.Pay.MethodOutOfOrder})
	case MethodLimited:
		text := t.Pay.MethodLimited(t.TimeOfDay(s.LimitedUntil))
		f.problems = append(f.problems, problem{s.MethodField(), text})
	}
	switch s.PhoneProblem {
	case PhoneFine:
	case PhoneMissing:
		f.problems = append(f.problems, problem{"phone", t.Pay.PhoneMissing})
	case PhoneNotMobile:
		f.problems = append(f.problems, problem{"phone", t.Pay.PhoneNotMobile})
	case PhoneLimited:
		text := t.Pay.PhoneLimited(t.TimeOfDay(s.LimitedUntil))
		f.problems = append(f.problems, problem{"phone", text})
	case PhoneOtherNetwork:
		text := t.Pay.PhoneOtherNetwork(strings.Join(s.PhonePrefixes, t.Pay.Or))
		f.problems = append(f.problems, problem{"phone", text})
	}
	switch s.BirthYearProblem {
	case BirthYearFine:
	case BirthYearMissing:
		f.problems = append(f.problems, problem{"birth_year", t.Pay.BirthYearMissing})
	case BirthYearMalformed:
		f.problems = append(f.problems, problem{"birth_year", t.Pay.BirthYearMalformed})
	}
	return f
}

// ID is the element's id, for links from the summary of problems.
func (o Offer) ID() string { return "method-" + string(o.Method) }

func (s OTP) frame(t *texts) frame {
	f := frame{template: "otp", title: t.OTP.Title, order: s.Order, live: true}
	switch clock := t.TimeOfDay(s.LimitedUntil); s.Problem {
	case CodeFine:
		if s.Resent {
			f.title = t.OTP.ResentTitle
		}
	case CodeMissing:
		f.problems = []problem{{"otp", t.OTP.Missing}}
	case CodeMalformed:
		f.problems = []problem{{"otp", t.OTP.Malformed}}
	case CodeWrong:
		f.problems = []problem{{"otp", t.OTP.Wrong}}
	case CodeTooMany:
		f.problems = []problem{{"otp", t.OTP.TooMany}}
	case CodeLimited:
		f.problems = []problem{{"otp", t.OTP.Limited(clock)}}
	case ResendLimited:
		f.problems = []problem{{"resend", t.OTP.ResendLimited(clock)}}
	}
	return f
}

func (s Lightbox) frame(t *texts) frame {
	return frame{template: "lightbox", title: t.Lightbox.Title, order: s.Order, deadline: s.Deadline, live: true}
}

func (s QR) frame(t *texts) frame {
	return frame{
		template: "qr", title: t.QR.Title, order: s.Order, deadline: s.Deadline, live: true,
		refresh: checkingRefresh,
	}
}

func (s Processing) frame(t *texts) frame {
	f := frame{
		template: "processing", title: t.Processing.Title, order: s.Order, live: true,
		refresh: processingRefresh,
	}
	switch {
	case s.TimeOver:
		f.title, f.detail, f.refresh = t.Processing.TimeOverTitle, "time-over", checkingRefresh
	case s.StillUnknown:
		f.title, f.detail, f.refresh = t.Processing.UnknownTitle, "unknown", unknownRefresh
	case s.BankURL != "":
		f.title, f.detail, f.refresh = t.Processing.CardTitle, "bank", bankRefresh
	}
	return f
}

// A warning that needs the payer's action comes before one that does not.
func (s Receipt) frame(t *texts) frame {
	f := frame{template: "receipt", title: t.Receipt.Title, order: s.Order}
	switch {
	case s.Twice:
		f.title, f.detail = t.Receipt.TwiceTitle, "twice"
	case s.Late:
		f.title, f.detail = t.Receipt.LateTitle, "late"
	case s.Reopened:
		f.title, f.detail = t.Receipt.ReopenedTitle, "already-paid"
	}
	return f
}

func (s Proof) frame(t *texts) frame {
	f := frame{template: "proof", title: t.Proof.Title, order: s.Order}
	if s.Evidence == nil {
		f.title, f.detail, f.refresh = t.Proof.PendingTitle, "pending", checkingRefresh
	}
	return f
}

func (s Expired) frame(t *texts) frame {
	if s.Checking {
		return frame{
			template: "expired", title: t.Expired.CheckingTitle, detail: "checking", order: s.Order, live: true,
			refresh: checkingRefresh,
		}
	}
	f := frame{template: "expired", title: t.Expired.Title, order: s.Order}
	if s.Stopped {
		f.title, f.detail = t.Expired.StoppedTitle, "stopped"
	}
	return f
}

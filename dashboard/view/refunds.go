package view

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/refunds"
)

func refundNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"refund-requested": say("سُجّل الطلب، وجهة الدفع تُسأل الآن. حدّث الصفحة بعد لحظات لترى النتيجة.",
			"The request was recorded and the acquirer is being asked. Reload the page in a moment to see the "+
				"outcome."),
		"refund-recorded": say("سُجّل أن المبلغ رُدّ إلى الزبون.",
			"It was recorded that the money went back to the customer."),
	}
}

// RefundForm is a refund as it is typed.
type RefundForm struct {
	Number          string // a form asks once, however often it is sent
	Attempt, Amount string
	Way             RefundWay
	Reference, Note string
}

// RefundWay is how money goes back.
type RefundWay string

// The ways.
const (
	ByAcquirer RefundWay = "acquirer" // the acquirer is asked
	ByHand     RefundWay = "hand"     // it went back already
)

// RefundPage gives money of a payment back.
type RefundPage struct {
	FormErrors
	PaymentRow
	Offers []refunds.Offer
	Form   RefundForm
}

func (p RefundPage) head(t *Texts) (template, title string) {
	return "refund", t.Refunds.Title + " " + p.Reference.Capitals()
}

// CanAsk reports whether the acquirer of one of the offers can be asked.
func (p RefundPage) CanAsk() bool {
	return slices.ContainsFunc(p.Offers, func(o refunds.Offer) bool { return o.ByAcquirer })
}

// Chosen is the offer that the form is about.
func (p RefundPage) Chosen() refunds.Offer {
	if len(p.Offers) == 0 {
		return refunds.Offer{}
	}
	for _, o := range p.Offers {
		if string(o.Attempt.ID) == p.Form.Attempt {
			return o
		}
	}
	return p.Offers[0]
}

// Read reads the form. The ledger checks the limits of the amount.
func (f RefundForm) Read() (amount *domain.Money, wrong FormErrors) {
	minor, known := readAmount(f.Amount)
	switch {
	case !known, minor != nil && *minor == 0:
		wrong.Add("amount", func(t *Texts) string { return t.Refunds.AmountBad })
	case minor != nil:
		amount = &domain.Money{Minor: *minor, Currency: domain.LYD}
	}
	if f.Way != ByAcquirer && f.Way != ByHand {
		wrong.Add("way", func(t *Texts) string { return t.Refunds.WayMissing })
	}
	return amount, wrong
}

// The errors of a form that are found after it was read.
var (
	RefundTooLarge  = FormError("amount", func(t *Texts) string { return t.Refunds.TooLarge })
	RefundUnderWay  = FormError("attempt", func(t *Texts) string { return t.Refunds.UnderWay })
	RefundNothing   = FormError("attempt", func(t *Texts) string { return t.Refunds.Nothing })
	RefundWhich     = FormError("attempt", func(t *Texts) string { return t.Refunds.WhichMissing })
	RefundNoCall    = FormError("way", func(t *Texts) string { return t.Refunds.NoCall })
	RefundGivenBack = FormError("way", func(t *Texts) string { return t.Refunds.GivenBackBefore })
	RefundKnown     = FormError("reference", func(t *Texts) string { return t.Refunds.Known })
	RefundReference = FormError("reference", func(t *Texts) string { return t.Refunds.ReferenceBad })
	RefundNote      = FormError("note", func(t *Texts) string { return t.Refunds.NoteBad })
	RefundOutcome   = FormError("outcome", func(t *Texts) string { return t.Refunds.OutcomeMissing })
)

// RefundPill is the state of a refund.
func (t refundTexts) RefundPill(r refunds.Refund) pill {
	switch r.State {
	case refunds.Requested, refunds.Asking, refunds.Recording:
		return pill{t.WaitingPill, "wait"}
	case refunds.Unknown:
		return pill{t.UnknownPill, "late"}
	case refunds.Recorded:
		return pill{t.RecordedPill, "ok"}
	case refunds.Failed:
		return pill{t.FailedPill, "off"}
	}
	panic("view: unknown state of a refund " + string(r.State))
}

// RequestedBy is who requested a refund.
func (r rendering) RequestedBy(f refunds.Refund) template.HTML {
	if name, is := strings.CutPrefix(f.RequestedBy, "application:"); is {
		return r.byApplication(name)
	}
	address := template.HTMLEscapeString(f.RequestedBy)
	return template.HTML(`<bdi dir="ltr">` + address + `</bdi>`) //nolint:gosec // escaped
}

// RefundNote is a person's note; the reason of an application's request is shown as such.
func (r rendering) RefundNote(f refunds.Refund) string {
	if f.Reason != nil && *f.Reason == f.Note {
		return ""
	}
	return f.Note
}

// TroubleText is why a refund is unknown or failed.
func (t refundTexts) TroubleText(of refunds.Trouble) string {
	return cmp.Or(t.Troubles[of], string(of))
}

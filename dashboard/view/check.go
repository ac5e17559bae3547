package view

import (
	"strings"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/till"
)

// CheckPage asks for a receipt.
type CheckPage struct {
	FormErrors
	Number string // of the form: sent again, it is the same check
	Typed  string
}

func (CheckPage) head(t *Texts) (template, title string) { return "check", t.Sections[SectionCheck] }

// NoReference is the error of an empty form.
var NoReference = FormError("reference", func(t *Texts) string { return t.Check.Missing })

// ReceiptCheck is the verdict on a receipt.
type ReceiptCheck struct {
	till.Answer
	Typed string
}

func (c ReceiptCheck) head(t *Texts) (template, title string) {
	return "receipt-check", t.Check.Verdicts[c.Verdict].Title
}

// Class is the colour of the verdict, and its mark.
func (c ReceiptCheck) Class() string {
	switch c.Verdict {
	case till.Good:
		return "good"
	case till.Before, till.Old:
		return "wait"
	case till.Refunded, till.Unpaid, till.Test, till.Unknown:
	}
	return "bad"
}

// Paid reports whether money came in.
func (c ReceiptCheck) Paid() bool { return !c.PaidAt.IsZero() && c.Verdict != till.Test }

// Ago is how long ago it was paid.
func (r rendering) Ago(c ReceiptCheck) string {
	return r.T.Check.Ago(locale.AgeText(r.Lang, c.Age()))
}

// CheckedBefore says when and by whom.
func (r rendering) CheckedBefore(c ReceiptCheck) string {
	ago := r.T.Check.Ago(locale.AgeText(r.Lang, c.At.Sub(c.First.At)))
	by := "\u2066" + c.First.By + "\u2069"
	return strings.NewReplacer("{ago}", ago, "{by}", by).Replace(r.T.Check.CheckedBefore)
}

// Reason is what the verdict means.
func (r rendering) Reason(c ReceiptCheck) string {
	if c.Verdict == till.Unpaid && c.Intent.Status == domain.StatusProcessing {
		return r.T.Check.Processing
	}
	return r.T.Check.Verdicts[c.Verdict].What
}

// Spoken is the verdict for the ear: the amount in words, and how old it is.
func (r rendering) Spoken(c ReceiptCheck) string {
	if c.Verdict == till.Good {
		return r.T.Check.Arrived + " " + locale.AmountInWords(r.Lang, c.Intent.Amount)
	}
	said := r.Title()
	switch c.Verdict {
	case till.Old:
		said += ". " + r.Ago(c)
	case till.Before:
		said += ". " + r.T.Check.Ago(locale.AgeText(r.Lang, c.At.Sub(c.First.At)))
	case till.Good, till.Refunded, till.Unpaid, till.Test, till.Unknown:
	}
	return said
}

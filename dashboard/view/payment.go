package view

import (
	"slices"

	"daftar/accounts"
	"daftar/domain"
	"daftar/facts"
	"daftar/payments/decisions"
	"daftar/payments/refunds"
)

// HistoryEntry is an event of a payment, with the state before and after it.
type HistoryEntry struct {
	Event         domain.Event
	Before, After domain.Intent
	Version       int
	Position      int64
	Actor, Note   string
}

// Attempt is the attempt that the event is about; empty: it is about none.
func (h HistoryEntry) Attempt() domain.AttemptID { return facts.DetailsOf(h.Event).Attempt }

// PaymentPage is everything about one payment.
type PaymentPage struct {
	FormErrors
	PaymentRow
	Applications []accounts.Application
	Attempts     []domain.Attempt
	Exceptions   []decisions.Exception
	Refunds      []refunds.Refund
	CanRefund    bool // there is paid money that has not gone back
	History      []HistoryEntry
	Deliveries   []DeliveryRow
	Notes        NotesPart
	Receipt      string // the address at which anybody can check it; empty: none, or the reader may not have it
}

func (p PaymentPage) head(t *Texts) (template, title string) {
	return "payment", t.Payment.Title + " " + p.Reference.Capitals()
}

// Name is the display name of the actor of a refund event; empty for other events.
func (p PaymentPage) Name(h HistoryEntry) string {
	of := facts.DetailsOf(h.Event).Refund
	for _, r := range p.Refunds {
		if r.ID == of && r.Actor == h.Actor {
			return r.RequestedBy
		}
	}
	return ""
}

// Decided are the exceptions with a decision.
func (p PaymentPage) Decided() (all []decisions.Exception) {
	for _, x := range p.Exceptions {
		if x.Decision != nil {
			all = append(all, x)
		}
	}
	return all
}

// Undecided reports whether money of this payment waits for a decision.
func (p PaymentPage) Undecided() bool {
	return slices.ContainsFunc(p.Exceptions, func(x decisions.Exception) bool { return x.Decision == nil })
}

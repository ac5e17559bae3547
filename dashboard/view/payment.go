package view

import (
	"slices"

	"daftar/accounts"
	"daftar/domain"
	"daftar/facts"
	"daftar/payments/decisions"
	"daftar/payments/refunds"
	"daftar/payments/settlements"
)

// HistoryEntry is an event of a payment, with the state before and after it.
type HistoryEntry struct {
	Event         domain.Event
	Before, After domain.Intent
	Version       int
	Position      int64
	Actor, Note   string
	ProposedBy    string // whose word the actor confirmed; empty: nobody's
	Statement     string // the line of a statement that shows it; empty: none
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
	Unknown      []domain.AttemptID // whose outcome is unknown
	Names        map[string]string  // of members, by what the ledger calls them
	// Receipt is the address at which anybody can check it; empty: none, or the reader may not have it.
	Receipt string
	// Settlements cover it, or refunds of it.
	Settlements []settlements.Settlement
}

func (p PaymentPage) head(t *Texts) (template, title string) {
	return "payment", t.Payment.Title + " " + p.Reference.Capitals()
}

// IsUnknown reports whether the outcome of an attempt is unknown.
func (p PaymentPage) IsUnknown(id domain.AttemptID) bool { return slices.Contains(p.Unknown, id) }

// Name is the display name of the actor of an event; empty where it is not known.
func (p PaymentPage) Name(h HistoryEntry) string {
	if name := p.Names[h.Actor]; name != "" {
		return name
	}
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

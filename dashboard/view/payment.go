package view

import (
	"slices"

	"daftar/accounts"
	"daftar/domain"
	"daftar/projections"
)

// HistoryEntry is an event of a payment, with the state on both sides of it.
type HistoryEntry struct {
	Event         domain.Event
	Before, After domain.Intent
	Version       int
	Position      int64
	Actor, Note   string
}

// PaymentPage is everything about one payment.
type PaymentPage struct {
	PaymentRow
	Applications []accounts.Application
	Attempts     []domain.Attempt
	Exceptions   []projections.Exception
	History      []HistoryEntry
	Deliveries   []DeliveryRow
}

func (p PaymentPage) head(t *Texts) (template, title string) {
	return "payment", t.Payment.Title + " " + p.Reference.Capitals()
}

// Undecided says that somebody has to decide about money of this payment.
func (p PaymentPage) Undecided() bool {
	return slices.ContainsFunc(p.Exceptions, func(x projections.Exception) bool { return x.Decision == nil })
}

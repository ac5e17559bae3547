package view

import (
	"html/template"
	"strings"

	"daftar/accounts"
	"daftar/checkout/acquirer"
	"daftar/domain"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/projections"
)

// fact is a line of a list of facts.
type fact struct {
	Name  string
	Value template.HTML
}

// isolated is text that a person wrote, in an isolate of its own.
func isolated(text string) template.HTML {
	return template.HTML("<bdi>" + template.HTMLEscapeString(text) + "</bdi>") //nolint:gosec // escaped
}

// monospace is an identifier, from left to right.
func monospace(text string) template.HTML {
	//nolint:gosec // escaped
	return template.HTML(`<bdi dir="ltr" class="mono">` + template.HTMLEscapeString(text) + "</bdi>")
}

// EventName says in a few words what an event was.
func (t paymentPageTexts) EventName(h HistoryEntry) string {
	switch h.Event.(type) {
	case domain.Created:
		return t.Created
	case domain.AttemptStarted:
		return t.AttemptStarted
	case domain.AttemptFailed:
		return t.AttemptFailed
	case domain.Succeeded:
		return t.Succeeded
	case domain.Expired:
		return t.Expired
	case domain.LateSucceeded:
		return t.LateSucceeded
	case domain.DuplicatePayment:
		return t.DuplicatePayment
	}
	panic("view: unknown event")
}

// PillClass is the colour of an event: a class of pills.
func (h HistoryEntry) PillClass() string {
	switch h.Event.(type) {
	case domain.Succeeded:
		return "ok"
	case domain.LateSucceeded, domain.DuplicatePayment:
		return "late"
	case domain.AttemptFailed, domain.Expired:
		return "off"
	case domain.Created, domain.AttemptStarted:
		return "wait"
	}
	panic("view: unknown event")
}

// Changed says that the status is another one afterwards.
func (h HistoryEntry) Changed() bool { return h.Before.Status != h.After.Status && h.Before.Exists() }

// StatusBefore is the status before the event.
func (h HistoryEntry) StatusBefore(t *Texts) pill {
	return t.Status.pill(h.Before.Status, h.Before.Late)
}

// StatusAfter is the status after the event.
func (h HistoryEntry) StatusAfter(t *Texts) pill { return t.Status.pill(h.After.Status, h.After.Late) }

// Facts are the contents of the event.
func (r rendering) Facts(h HistoryEntry) []fact {
	t, l := r.T.Payment, r.Lang
	money := func(id domain.AttemptID, m domain.Money, provider string) []fact {
		facts := []fact{{t.Amount, web.AmountHTML(l, m)}, {t.Attempt, monospace(string(id))}}
		if provider != "" {
			facts = append(facts, fact{t.ProviderReference, monospace(provider)})
		}
		return facts
	}
	switch e := h.Event.(type) {
	case domain.Created:
		return []fact{{t.Amount, web.AmountHTML(l, e.Amount)}, {t.ExpiresAt, web.MomentHTML(l, e.ExpiresAt)}}
	case domain.AttemptStarted:
		facts := []fact{{t.Method, isolated(t.MethodName(e.Method))}, {t.Acquirer, monospace(e.Acquirer)}}
		if e.Payer != "" {
			facts = append(facts, fact{t.Payer, monospace(e.Payer)})
		}
		return append(facts, fact{t.Attempt, monospace(string(e.Attempt))})
	case domain.AttemptFailed:
		return []fact{{t.Reason, isolated(t.ReasonText(e.Reason))}, {t.Attempt, monospace(string(e.Attempt))}}
	case domain.Succeeded:
		return money(e.Attempt, e.Amount, e.ProviderReference)
	case domain.Expired:
		return nil
	case domain.LateSucceeded:
		return money(e.Attempt, e.Amount, e.ProviderReference)
	case domain.DuplicatePayment:
		return money(e.Attempt, e.Amount, e.ProviderReference)
	}
	panic("view: unknown event")
}

// Actor says who caused an event.
func (r rendering) Actor(h HistoryEntry, applications []accounts.Application) template.HTML {
	t := r.T.Payment
	kind, name, _ := strings.Cut(h.Actor, ":")
	switch {
	case kind == "application":
		for _, a := range applications {
			if a.ID.String() == name {
				name = a.Name
			}
		}
		return template.HTML(template.HTMLEscapeString(t.ByApplication)+" ") + isolated(name) //nolint:gosec // escaped
	case h.Actor == "payer":
		return template.HTML(template.HTMLEscapeString(t.ByPayer)) //nolint:gosec // escaped
	case kind == "acquirer":
		return template.HTML(template.HTMLEscapeString(t.ByAcquirer)+" ") + monospace(name) //nolint:gosec // escaped
	case h.Actor == ledger.ActorExpiry:
		return template.HTML(template.HTMLEscapeString(t.ByExpiry)) //nolint:gosec // escaped
	case kind == "operator":
		return template.HTML(template.HTMLEscapeString(t.ByOperator)+" ") + isolated(name) //nolint:gosec // escaped
	}
	return monospace(h.Actor)
}

// AttemptPill is the state of an attempt.
func (t paymentPageTexts) AttemptPill(a domain.Attempt) pill {
	switch a.State {
	case domain.AttemptStateOpen:
		return pill{t.AttemptOpen, "wait"}
	case domain.AttemptStateFailed:
		return pill{t.AttemptNo, "off"}
	case domain.AttemptStatePaid:
		return pill{t.AttemptPaid, "ok"}
	}
	panic("view: unknown state of an attempt")
}

// MethodName is a payment method as customers know it.
func (t paymentPageTexts) MethodName(method string) string {
	switch acquirer.Method(method) {
	case acquirer.Wallet:
		return t.Wallet
	case acquirer.Card:
		return t.Card
	}
	return method
}

// ReasonText is why an attempt failed.
func (t paymentPageTexts) ReasonText(reason string) string {
	return t.Reasons[acquirer.ParseReason(reason)]
}

// KindPill names an exception.
func (t decisionTexts) KindPill(k projections.Kind) pill {
	switch k {
	case projections.KindLate:
		return pill{t.Late, "late"}
	case projections.KindDuplicate:
		return pill{t.Duplicate, "late"}
	}
	panic("view: unknown kind of exception")
}

// KindText explains an exception.
func (t decisionTexts) KindText(k projections.Kind) string {
	switch k {
	case projections.KindLate:
		return t.LateWhat
	case projections.KindDuplicate:
		return t.DuplicateWhat
	}
	panic("view: unknown kind of exception")
}

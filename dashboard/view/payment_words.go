package view

import (
	"cmp"
	"html/template"
	"strings"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/ledger"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
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

// Event says in a few words what an event was, in the colour of its kind.
func (t paymentPageTexts) Event(h HistoryEntry) pill {
	switch e := h.Event.(type) {
	case domain.Created:
		return pill{t.Created, "wait"}
	case domain.AttemptStarted:
		return pill{t.AttemptStarted, "wait"}
	case domain.AttemptFailed:
		return pill{t.AttemptFailed, "off"}
	case domain.Succeeded:
		return pill{t.Succeeded, "ok"}
	case domain.Expired:
		if e.Stopped {
			return pill{t.Stopped, "off"}
		}
		return pill{t.Expired, "off"}
	case domain.LateSucceeded:
		return pill{t.LateSucceeded, "late"}
	case domain.DuplicatePayment:
		return pill{t.DuplicatePayment, "late"}
	case domain.RefundRecorded:
		return pill{t.RefundRecorded, "off"}
	}
	panic("view: unknown event")
}

// Facts are the contents of the event. An amount is told where it is another than the
// payment's.
func (r rendering) Facts(h HistoryEntry, p PaymentPage) []fact {
	t, l := r.T.Payment, r.Lang
	money := func(m domain.Money, provider string) (facts []fact) {
		if m != p.Amount {
			facts = append(facts, fact{t.Amount, locale.AmountHTML(l, m)})
		}
		if provider != "" {
			facts = append(facts, fact{t.ProviderReference, monospace(provider)})
		}
		return facts
	}
	switch e := h.Event.(type) {
	case domain.Created:
		return nil // the payment's own
	case domain.AttemptStarted:
		facts := []fact{{t.Method, isolated(t.MethodName(e.Method))}, {t.Acquirer, monospace(e.Acquirer)}}
		if e.Payer != "" {
			facts = append(facts, fact{t.Payer, monospace(e.Payer)})
		}
		return facts
	case domain.AttemptFailed:
		return []fact{{t.Reason, isolated(t.ReasonText(e.Reason))}}
	case domain.Succeeded:
		return money(e.Amount, e.ProviderReference)
	case domain.Expired:
		return nil
	case domain.LateSucceeded:
		return money(e.Amount, e.ProviderReference)
	case domain.DuplicatePayment:
		return money(e.Amount, e.ProviderReference)
	case domain.RefundRecorded:
		evidence := r.T.Refunds.ByPerson
		if e.Evidence == domain.EvidenceAcquirer {
			evidence = r.T.Refunds.ByAnswer
		}
		return append(money(e.Amount, e.ProviderReference), fact{r.T.Refunds.Evidence, isolated(evidence)})
	}
	panic("view: unknown event")
}

// Actor says who caused an event.
func (r rendering) Actor(h HistoryEntry, p PaymentPage) template.HTML {
	t := r.T.Payment
	kind, name, _ := strings.Cut(h.Actor, ":")
	switch {
	case kind == "user":
		return template.HTML(template.HTMLEscapeString(t.ByMember)+" ") + monospace(cmp.Or(p.Name(h), name)) //nolint:gosec // escaped
	case kind == "application":
		for _, a := range p.Applications {
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

// MethodName is a payment method as customers know it; its stored name where no acquirer has it
// any more.
func (t paymentPageTexts) MethodName(method string) string {
	if _, words, known := registry.OfMethod(acquirer.Method(method)); known {
		return words.Label.Using(t.say)
	}
	return method
}

// ReasonText is why an attempt failed.
func (t paymentPageTexts) ReasonText(reason string) string {
	return t.Reasons[acquirer.ParseReason(reason)]
}

// kindTexts are the name of an exception and what it means.
type kindTexts struct{ Name, Meaning string }

// KindTexts says what an exception is.
func (t decisionTexts) KindTexts(k projections.Kind) kindTexts {
	switch k {
	case projections.KindLate:
		return kindTexts{t.Late, t.LateWhat}
	case projections.KindDuplicate:
		return kindTexts{t.Duplicate, t.DuplicateWhat}
	}
	panic("view: unknown kind of exception")
}

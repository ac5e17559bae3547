package view

import (
	"cmp"
	"html/template"
	"strings"

	"daftar/domain"
	"daftar/facts"
	"daftar/internal/locale"
	"daftar/ledger"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
	"daftar/payments/refunds"
	"daftar/projections"
)

// fact is a line of a list of facts.
type fact struct {
	Name  string
	Value template.HTML
}

// escaped is text of ours.
func escaped(text string) template.HTML {
	return template.HTML(template.HTMLEscapeString(text)) //nolint:gosec // escaped
}

// isolated is text that a person wrote, isolated from the direction of the text around it.
func isolated(text string) template.HTML {
	return template.HTML("<bdi>" + template.HTMLEscapeString(text) + "</bdi>") //nolint:gosec // escaped
}

// monospace is an identifier, from left to right.
func monospace(text string) template.HTML {
	//nolint:gosec // escaped
	return template.HTML(`<bdi dir="ltr" class="mono">` + template.HTMLEscapeString(text) + "</bdi>")
}

// Event is the title of an event, in the colour of its kind.
func (r rendering) Event(h HistoryEntry) pill {
	title := facts.Title(h.Event)
	return pill{title.In(r.Lang), title.Colour}
}

// Facts are the contents of the event. An amount is shown only if it differs from the payment's.
func (r rendering) Facts(h HistoryEntry, p PaymentPage) (lines []fact) {
	t, details := r.T.Payment, facts.DetailsOf(h.Event)
	add := func(name string, value template.HTML) { lines = append(lines, fact{name, value}) }
	if details.Acquirer != "" {
		add(t.Method, isolated(t.MethodName(details.Method)))
		add(t.Acquirer, isolated(r.T.Acquirers.Name(details.Acquirer)))
	}
	if details.Payer != "" {
		add(t.Payer, monospace(details.Payer))
	}
	if details.Amount != p.Amount && details.Amount != (domain.Money{}) {
		add(t.Amount, locale.AmountHTML(r.Lang, details.Amount))
	}
	if details.ProviderReference != "" {
		add(t.ProviderReference, monospace(details.ProviderReference))
	}
	switch {
	case details.Reason != "" && details.Refund != (domain.RefundID{}):
		add(t.Reason, isolated(r.T.Refunds.TroubleText(refunds.TroubleOf(details.Reason))))
	case details.Reason != "" && details.Attempt != "":
		add(t.Reason, isolated(t.ReasonText(details.Reason)))
	}
	if details.Evidence == domain.EvidenceAcquirer {
		add(r.T.Refunds.Evidence, isolated(r.T.Refunds.ByAnswer))
	} else if details.Evidence != "" {
		add(r.T.Refunds.Evidence, isolated(r.T.Refunds.ByPerson))
	}
	return lines
}

// Member is the name of a member of whom the ledger has only the id.
func (r rendering) Member(actor string, p PaymentPage) template.HTML {
	_, id, _ := strings.Cut(actor, ":")
	return monospace(cmp.Or(p.Names[actor], id))
}

// Actor is the name of the actor who caused an event.
func (r rendering) Actor(h HistoryEntry, p PaymentPage) template.HTML {
	t := r.T.Payment
	kind, name, _ := strings.Cut(h.Actor, ":")
	switch {
	case kind == "user":
		return escaped(t.ByMember+" ") + monospace(cmp.Or(p.Name(h), name))
	case kind == "application":
		for _, a := range p.Applications {
			if a.ID.String() == name {
				name = a.Name
			}
		}
		return r.byApplication(name)
	case h.Actor == "payer":
		return template.HTML(template.HTMLEscapeString(t.ByPayer)) //nolint:gosec // escaped
	case kind == "acquirer":
		by := template.HTMLEscapeString(t.ByAcquirer) + " "
		return template.HTML(by) + isolated(r.T.Acquirers.Name(name)) //nolint:gosec // escaped
	case h.Actor == ledger.ActorExpiry:
		return template.HTML(template.HTMLEscapeString(t.ByExpiry)) //nolint:gosec // escaped
	case kind == "operator":
		by := template.HTMLEscapeString(t.ByOperator) + " "
		return template.HTML(by) + isolated(name) //nolint:gosec // escaped
	}
	return monospace(h.Actor)
}

func (r rendering) byApplication(name string) template.HTML {
	by := template.HTMLEscapeString(r.T.Payment.ByApplication) + " "
	return template.HTML(by) + isolated(name) //nolint:gosec // escaped
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

// MethodName is the public name of a payment method; the stored name if no acquirer has it any more.
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

// KindTexts are the texts of a kind of exception.
func (t decisionTexts) KindTexts(k projections.Kind) kindTexts {
	switch k {
	case projections.KindLate:
		return kindTexts{t.Late, t.LateWhat}
	case projections.KindDuplicate:
		return kindTexts{t.Duplicate, t.DuplicateWhat}
	}
	panic("view: unknown kind of exception")
}

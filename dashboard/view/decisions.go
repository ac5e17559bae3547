package view

import (
	"errors"
	"strconv"
	"time"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/decisions"
	"daftar/payments/refunds"
)

func decisionNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"decided": say("حُفظ القرار.", "Decision saved."),
		"decided-already": say("سبق أن قرّر أحدهم في هذا أو رُدّ المبلغ كله، وبقي ذلك كما هو.",
			"Someone had decided about this before, or all of the money had gone back; that stands."),
		"decided-refunding": say("لم يُحفظ القرار: ردّ هذا المبلغ قيد التنفيذ. انتظر نتيجته قبل أن تردّه بطريقة "+
			"أخرى، كي لا يُردّ مرتين.",
			"The decision was not kept: a refund of this money is under way. Wait for its outcome before you "+
				"give it back in another way, or it goes back twice."),
	}
}

// ExceptionRow is late or duplicate money, which needs a decision or has one.
type ExceptionRow struct {
	decisions.Exception
	Application string
	// Paid is the attempt whose money it is, and ProviderReference is the acquirer's
	// number of it: both are needed to give it back.
	Paid              domain.Attempt
	ProviderReference string
	Form              decisions.Decision // as it was typed, if it has to be corrected
	Refunds           []refunds.Refund   // of this money
}

// Field is the id of a field of the form.
func (x ExceptionRow) Field(name string) string {
	return name + "-" + x.Intent.String() + "-" + strconv.Itoa(x.Version)
}

// Corrections are the form's errors for an error of decisions.Decide; none: the user cannot correct it.
func (x ExceptionRow) Corrections(err error) (wrong FormErrors) {
	for _, one := range []struct {
		err   error
		field string
		text  func(t *decisionTexts) string
	}{
		{decisions.ErrKind, "kind", func(t *decisionTexts) string { return t.WhatMissing }},
		{decisions.ErrReference, "reference", func(t *decisionTexts) string { return t.ReferenceLong }},
		{decisions.ErrNote, "note", func(t *decisionTexts) string {
			if len([]rune(x.Form.Note)) > decisions.MaxNote {
				return t.NoteLong
			}
			return t.NoteMissing
		}},
		{decisions.ErrInformed, "informed", func(t *decisionTexts) string { return t.InformedLong }},
	} {
		if errors.Is(err, one.err) {
			text := func(t *Texts) string { return one.text(&t.Decisions) }
			wrong = append(wrong, formError{x.Field(one.field), text})
		}
	}
	return wrong
}

// DecisionsPage has the money that waits for a decision, and the latest decisions.
type DecisionsPage struct {
	FormErrors
	Now     time.Time
	Open    []ExceptionRow
	Total   int
	Decided []ExceptionRow
	// Unknown is how many outcomes are unknown, up to MaxCounted.
	Unknown int
}

func (DecisionsPage) head(t *Texts) (template, title string) {
	return "decisions", t.Sections[SectionDecisions]
}

// More is the number of waiting rows that are not shown.
func (p DecisionsPage) More() int { return p.Total - len(p.Open) }

// Corrects reports whether one of the fields of the form has to be corrected.
func (p DecisionsPage) Corrects(x ExceptionRow) bool {
	for _, one := range p.FormErrors {
		for _, name := range []string{"kind", "reference", "note", "informed"} {
			if one.field == x.Field(name) {
				return true
			}
		}
	}
	return false
}

// decisionChoice is a kind of decision in a form.
type decisionChoice struct {
	Kind, Name, Meaning string
	Chosen              bool
}

// DecisionKinds are the choices of the form.
func (r rendering) DecisionKinds(chosen decisions.Kind) []decisionChoice {
	var all []decisionChoice
	for _, k := range decisions.Kinds {
		t := r.T.Decisions.Kinds[k]
		all = append(all, decisionChoice{string(k), t.Name, t.Meaning, k == chosen})
	}
	return all
}

// DecisionPill is the decision in a word, in its colour.
func (t decisionTexts) DecisionPill(k decisions.Kind) pill {
	switch k {
	case decisions.Refunded:
		return pill{t.Kinds[k].Name, "off"}
	case decisions.Delivered:
		return pill{t.Kinds[k].Name, "ok"}
	case decisions.Other:
		return pill{t.Kinds[k].Name, "wait"}
	}
	return pill{string(k), "wait"} // of a later release
}

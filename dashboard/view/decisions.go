package view

import (
	"strconv"

	"daftar/checkout"
	"daftar/domain"
	"daftar/projections"
	"daftar/refunds"
)

var decisionNotices = map[string]notice{
	"decided":         {"حُفظ القرار مع ملاحظتك.", "The decision was kept, with your note."},
	"decided-already": {"سبق أن قرّر أحدهم في هذا، وبقي قراره كما هو.", "Somebody had decided about this before, and that decision stands."},
}

// ExceptionRow is money that somebody must decide about, or did.
type ExceptionRow struct {
	projections.Exception
	Application string
	// Paid is the attempt whose money it is, and ProviderReference is what the
	// acquirer calls it: what is needed to give it back.
	Paid              domain.Attempt
	ProviderReference string
	Note              string           // as it was typed, where it has to be corrected
	Refunds           []refunds.Refund // of this money
}

// Field is the id of the field for the note.
func (x ExceptionRow) Field() string {
	return "note-" + x.Intent.String() + "-" + strconv.Itoa(x.Version)
}

// DecisionsPage is what waits for a decision, and what was decided last.
type DecisionsPage struct {
	FormErrors
	Open    []ExceptionRow
	Total   int
	Decided []ExceptionRow
	// Quarantined are attempts whose acquirer's words do not match ours.
	Quarantined []checkout.Listed
}

func (DecisionsPage) head(t *Texts) (template, title string) {
	return "decisions", t.Sections.Decisions
}

// More is how many wait beside those that are shown.
func (p DecisionsPage) More() int { return p.Total - len(p.Open) }

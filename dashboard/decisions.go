package dashboard

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/projections"
)

var decisionRoutes = []route{
	{method: http.MethodGet, path: of + "/decisions", access: member, needs: accounts.SeePayments, handle: (*Dashboard).listDecisions},
	{method: http.MethodPost, path: of + "/decisions/{payment}/{version}", access: member, needs: accounts.DecidePayments, handle: (*Dashboard).decide},
}

var decisionNotices = map[string]notice{
	"decided":         {"حُفظ القرار مع ملاحظتك.", "The decision was kept, with your note."},
	"decided-already": {"سبق أن قرّر أحدهم في هذا، وبقي قراره كما هو.", "Somebody had decided about this before, and that decision stands."},
}

// actionDecide is what the audit trail calls a decision.
const actionDecide accounts.Action = "payment.decide"

const (
	openOnPage    = 50
	decidedOnPage = 20
)

// exceptionRow is money that somebody must decide about, or did.
type exceptionRow struct {
	projections.Exception
	Application string
	// Paid is the attempt whose money it is, and ProviderReference is what the
	// acquirer calls it: what is needed to give it back.
	Paid              domain.Attempt
	ProviderReference string
	Note              string // as it was typed, where it has to be corrected
}

// Field is the id of the field for the note.
func (x exceptionRow) Field() string {
	return "note-" + x.Intent.String() + "-" + strconv.Itoa(x.Version)
}

// decisionsPage is what waits for a decision, and what was decided last.
type decisionsPage struct {
	flaws
	Open    []exceptionRow
	Total   int
	Decided []exceptionRow
}

func (decisionsPage) Template() string { return "decisions" }

func (decisionsPage) title(t *texts) string { return t.Sections.Decisions }

// More is how many wait beside those that are shown.
func (p decisionsPage) More() int { return p.Total - len(p.Open) }

// waiting is how many payments of the organisation wait for somebody's decision,
// up to maxCounted.
func (d *Dashboard) waiting(v *visit) (int, error) {
	if v.organization == (organization{}) {
		return 0, nil
	}
	return d.payments.Undecided(v.ctx, uuid.UUID(v.organization.ID), maxCounted)
}

func (d *Dashboard) listDecisions(v *visit) error {
	p, err := d.decisionsPage(v)
	if err != nil {
		return err
	}
	return v.show(sectionDecisions, p)
}

func (d *Dashboard) decisionsPage(v *visit) (decisionsPage, error) {
	org := uuid.UUID(v.organization.ID)
	applications, err := d.accounts.Applications(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return decisionsPage{}, err
	}
	open, total, err := d.payments.ToDecide(v.ctx, org, openOnPage)
	if err != nil {
		return decisionsPage{}, err
	}
	decided, err := d.payments.Decided(v.ctx, org, decidedOnPage)
	if err != nil {
		return decisionsPage{}, err
	}
	p := decisionsPage{Total: total}
	for _, x := range open {
		row, err := d.exceptionRow(v, x, applications)
		if err != nil {
			return decisionsPage{}, err
		}
		p.Open = append(p.Open, row)
	}
	for _, x := range decided {
		p.Decided = append(p.Decided, exceptionRow{Exception: x, Application: nameOf(applications, x.Application)})
	}
	return p, nil
}

func (d *Dashboard) exceptionRow(v *visit, x projections.Exception, applications []accounts.Application) (exceptionRow, error) {
	row := exceptionRow{Exception: x, Application: nameOf(applications, x.Application)}
	events, err := d.history(v, x.Intent)
	if err != nil {
		return exceptionRow{}, err
	}
	for _, h := range events {
		if h.Version != x.Version {
			continue
		}
		row.Paid, _ = h.After.Attempt(x.Attempt)
		if e, late := h.Event.(domain.LateSucceeded); late {
			row.ProviderReference = e.ProviderReference
		}
		if e, double := h.Event.(domain.DuplicatePayment); double {
			row.ProviderReference = e.ProviderReference
		}
	}
	return row, nil
}

func (d *Dashboard) decide(v *visit) error {
	id, err := domain.ParseIntentID(v.variable("payment"))
	if err != nil {
		return errNoPage
	}
	version, err := strconv.Atoi(v.variable("version"))
	if err != nil {
		return errNoPage
	}
	note := strings.ReplaceAll(v.field("note"), "\r\n", "\n")
	err = d.accounts.Do(v.ctx, v.by, v.organization.ID, accounts.DecidePayments, func(tx pgx.Tx) (accounts.Entry, error) {
		entry := accounts.Entry{
			Action: actionDecide, Subject: "payment", SubjectID: uuid.UUID(id), Detail: map[string]any{"version": version, "note": note},
		}
		return entry, projections.Decide(v.ctx, tx, uuid.UUID(v.organization.ID), id, version, projections.Decision{
			At: d.now(), By: v.by.Name, Note: note,
		})
	})
	switch {
	case errors.Is(err, projections.ErrNothingToDecide):
		return errNoPage
	case errors.Is(err, projections.ErrDecided):
		v.done(v.in("decisions"), "decided-already")
		return nil
	case errors.Is(err, projections.ErrNote):
		return d.correctNote(v, id, version, note)
	case err != nil:
		return err
	}
	v.done(v.in("decisions"), "decided")
	return nil
}

// correctNote shows the page again. A note for what is no longer there is one for
// what does not exist.
func (d *Dashboard) correctNote(v *visit, id domain.IntentID, version int, note string) error {
	p, err := d.decisionsPage(v)
	if err != nil {
		return err
	}
	for n := range p.Open {
		if x := &p.Open[n]; x.Intent == id && x.Version == version {
			x.Note = note
			p.flaws = flaws{{x.Field(), func(t *texts) string {
				if utf8.RuneCountInString(note) > projections.MaxNote {
					return t.Decisions.NoteLong
				}
				return t.Decisions.NoteMissing
			}}}
			return v.correct(sectionDecisions, p)
		}
	}
	return errNoPage
}

package dashboard

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daftar/accounts"
	"daftar/internal/plaintext"
	"daftar/projections"
)

var auditRoutes = []route{
	{method: http.MethodGet, path: of + "/audit", access: member, needs: accounts.SeeAudit, handle: (*Dashboard).audit},
}

// unknownActor is whom the trail names where somebody proved nothing.
const unknownActor = "unknown"

// auditPage is how many records a page shows.
const auditPage = 50

// auditFilter is what the form above the list says, as it was typed.
type auditFilter struct{ Actor, Action, Outcome, Since, Until string }

func auditFilterOf(q url.Values) auditFilter {
	f := auditFilter{Actor: q.Get("actor"), Action: q.Get("action"), Outcome: q.Get("outcome"), Since: q.Get("since"), Until: q.Get("until")}
	f.Actor = strings.TrimSpace(plaintext.MakeStorable(f.Actor, ""))
	if _, known := actionWords[accounts.Action(f.Action)]; !known {
		f.Action = ""
	}
	switch accounts.Outcome(f.Outcome) {
	case accounts.Done, accounts.Denied, accounts.Failed:
	default:
		f.Outcome = ""
	}
	return f
}

// query is the filter in an address, with the place in the list.
func (f auditFilter) query(before int64) string {
	q := url.Values{}
	for name, value := range map[string]string{
		"actor": f.Actor, "action": f.Action, "outcome": f.Outcome, "since": f.Since, "until": f.Until,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if before > 0 {
		q.Set("before", strconv.FormatInt(before, 10))
	}
	if len(q) == 0 {
		return "audit"
	}
	return "audit?" + q.Encode()
}

// auditView is a page of the trail.
type auditView struct {
	Filter  auditFilter
	Records []accounts.AuditRecord
	Older   int64  // the position after which the next page begins; 0: none
	Later   bool   // this is not the first page
	BadDay  string // id of the field with a day that is none
}

func (auditView) Template() string { return "audit" }

func (auditView) title(t *texts) string { return t.Sections.Audit }

// Problems implements correctable.
func (a auditView) Problems(t *texts) []problem {
	if a.BadDay == "" {
		return nil
	}
	return []problem{{a.BadDay, t.Audit.BadDay}}
}

// OlderPath and NewestPath are below the organisation.
func (a auditView) OlderPath() string { return a.Filter.query(a.Older) }

// NewestPath is the first page under the same filter.
func (a auditView) NewestPath() string { return a.Filter.query(0) }

// Filtered says whether something is left out.
func (a auditView) Filtered() bool { return a.Filter != auditFilter{} }

// option is a choice of a select element.
type option struct {
	Value, Name string
	Chosen      bool
}

// Actions are the choices of the filter, by their names.
func (a auditView) Actions(t *texts) []option {
	var all []option
	for action, name := range t.Audit.Actions {
		all = append(all, option{string(action), name, string(action) == a.Filter.Action})
	}
	slices.SortFunc(all, func(x, y option) int { return cmp.Compare(x.Name, y.Name) })
	return all
}

// Outcomes are the choices of the filter.
func (a auditView) Outcomes(t *texts) []option {
	var all []option
	for _, o := range []accounts.Outcome{accounts.Done, accounts.Failed, accounts.Denied} {
		all = append(all, option{string(o), t.Audit.outcome(o).Text, string(o) == a.Filter.Outcome})
	}
	return all
}

// Did is what was done, in words; what has none, as it is stored.
func (auditView) Did(t *texts, r accounts.AuditRecord) string {
	if words, known := t.Audit.Actions[r.Action]; known {
		return words
	}
	return string(r.Action)
}

// Who is the address of a user, or a word for who has none.
func (auditView) Who(t *texts, r accounts.AuditRecord) string {
	if name, is := strings.CutPrefix(r.Actor, "operator:"); is {
		return t.Audit.Operator + " (" + name + ")"
	}
	if r.Actor == unknownActor {
		return t.Audit.Unknown
	}
	return r.Actor
}

// How says how it ended.
func (auditView) How(t *texts, r accounts.AuditRecord) pill { return t.Audit.outcome(r.Outcome) }

// particular is one of a record.
type particular struct{ Name, Value string }

// Facts are the particulars of a record, in a fixed order.
func (auditView) Facts(t *texts, r accounts.AuditRecord) []particular {
	var all []particular
	for _, name := range slices.Sorted(maps.Keys(r.Detail)) {
		if value := t.detail(name, r.Detail[name]); value != "" {
			all = append(all, particular{t.Audit.name(name), value})
		}
	}
	return all
}

func (d *Dashboard) audit(v *visit) error {
	q := v.r.URL.Query()
	view := auditView{Filter: auditFilterOf(q)}
	f := accounts.TrailFilter{
		Actor: view.Filter.Actor, Action: accounts.Action(view.Filter.Action), Outcome: accounts.Outcome(view.Filter.Outcome),
		Limit: auditPage + 1,
	}
	if text := view.Filter.Since; text != "" {
		day, err := projections.ParseDay(text)
		if err != nil {
			view.BadDay, view.Filter.Since = "since", ""
			return v.correct(sectionAudit, view)
		}
		f.Since = day.Start()
	}
	if text := view.Filter.Until; text != "" {
		day, err := projections.ParseDay(text)
		if err != nil {
			view.BadDay, view.Filter.Until = "until", ""
			return v.correct(sectionAudit, view)
		}
		f.Until = day.Add(1).Start()
	}
	if before, err := strconv.ParseInt(q.Get("before"), 10, 64); err == nil && before > 0 {
		f.Before, view.Later = before, true
	}
	var err error
	if view.Records, err = d.accounts.Trail(v.ctx, v.by, v.organization.ID, f); err != nil {
		return fmt.Errorf("show audit trail: %w", err)
	}
	if len(view.Records) > auditPage {
		view.Records = view.Records[:auditPage]
		view.Older = view.Records[auditPage-1].Position
	}
	return v.show(sectionAudit, view)
}

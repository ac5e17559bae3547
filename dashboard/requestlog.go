package dashboard

import (
	"slices"
	"strconv"
	"strings"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/requestlog"
)

var _ = declare(
	get("/applications/{application}/requests", member(accounts.SeeDevelopers),
		loaded(view.SectionApplications, (*Dashboard).requestLog)),
)

const requestsOnPage = 50

// requestLog shows the last requests of an application. There are a thousand at most, so all
// are read and filtered here.
func (d *Dashboard) requestLog(req *request) (p view.RequestsPage, err error) {
	q := req.r.URL.Query()
	p.Form = view.RequestsForm{
		Class: q.Get("class"),
		Kind:  q.Get("kind"),
		ID:    strings.TrimSpace(q.Get("id")),
		After: q.Get("after"),
	}
	applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
	if err != nil {
		return p, err
	}
	at := slices.IndexFunc(applications, func(a accounts.Application) bool { return a.ID == req.application })
	if at < 0 || !slices.Contains(view.RequestClasses, p.Form.Class) {
		return p, errNoPage
	}
	p.Application = applications[at]
	all, err := d.config.Requests.Latest(req.ctx, req.by, req.organization.ID, req.application)
	if err != nil {
		return p, err
	}
	for _, r := range all {
		if kind := view.RequestRow(r).Kind(); !slices.Contains(p.Kinds, kind) {
			p.Kinds = append(p.Kinds, kind)
		}
	}
	slices.Sort(p.Kinds)
	p.Rows, p.Found, p.Older = pickRequests(all, p.Form)
	return p, nil
}

// pickRequests filters the requests by the form, and returns a page of them, how many fit the
// filter, and the place of the next page.
func pickRequests(
	all []requestlog.Request, f view.RequestsForm,
) (page []view.RequestRow, found int, older string) {
	var rows []view.RequestRow
	for _, r := range all {
		row := view.RequestRow(r)
		fits := (f.Class == "" || row.Class() == f.Class) &&
			(f.Kind == "" || row.Kind() == f.Kind) &&
			(f.ID == "" || r.ID == f.ID)
		if fits {
			rows = append(rows, row)
		}
	}
	found = len(rows)
	// If the last request of the previous page is gone, the list starts again.
	after, _ := strconv.ParseInt(f.After, 10, 64)
	last := slices.IndexFunc(rows, func(r view.RequestRow) bool { return after != 0 && r.Ordinal == after })
	rows = rows[last+1:]
	if len(rows) > requestsOnPage {
		rows = rows[:requestsOnPage]
		older = strconv.FormatInt(rows[requestsOnPage-1].Ordinal, 10)
	}
	return rows, found, older
}

package dashboard

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/internal/plaintext"
	"daftar/projections"
)

var auditRoutes = []route{
	{method: http.MethodGet, path: inOrganization + "/audit", access: member, needs: accounts.SeeAudit, handle: (*Dashboard).audit},
}

// auditPage is how many records a page shows.
const auditPage = 50

func auditFilterOf(q url.Values) view.AuditFilter {
	f := view.AuditFilter{Actor: q.Get("actor"), Action: q.Get("action"), Outcome: q.Get("outcome"), Since: q.Get("since"), Until: q.Get("until")}
	f.Actor = strings.TrimSpace(plaintext.MakeStorable(f.Actor, ""))
	if _, known := view.ActionWords[accounts.Action(f.Action)]; !known {
		f.Action = ""
	}
	switch accounts.Outcome(f.Outcome) {
	case accounts.Done, accounts.Denied, accounts.Failed:
	default:
		f.Outcome = ""
	}
	return f
}

func (d *Dashboard) audit(req *request) error {
	q := req.r.URL.Query()
	page := view.AuditPage{Filter: auditFilterOf(q)}
	f := accounts.TrailFilter{
		Actor: page.Filter.Actor, Action: accounts.Action(page.Filter.Action), Outcome: accounts.Outcome(page.Filter.Outcome),
		Limit: auditPage + 1,
	}
	if text := page.Filter.Since; text != "" {
		day, err := projections.ParseDay(text)
		if err != nil {
			page.BadDay, page.Filter.Since = "since", ""
			return req.showInvalid(view.SectionAudit, page)
		}
		f.Since = day.Start()
	}
	if text := page.Filter.Until; text != "" {
		day, err := projections.ParseDay(text)
		if err != nil {
			page.BadDay, page.Filter.Until = "until", ""
			return req.showInvalid(view.SectionAudit, page)
		}
		f.Until = day.Add(1).Start()
	}
	if before, err := strconv.ParseInt(q.Get("before"), 10, 64); err == nil && before > 0 {
		f.Before, page.Later = before, true
	}
	var err error
	if page.Records, err = d.config.Accounts.Trail(req.ctx, req.by, req.organization.ID, f); err != nil {
		return fmt.Errorf("show audit trail: %w", err)
	}
	if len(page.Records) > auditPage {
		page.Records = page.Records[:auditPage]
		page.Older = page.Records[auditPage-1].Position
	}
	return req.show(view.SectionAudit, page)
}

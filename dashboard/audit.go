package dashboard

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/plaintext"
)

var _ = declare(
	get("/audit", member(accounts.SeeAudit), loaded(view.SectionAudit, (*Dashboard).audit)),
)

// auditPage is the number of records on a page.
const auditPage = 50

func auditFilterOf(q url.Values) view.AuditFilter {
	f := view.AuditFilter{
		Actor:   q.Get("actor"),
		Action:  q.Get("action"),
		Outcome: q.Get("outcome"),
		Since:   q.Get("since"),
		Until:   q.Get("until"),
	}
	f.Actor = strings.TrimSpace(plaintext.MakeStorable(f.Actor, ""))
	if !view.KnownAction(accounts.Action(f.Action)) {
		f.Action = ""
	}
	switch accounts.Outcome(f.Outcome) {
	case accounts.Done, accounts.Denied, accounts.Failed:
	default:
		f.Outcome = ""
	}
	return f
}

func (d *Dashboard) audit(req *request) (page view.AuditPage, err error) {
	q := req.r.URL.Query()
	page.Filter = auditFilterOf(q)
	f := accounts.TrailFilter{
		Actor:   page.Filter.Actor,
		Action:  accounts.Action(page.Filter.Action),
		Outcome: accounts.Outcome(page.Filter.Outcome),
		Limit:   auditPage + 1,
	}
	dayStart := func(field string, typed *string, later int) time.Time {
		day, err := domain.ParseDay(*typed)
		if *typed != "" && err != nil {
			page.FormErrors = append(page.FormErrors, view.BadDay(field, *typed)...)
			*typed = ""
		}
		if *typed == "" {
			return time.Time{}
		}
		return day.Add(later).Start()
	}
	f.Since, f.Until = dayStart("since", &page.Filter.Since, 0), dayStart("until", &page.Filter.Until, 1)
	if len(page.FormErrors) > 0 {
		return page, nil
	}
	if before, err := strconv.ParseInt(q.Get("before"), 10, 64); err == nil && before > 0 {
		f.Before, page.Later = before, true
	}
	if page.Records, err = d.config.Accounts.Trail(req.ctx, req.by, req.organization.ID, f); err != nil {
		return page, fmt.Errorf("show audit trail: %w", err)
	}
	if len(page.Records) > auditPage {
		page.Records = page.Records[:auditPage]
		page.Older = page.Records[auditPage-1].Position
	}
	return page, nil
}

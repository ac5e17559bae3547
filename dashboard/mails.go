package dashboard

import (
	"errors"
	"strconv"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/notices"
)

// endMailsPath is that of view.EndMails.
const endMailsPath = "/mails/{token}"

var _ = declare(
	get("/mails", member(accounts.SeePayments), loaded(view.SectionAccount, (*Dashboard).mailsPage)),
	post("/mails", member(accounts.SeePayments), (*Dashboard).chooseMails),
	get(endMailsPath, anyone, loaded(view.SectionNone, (*Dashboard).endMailsPage)),
	post(endMailsPath, anyone, (*Dashboard).endMails),
)

func (d *Dashboard) mailsPage(req *request) (p view.MailsPage, err error) {
	p = view.MailsPage{
		On: d.config.Notices.On(), Email: req.user.Email, Sums: req.role.Allows(accounts.SeeMoney),
	}
	p.Standing, err = d.config.Notices.Preferences(req.ctx, req.by, req.organization.ID)
	return p, err
}

func (d *Dashboard) chooseMails(req *request) error {
	p, err := d.mailsPage(req)
	if err != nil {
		return err
	}
	p.Preferences = notices.Preferences{
		Payments: req.field("payments") != "", Decisions: req.field("decisions") != "",
	}
	if text := req.field("daily"); text != "" {
		hour, err := strconv.Atoi(text)
		if err != nil {
			hour = -1
		}
		p.Daily = &hour
	}
	err = d.config.Notices.Choose(req.ctx, req.by, req.organization.ID, p.Preferences)
	switch {
	case errors.Is(err, notices.ErrOff):
		return errNoPage
	case errors.Is(err, notices.ErrHour):
		p.Daily, p.NextDaily, p.FormErrors = nil, nil, view.BadMailHour
		return req.show(view.SectionAccount, p)
	}
	notice := "mails-chosen"
	if !p.Any() {
		notice = "mails-ended"
	}
	return req.doneUnless(err, req.in("mails"), notice)
}

// endMailsPage is the page of the link in each mail. Opening it changes nothing: programs that look through
// mails open links too. Its address must not appear in a referrer.
func (d *Dashboard) endMailsPage(req *request) (view.EndMailsPage, error) {
	req.w.Header().Set("Referrer-Policy", "strict-origin")
	link, err := d.config.Notices.Link(req.ctx, req.variable("token"))
	if errors.Is(err, notices.ErrNoLink) {
		err = errNoPage
	}
	p := view.EndMailsPage{Link: link}
	req.page = p.Path()
	return p, err
}

// endMails answers programs that handle mail too, which send no cookie and follow no redirect (RFC 8058).
func (d *Dashboard) endMails(req *request) error {
	p, err := d.endMailsPage(req)
	if err != nil {
		return err
	}
	if err := d.config.Notices.End(req.ctx, req.by, p.Link); err != nil {
		return err
	}
	p.Ended = true
	return req.show(view.SectionNone, p)
}

package dashboardstories

import (
	"time"

	"daftar/dashboard/view"
	"daftar/notices"
)

// mailStories are the pages on which members choose what they are told by mail, and end it.
func mailStories() []Story {
	at := func(p view.MailsPage) page {
		p.On, p.Email, p.Sums = true, ownerIdentity.Email, true
		return inside(view.SectionAccount, p)
	}
	next := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC) // 08:00 in Libya
	chosen := view.MailsPage{Standing: notices.Standing{
		Preferences: notices.Preferences{Payments: true, Decisions: true, Daily: new(8)},
		Chosen:      true, NextDaily: &next,
	}}
	wrong := chosen
	wrong.Daily, wrong.NextDaily, wrong.FormErrors = nil, nil, view.BadMailHour
	support := inside(view.SectionAccount, view.MailsPage{On: true, Email: supportIdentity.Email})
	end := view.EndMailsPage{Link: notices.Link{Recipient: notices.Recipient{
		Email: ownerIdentity.Email, Organization: organization.ID, Name: organization.Name, Token: fixedUUID(95),
	}}}
	ended := end
	ended.Ended = true
	return []Story{
		{"mails", at(view.MailsPage{})},
		{"mails-chosen", at(chosen).after("mails-chosen")},
		{"mails-none", at(view.MailsPage{Standing: notices.Standing{Chosen: true}}).after("mails-ended")},
		{"mails-refused", at(view.MailsPage{Standing: notices.Standing{Chosen: true, Refused: true}})},
		{"mails-hour", at(wrong)},
		{"mails-support", support.seenBy(supportIdentity)},
		{"mails-off", inside(view.SectionAccount, view.MailsPage{Email: ownerIdentity.Email, Sums: true})},
		{"mails-end", page{View: end}},
		{"mails-ended", page{View: ended}},
	}
}

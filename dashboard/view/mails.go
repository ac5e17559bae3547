package view

import (
	"fmt"
	"strconv"

	"daftar/notices"
)

// MailsPage is what a member is told by mail of the organisation.
type MailsPage struct {
	FormErrors
	notices.Standing

	On    bool   // the service sends mail
	Email string // of the member
	Sums  bool   // the member may see sums, and so each payment and the summary of a day
}

// Refused are the errors of the form; those of the mail server are in Standing.
func (p MailsPage) Refused() Refusal { return p.FormErrors.Refused() }

func (MailsPage) head(t *Texts) (template, title string) { return "mails", t.Mails.Title }

// BadMailHour is the error of an hour that is none.
var BadMailHour = FormError("daily", func(t *Texts) string { return t.Mails.BadHour })

// MailHours are the hours of a summary, and first that there is none.
func (r rendering) MailHours() []choice {
	all := []choice{{"", r.T.Mails.NoDaily}}
	for hour := range 24 {
		all = append(all, choice{strconv.Itoa(hour), fmt.Sprintf("%02d:00", hour)})
	}
	return all
}

// Hour is the value of the chosen hour.
func (p MailsPage) Hour() string {
	if p.Daily == nil {
		return ""
	}
	return strconv.Itoa(*p.Daily)
}

// EndMails begins the addresses that end mails.
const EndMails = Root + "/mails/"

// EndMailsPage ends the mails of a member about an organisation.
type EndMailsPage struct {
	notices.Link

	Ended bool
}

func (p EndMailsPage) head(t *Texts) (template, title string) {
	if p.Ended {
		return "mails-ended", t.Mails.EndedTitle
	}
	return "mails-end", t.Mails.EndTitle
}

// Path is its address.
func (p EndMailsPage) Path() string { return EndMails + p.Token.String() }

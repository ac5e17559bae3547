package view

import (
	"slices"
	"strconv"
	"time"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/mail"
	"daftar/notices"
	"daftar/payments/refunds"
	"daftar/webhooks"
)

// Digest is the mail with what a member is told.
func (w Letters) Digest(d notices.Digest) mail.Message {
	return w.notice(d.Recipient, func(w noticeWriter) noticeWords {
		if d.Count == 1 && len(d.Named) == 1 {
			return w.one(d.Named[0])
		}
		return w.several(d)
	})
}

// one is a mail about one thing.
func (w noticeWriter) one(n notices.Notice) noticeWords {
	item := w.item(n, time.Time{})
	p := mailPart{Amount: w.about(n), Text: w.meaning(n)}
	for _, r := range []mailRow{
		{Name: w.t.Payment.Method, Value: w.through(n.Acquirer, n.Method)},
		{Name: w.t.Payment.Payer, Value: locale.MaskMobile(n.Payer)},
		{Name: w.t.Payment.Application, Value: n.Application},
		{Name: w.t.Payment.Title, Value: n.Reference.Capitals()},
		{Name: w.t.Account.When, Value: w.moment(n.At)},
	} {
		// The application of an endpoint is what the mail is about.
		if r.Value != "" && (n.Intent != nil || r.Name != w.t.Payment.Application) {
			p.Rows = append(p.Rows, r)
		}
	}
	p.Button, p.Link = w.t.Mails.ToPayment, item.Link
	if n.Intent == nil {
		p.Button = w.t.Mails.ToWebhooks
	}
	title := w.t.Mails.One[n.Kind]
	return noticeWords{Subject: title + " " + w.about(n), Title: title, Parts: []mailPart{p}}
}

// about is the amount, or the application of an endpoint.
func (w noticeWriter) about(n notices.Notice) string {
	switch {
	case n.Intent != nil:
		return w.amount(n.Amount.Minor, n.Amount.Currency)
	case n.Test:
		return n.Application + " (" + w.t.Shell.Test + ")"
	}
	return n.Application
}

// meaning is what happened and what to do, in the words of the pages about it.
func (w noticeWriter) meaning(n notices.Notice) string {
	switch n.Kind {
	case notices.Late:
		return w.t.Decisions.LateWhat
	case notices.Duplicate:
		return w.t.Decisions.DuplicateWhat
	case notices.UnknownPayment, notices.UnknownRefund:
		return w.t.Mails.UnknownWhat
	case notices.RefundFailed:
		return w.t.Refunds.TroubleText(refunds.TroubleOf(n.Reason))
	case notices.Stopped:
		e := webhooks.Endpoint{DisabledAt: &n.At, Gone: n.Reason == notices.ReasonGone}
		return w.t.Applications.Why(e) + " " + w.t.Webhooks.MailToDo
	case notices.Paid:
	}
	return ""
}

// item is one of several things. Its day is left out if it is that of since.
func (w noticeWriter) item(n notices.Notice, since time.Time) (item mailItem) {
	at := w.moment(n.At)
	if locale.Date(w.lang, n.At) == locale.Date(w.lang, since) {
		at = locale.Clock(n.At)
	}
	item.Title = locale.Isolate(w.about(n))
	if n.Kind != notices.Paid {
		item.Title = w.t.Mails.One[n.Kind] + ": " + item.Title
	}
	if n.Intent == nil {
		mode := domain.ModeLive
		if n.Test {
			mode = domain.ModeTest
		}
		item.Link = w.at(mode, string(SectionWebhooks))
		item.Lines = []string{at, w.meaning(n)}
		return item
	}
	item.Link = w.at(domain.ModeLive, "payments/"+n.Intent.String())
	from := w.through(n.Acquirer, n.Method)
	if n.Payer != "" && from != "" {
		from += " · "
	}
	if n.Payer != "" {
		from += locale.Isolate(locale.MaskMobile(n.Payer))
	}
	if from != "" {
		item.Lines = append(item.Lines, from)
	}
	item.Lines = append(item.Lines,
		locale.Isolate(n.Application)+" · "+locale.Isolate(n.Reference.Capitals())+" · "+at)
	if why := w.meaning(n); n.Kind == notices.RefundFailed && why != "" {
		item.Lines = append(item.Lines, why)
	}
	return item
}

// several is a mail about several things: first what needs a decision, then the payments.
func (w noticeWriter) several(d notices.Digest) (words noticeWords) {
	paid := func(s notices.Sum) bool { return s.Kind == notices.Paid }
	for _, part := range []struct {
		sums  []notices.Sum
		words func([]notices.Sum) mailPart
	}{
		{slices.DeleteFunc(slices.Clone(d.Sums), paid), w.toDecide},
		{slices.DeleteFunc(slices.Clone(d.Sums), func(s notices.Sum) bool { return !paid(s) }), w.received},
	} {
		if len(part.sums) == 0 {
			continue
		}
		p, rest := part.words(part.sums), count(part.sums)
		for _, n := range d.Named {
			if (n.Kind == notices.Paid) == paid(part.sums[0]) {
				p.Items = append(p.Items, w.item(n, d.Since))
				rest--
			}
		}
		switch {
		case rest > 0 && len(p.Items) > 0:
			p.Rest = w.t.Mails.Rest + ": " + strconv.FormatInt(rest, 10)
		case rest <= 0 && !paid(part.sums[0]):
			p.Rows = nil // the items say it
		}
		if words.Subject != "" {
			words.Subject += " · "
		}
		words.Subject += p.Title
		if p.Amount != "" {
			words.Subject += " (" + p.Amount + ")"
		}
		words.Parts = append(words.Parts, p)
	}
	words.Title, words.Since = w.t.Mails.News, w.t.Mails.Since+" "+w.moment(d.Since)
	if len(words.Parts) == 1 {
		words.Title, words.Parts[0].Title = words.Parts[0].Title, ""
	}
	return words
}

func count(sums []notices.Sum) (n int64) {
	for _, s := range sums {
		n += s.Count
	}
	return n
}

// toDecide is the part about what needs a decision. It has no sums of money, which are not for every role
// that is told of decisions.
func (w noticeWriter) toDecide(sums []notices.Sum) (p mailPart) {
	title := w.t.Section(string(SectionDecisions))
	p.Button, p.Link = w.t.Mails.ToPayments, w.at(domain.ModeLive, string(SectionPayments))
	for _, k := range notices.Kinds {
		of := slices.DeleteFunc(slices.Clone(sums), func(s notices.Sum) bool { return s.Kind != k })
		if len(of) == 0 {
			continue
		}
		p.Rows = append(p.Rows, mailRow{Name: w.t.Mails.Several[k], Value: strconv.FormatInt(count(of), 10)})
		if len(of) == len(sums) {
			title, p.Rows = w.t.Mails.Several[k], nil
		}
		switch {
		case k == notices.Stopped && p.Button == w.t.Mails.ToPayments:
			p.Button, p.Link = w.t.Mails.ToWebhooks, w.at(domain.ModeLive, string(SectionWebhooks))
		case k != notices.Stopped && k != notices.RefundFailed:
			p.Button, p.Link = w.t.Mails.ToDecisions, w.at(domain.ModeLive, string(SectionDecisions))
		}
	}
	p.Title = title + ": " + strconv.FormatInt(count(sums), 10)
	return p
}

// received is the part about payments: their sum, by method.
func (w noticeWriter) received(sums []notices.Sum) (p mailPart) {
	p.Title = w.t.Mails.Several[notices.Paid] + ": " + strconv.FormatInt(count(sums), 10)
	p.Button, p.Link = w.t.Mails.ToPayments, w.at(domain.ModeLive, string(SectionPayments))
	var total int64
	for _, s := range sums {
		total += s.Sum
		p.Rows = append(p.Rows, w.methodRow(s.Acquirer, s.Method, s.Total, s.Currency))
	}
	if len(p.Rows) == 1 {
		p.Text, p.Rows = p.Rows[0].Name, nil
	}
	p.Amount = w.amount(total, sums[0].Currency)
	return p
}

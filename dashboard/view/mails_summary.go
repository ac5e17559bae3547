package view

import (
	"cmp"
	"strconv"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/mail"
	"daftar/notices"
	"daftar/projections"
)

// Summary is the mail with a day of the organisation.
func (w Letters) Summary(s notices.Summary) mail.Message {
	return w.notice(s.Recipient, func(w noticeWriter) (words noticeWords) {
		words.Title = w.t.Mails.DayOf + " " + locale.Date(w.lang, noon(s.Day))
		words.Subject = words.Title
		parts := []mailPart{{Text: w.t.Mails.NothingCame}}
		for _, c := range s.Totals {
			if c.Succeeded.Count > 0 {
				parts[0] = w.takings(c, s.Methods)
				words.Subject += ": " + parts[0].Amount
			}
			if rows := w.adjustments(c); len(rows) > 0 {
				parts = append(parts, mailPart{Rows: rows})
			}
		}
		if last := &parts[len(parts)-1]; last.Rows != nil {
			day := MoneyForm{From: s.Day.String(), To: s.Day.String()}
			last.Button, last.Link = w.t.Mails.ToMoney, w.at(domain.ModeLive, "money?"+day.Query())
		}
		parts = append(parts, w.waiting(s))
		words.Parts = parts
		return words
	})
}

// takings is what was paid in one currency, by method.
func (w noticeWriter) takings(c projections.CurrencyFigures, methods []projections.MethodTakings) mailPart {
	p := mailPart{
		Amount: w.amount(c.Succeeded.Sum, c.Currency),
		Text:   w.t.Mails.Several[notices.Paid] + ": " + strconv.FormatInt(c.Succeeded.Count, 10),
	}
	for _, m := range methods {
		if m.Currency == c.Currency {
			p.Rows = append(p.Rows, w.methodRow(m.Acquirer, m.Method, m.Total, m.Currency))
		}
	}
	return p
}

// methodRow is what came by one method.
func (w noticeWriter) methodRow(acquirer, method string, t projections.Total, c domain.Currency) mailRow {
	name := cmp.Or(w.through(acquirer, method), w.t.Mails.OtherMethod)
	return mailRow{name, strconv.FormatInt(t.Count, 10), w.amount(t.Sum, c)}
}

// adjustments are what of it was late, and what is not in it.
func (w noticeWriter) adjustments(c projections.CurrencyFigures) (rows []mailRow) {
	for _, r := range []struct {
		name string
		projections.Total
	}{
		{w.t.Money.Late, c.Late}, {w.t.Mails.Twice, c.Duplicates}, {w.t.Money.Refunded, c.Refunds},
	} {
		if r.Count > 0 {
			rows = append(rows, mailRow{r.name, strconv.FormatInt(r.Count, 10), w.amount(r.Sum, c.Currency)})
		}
	}
	return rows
}

// waiting is what waits when the mail is written.
func (w noticeWriter) waiting(s notices.Summary) mailPart {
	p := mailPart{Title: w.t.Mails.Waits}
	for _, r := range []struct {
		name   string
		count  int
		button string
		to     Section
	}{
		{w.t.Mails.ToDecide, s.ToDecide, w.t.Mails.ToDecisions, SectionDecisions},
		{w.t.Outcomes.Title, s.Unknown, w.t.Mails.ToDecisions, SectionDecisions},
		{w.t.Mails.Several[notices.Stopped], s.Stopped, w.t.Mails.ToWebhooks, SectionWebhooks},
	} {
		if r.count == 0 {
			continue
		}
		row := mailRow{Name: r.name, Value: strconv.Itoa(r.count)}
		if r.count >= notices.MaxCounted {
			row.Value = locale.MoreThan(w.lang, row.Value)
		}
		p.Rows = append(p.Rows, row)
		if p.Link == "" {
			p.Button, p.Link = r.button, w.at(domain.ModeLive, string(r.to))
		}
	}
	if len(p.Rows) == 0 {
		return mailPart{Text: w.t.Mails.NothingWaits}
	}
	return p
}

package view_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/mail"
	"daftar/notices"
	"daftar/projections"
)

const within = "https://pay.example/dashboard/07000000-0000-0000-0000-000000000000/"

// member is who gets the mails.
var member = notices.Recipient{
	Email: "salma@maydan.example", Organization: accounts.OrganizationID{7}, Name: "مقهى <b>الميدان</b>",
	Token: uuid.UUID{9},
}

// happened is a notice of 20 November 2026, 14:03 in Libya.
func happened(k notices.Kind) notices.Notice {
	n := notices.Notice{
		Kind: k, At: time.Date(2026, 11, 20, 12, 3, 0, 0, time.UTC), Application: "متجر <i>الويب</i>",
		Intent: &domain.IntentID{5}, Reference: "k7m3p9q2xz",
		Amount:   domain.Money{Minor: 45_250, Currency: domain.LYD},
		Acquirer: "plutu", Method: "sadad", Payer: "091•••4567",
	}
	switch k {
	case notices.RefundFailed:
		n.Reason = "refused"
	case notices.Stopped:
		n = notices.Notice{Kind: k, At: n.At, Application: n.Application}
	case notices.Paid, notices.Late, notices.Duplicate, notices.UnknownPayment, notices.UnknownRefund:
	}
	return n
}

func sum(k notices.Kind, method string, count, minor int64) notices.Sum {
	s := notices.Sum{Kind: k, Total: projections.Total{Count: count, Sum: minor}, Currency: domain.LYD}
	if method != "" {
		s.Acquirer, s.Method = "plutu", method
	}
	return s
}

// digestOf is the mail that tells of some notices by name, and of all by sums.
func digestOf(sums []notices.Sum, named ...notices.Notice) mail.Message {
	d := notices.Digest{
		Recipient: member, Since: time.Date(2026, 11, 20, 12, 3, 0, 0, time.UTC), Sums: sums, Named: named,
	}
	for _, s := range sums {
		d.Count += int(s.Count)
	}
	return view.Letters{PublicURL: "https://pay.example/"}.Digest(d)
}

// inBoth fails unless the text and the HTML of a mail to the member have all of that, and the mail what every
// such mail has.
func inBoth(t *testing.T, m mail.Message, all ...string) {
	t.Helper()
	end := "https://pay.example/dashboard/mails/" + member.Token.String()
	if m.To != member.Email || m.Unsubscribe != end || strings.ContainsAny(m.Subject, "\r\n") ||
		!strings.HasPrefix(m.Subject, "دفتر: ") || strings.Count(m.Subject, member.Name) != 1 {
		t.Errorf("to %q, ended at %q: %q", m.To, m.Unsubscribe, m.Subject)
	}
	shown := shownOf(t, m)
	for _, want := range append(all, member.Name) {
		if !strings.Contains(m.Text, want) || !strings.Contains(shown, want) {
			t.Errorf("the mail lacks %q:\n%s\n%s", want, m.Text, shown)
		}
	}
	leadsTo(t, m, end, end+"?lang=en", within+"mails", within+"mails?lang=en")
	if strings.Contains(m.HTML, "<b>الميدان") || strings.Contains(m.HTML, "<i>") {
		t.Error("a name is markup")
	}
}

// leadsTo fails unless the text and the HTML have the links.
func leadsTo(t *testing.T, m mail.Message, links ...string) {
	t.Helper()
	for _, link := range links {
		attribute := ` href="` + strings.ReplaceAll(link, "&", "&amp;") + `"`
		if !strings.Contains(m.Text, "\n"+link+"\n") || !strings.Contains(m.HTML, attribute) {
			t.Errorf("no link to %s:\n%s\n%s", link, m.Text, m.HTML)
		}
	}
}

// A mail about one thing says what, how much and what to do, in both languages, and leads to its page.
func TestDigestOfOne(t *testing.T) {
	t.Parallel()
	payment := within + "payments/" + domain.IntentID{5}.String()
	for kind, want := range map[notices.Kind][]string{
		notices.Paid:           {"وصلت دفعة", "Payment received"},
		notices.Late:           {"وصلت دفعة بعد المهلة", "Payment received late", "سلّم الطلبية", "Hand the order"},
		notices.Duplicate:      {"دُفع المبلغ مرتين", "Paid twice", "من حق الزبون", "belongs to the customer"},
		notices.UnknownPayment: {"دفعة لم تُعرف نتيجتها", "Payment outcome unknown", "سجّل ما وجدت", "record what"},
		notices.UnknownRefund:  {"ردّ مبلغ لم تُعرف نتيجته", "Refund outcome unknown", "سجّل ما وجدت", "record"},
		notices.RefundFailed:   {"لم يُردّ المبلغ", "Refund failed", "رفضت جهة الدفع", "The acquirer refused"},
	} {
		m := digestOf([]notices.Sum{sum(kind, "sadad", 1, 45_250)}, happened(kind))
		inBoth(t, m, append(want, "45.250\u00a0د.ل", "45.250\u00a0LYD", "سداد", "Sadad", "بلوتو", "Plutu",
			"091•••4567", "متجر <i>الويب</i>", "K7M3P9Q2XZ", "20 نوفمبر 2026، 14:03", "20 November 2026, 14:03")...)
		leadsTo(t, m, payment, payment+"?lang=en")
		for _, part := range append(want[:2], "45.250\u00a0د.ل", "45.250\u00a0LYD") {
			if !strings.Contains(m.Subject, part) {
				t.Errorf("the subject %q lacks %q", m.Subject, part)
			}
		}
	}
}

func TestDigestOfAStop(t *testing.T) {
	t.Parallel()
	one := []notices.Sum{sum(notices.Stopped, "", 1, 0)}
	n := happened(notices.Stopped)
	failing := digestOf(one, n)
	inBoth(t, failing, "توقفت إشعارات التطبيق", "Webhooks have stopped", n.Application, "خمسة أيام", "five days",
		"أصلح الخادم", "Correct your server", "20 نوفمبر 2026، 14:03")
	leadsTo(t, failing, within+"webhooks", within+"webhooks?lang=en")
	n.Reason, n.Test = notices.ReasonGone, true
	gone := digestOf(one, n)
	inBoth(t, gone, n.Application+" (تجريبي)", n.Application+" (Test)", "410")
	leadsTo(t, gone, within+"test/webhooks", within+"test/webhooks?lang=en")
}

// A payer's number that was stored whole is hidden too.
func TestDigestHidesThePayer(t *testing.T) {
	t.Parallel()
	n := happened(notices.Paid)
	n.Payer = "0912344567"
	for _, m := range []mail.Message{
		digestOf([]notices.Sum{sum(notices.Paid, "sadad", 1, 45_250)}, n),
		digestOf([]notices.Sum{sum(notices.Paid, "sadad", 2, 90_500)}, n, n),
	} {
		inBoth(t, m, "091•••4567")
		if strings.Contains(m.Text+m.HTML+m.Subject, "0912344567") {
			t.Errorf("the mail has the payer's number:\n%s", m.Text)
		}
	}
}

// A mail about many has first what needs a decision, then the payments with their sum, and says how many more
// there are.
func TestDigestOfMany(t *testing.T) {
	t.Parallel()
	later := happened(notices.Paid)
	later.At = later.At.AddDate(0, 0, 1)
	m := digestOf([]notices.Sum{
		sum(notices.Late, "sadad", 2, 700_000), sum(notices.Late, "edfali", 3, 800_000),
		sum(notices.Stopped, "", 1, 0),
		sum(notices.Paid, "sadad", 20, 1_234_500), sum(notices.Paid, "", 11, 65_500),
	}, happened(notices.Late), happened(notices.Stopped), happened(notices.Paid), later)
	inBoth(t, m, "الجديد", "What is new", "منذ 20 نوفمبر 2026، 14:03", "since 20 November 2026, 14:03",
		"تحتاج قرارًا: 6", "Needs a decision: 6", "دفعات وصلت بعد المهلة", "Payments received late",
		"غيرها في لوحة التحكم: 4", "More in the dashboard: 4", "دفعات وصلت: 31", "Payments received: 31",
		"1,300.000\u00a0د.ل", "1,300.000\u00a0LYD", "1,234.500\u00a0LYD", "65.500\u00a0LYD", "وسائل أخرى",
		"Other methods", "غيرها في لوحة التحكم: 29", "More in the dashboard: 29", "K7M3P9Q2XZ", "سداد · بلوتو",
		"21 نوفمبر 2026، 14:03")
	leadsTo(t, m, within+"decisions", within+"decisions?lang=en", within+"payments", within+"payments?lang=en")
	for _, part := range []string{
		"تحتاج قرارًا: 6 · دفعات وصلت: 31 (1,300.000\u00a0د.ل)",
		"Needs a decision: 6 · Payments received: 31 (1,300.000\u00a0LYD)",
	} {
		if !strings.Contains(m.Subject, part) {
			t.Errorf("the subject %q lacks %q", m.Subject, part)
		}
	}
	if strings.Contains(m.Text, "1,500.000") || strings.Contains(m.Text, "700.000") {
		t.Errorf("there is a sum of what needs a decision, which is not for every role:\n%s", m.Text)
	}
}

// The button of a mail about several of some kinds leads where they are.
func TestDigestLeadsToItsPage(t *testing.T) {
	t.Parallel()
	for path, kinds := range map[string][]notices.Kind{
		"payments":  {notices.Paid, notices.Paid},
		"decisions": {notices.UnknownRefund, notices.Stopped},
		"webhooks":  {notices.Stopped, notices.Stopped},
	} {
		m := digestOf([]notices.Sum{sum(kinds[0], "", 1, 5), sum(kinds[1], "", 1, 5)}, happened(kinds[0]),
			happened(kinds[1]))
		inBoth(t, m)
		leadsTo(t, m, within+path, within+path+"?lang=en")
	}
	failed := []notices.Sum{sum(notices.RefundFailed, "", 2, 10)}
	leadsTo(t, digestOf(failed, happened(notices.RefundFailed)), within+"payments")
	inBoth(t, digestOf(failed), "مبالغ لم تُردّ: 2", "Refunds that failed: 2") // nothing is named
	inBoth(t, digestOf(nil))
}

// summaryOf is the mail with 20 November 2026.
func summaryOf(s notices.Summary) mail.Message {
	s.Recipient, s.Day = member, domain.Day{Year: 2026, Month: time.November, Day: 20}
	return view.Letters{PublicURL: "https://pay.example"}.Summary(s)
}

func TestSummaryOfADay(t *testing.T) {
	t.Parallel()
	takings := projections.CurrencyFigures{Currency: domain.LYD, Figures: projections.Figures{
		Succeeded: projections.Total{Count: 31, Sum: 2_631_750}, Late: projections.Total{Count: 1, Sum: 45_250},
		Duplicates: projections.Total{Count: 3, Sum: 30_750}, Refunds: projections.Total{Count: 2, Sum: 60_125},
	}}
	methods := []projections.MethodTakings{
		{Acquirer: "plutu", Method: "sadad", Currency: domain.LYD,
			Total: projections.Total{Count: 20, Sum: 2_031_750}},
		{Acquirer: "moamalat", Method: "moamalat", Currency: domain.LYD,
			Total: projections.Total{Count: 10, Sum: 590_000}},
		{Currency: domain.LYD, Total: projections.Total{Count: 1, Sum: 10_000}},
	}
	m := summaryOf(notices.Summary{
		DayTakings: projections.DayTakings{Totals: []projections.CurrencyFigures{takings}, Methods: methods},
		ToDecide:   4, Unknown: 5, Stopped: 6,
	})
	inBoth(t, m, "ملخص يوم 20 نوفمبر 2026", "Summary of 20 November 2026", "2,631.750\u00a0د.ل",
		"2,631.750\u00a0LYD", "دفعات وصلت: 31", "Payments received: 31", "سداد · بلوتو", "Sadad · Plutu",
		"2,031.750\u00a0LYD", "بطاقة مصرفية عبر معاملات", "590.000\u00a0LYD", "Other methods",
		"10.000\u00a0LYD", "منها بعد المهلة", "Paid late (included)", "45.250\u00a0LYD", "خارج المجموع",
		"not in the total", "30.750\u00a0LYD", "رُدّ إلى الزبائن", "Given back", "60.125\u00a0LYD", "ينتظر الآن",
		"Waiting now", "مبالغ تحتاج قرارًا", "Money to decide about", "Unknown outcomes",
		"Applications whose webhooks stopped")
	day := within + "money?from=2026-11-20&"
	leadsTo(t, m, day+"to=2026-11-20", day+"lang=en&to=2026-11-20", within+"decisions",
		within+"decisions?lang=en")
	for _, row := range []string{
		"Duplicate payments (not in the total): 3 · ", "Money to decide about: \u20684\u2069",
		"Unknown outcomes: \u20685\u2069", "Applications whose webhooks stopped: \u20686\u2069",
	} {
		if !strings.Contains(m.Text, row) {
			t.Errorf("the text lacks %q:\n%s", row, m.Text)
		}
	}
	for _, part := range []string{
		"دفتر: ملخص يوم 20 نوفمبر 2026: 2,631.750\u00a0د.ل",
		"Daftar: Summary of 20 November 2026: 2,631.750\u00a0LYD",
	} {
		if !strings.Contains(m.Subject, part) {
			t.Errorf("the subject %q lacks %q", m.Subject, part)
		}
	}
	stopped := summaryOf(notices.Summary{Stopped: 1})
	leadsTo(t, stopped, within+"webhooks", within+"webhooks?lang=en")
}

// A day on which nothing came says so, also if money was given back on it.
func TestSummaryOfAnEmptyDay(t *testing.T) {
	t.Parallel()
	nothing := []string{"ملخص يوم 20 نوفمبر 2026", "لم تصل أي دفعة في هذا اليوم.",
		"No payment came in on this day.", "لا شيء ينتظر.", "Nothing is waiting."}
	m := summaryOf(notices.Summary{})
	inBoth(t, m, nothing...)
	if strings.Contains(m.Text, "LYD") || strings.Contains(m.Text, "/money") {
		t.Errorf("there are amounts, or a link to them:\n%s", m.Text)
	}
	refunds := projections.CurrencyFigures{Currency: domain.LYD}
	refunds.Refunds = projections.Total{Count: 2, Sum: 60_125}
	day := projections.DayTakings{Totals: []projections.CurrencyFigures{refunds}}
	m = summaryOf(notices.Summary{DayTakings: day})
	inBoth(t, m, append(nothing, "Given back", "60.125\u00a0LYD")...)
}

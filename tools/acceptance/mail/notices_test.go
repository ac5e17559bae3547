package mail_test

import (
	"slices"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/notices"
)

const (
	owner   = "lost-salma@shop.example" // the answer to their first mail is lost
	support = "later-nuri@shop.example" // whose mail server delays the first mail
	finance = "huda@both.example"       // of two organisations
	refused = "never-amal@shop.example" // whose mail server takes none
	cafe    = "مقهى الميدان"
	bakery  = "مخبز الحي"
)

// step is a time of the day, and how many payments came since the one before.
type step struct {
	at       time.Time
	payments int
}

// span is a part of the day.
type span struct {
	until, every time.Duration
	perMinute    float64
}

// The mail server is away from three to five o'clock. Noon is busy, and looked at closely.
const away, back = 15 * time.Hour, 17 * time.Hour

var theDay = []span{
	{8 * time.Hour, 20 * time.Minute, 0.5},
	{12 * time.Hour, 10 * time.Minute, 4},
	{12*time.Hour + 10*time.Minute, 10 * time.Second, 60},
	{away, 10 * time.Minute, 5},
	{back, 10 * time.Minute, 5},
	{24 * time.Hour, 15 * time.Minute, 4.3},
}

// steps spreads a number of payments over a day.
func steps(day domain.Day, payments int) (all []step) {
	var whole, so float64
	var from time.Duration
	for _, s := range theDay {
		whole += (s.until - from).Minutes() * s.perMinute
		from = s.until
	}
	at, given := time.Duration(0), 0
	for _, s := range theDay {
		for at < s.until {
			at += s.every
			so += s.every.Minutes() * s.perMinute
			due := int(so/whole*float64(payments) + 0.5)
			all = append(all, step{day.Start().Add(at), due - given})
			given = due
		}
	}
	return all
}

// A day of an organisation with 5,000 payments: each member gets at most a mail a minute, and the mails add
// up to exactly what happened, although the mail server delays, loses and refuses some, and is away for two
// hours. So do the summaries of the day.
func TestFiveThousandPaymentsAreTold(t *testing.T) {
	t.Parallel()
	const payments = 5000
	n := newNews(t)
	// A day that is not over yet by the database's clock, by which it records events: their summary waits
	// until the dashboard's group has them.
	day := domain.DayOf(time.Now()).Add(1)
	clock := func(d time.Duration) time.Time { return day.Start().Add(d) }
	n.set(clock(time.Second))
	ours, shop := n.organization(cafe)
	others, oven := n.organization(bakery)
	test := n.application(ours, accounts.Draft{Name: canary + " of tests", Mode: domain.ModeTest})
	midnight, seven := 0, 7
	n.member(ours, owner, accounts.RoleOwner,
		notices.Preferences{Payments: true, Decisions: true, Daily: &midnight})
	n.member(ours, support, accounts.RoleSupport, notices.Preferences{Decisions: true})
	n.member(ours, finance, accounts.RoleFinance, notices.Preferences{Payments: true, Daily: &seven})
	n.member(others, finance, accounts.RoleOwner, notices.Preferences{Payments: true, Daily: &seven})
	n.member(ours, refused, accounts.RoleViewer, notices.Preferences{Payments: true})

	live, theirs, tests := n.trade(shop, 1), n.trade(oven, 2), n.trade(test, 3)
	from := clock(0)
	for i, s := range steps(day, payments) {
		live.between(from, s.at, s.payments)
		theirs.between(from, s.at, i%3)
		tests.between(from, s.at, i%2)
		if i == 40 || i == 80 {
			live.unknown(from)
		}
		for _, trade := range []*trade{live, theirs, tests} {
			trade.write()
		}
		switch {
		case s.at.Equal(clock(away)):
			n.server.Stop()
		case s.at.Equal(clock(back)):
			n.server.Start()
		}
		n.moment(s.at)
		if s.at.Equal(clock(7 * time.Hour)) {
			n.figures() // a summary of the day before waits for them
		}
		from = s.at
	}

	// What comes after midnight is told, and is not of the day.
	after := n.trade(shop, 4)
	after.between(clock(24*time.Hour), clock(24*time.Hour+30*time.Second), 20)
	after.write()
	n.moment(clock(24*time.Hour + 30*time.Second))
	n.moment(clock(24*time.Hour + 2*time.Minute))
	if got := n.summaries(owner, cafe); len(got) != 0 {
		t.Errorf("before the figures of the day are complete, %s gets %+v", owner, got)
	}
	n.figures()
	for minute := range 6 {
		n.moment(clock(24*time.Hour + time.Duration(4+2*minute)*time.Minute))
	}
	for minute := range 6 {
		n.moment(clock(31*time.Hour + time.Duration(2*minute)*time.Minute))
	}
	n.awaitAll()

	all := append(slices.Clone(paymentKinds), notices.RefundFailed, notices.UnknownPayment)
	for what, one := range after.happened {
		live.happened.add(what, one)
	}
	n.mustHaveTold(owner, cafe, live.happened.of(all))
	n.mustHaveTold(support, cafe, live.happened.of(decisionKinds))
	n.mustHaveTold(finance, cafe, live.happened.of(paymentKinds))
	n.mustHaveTold(finance, bakery, theirs.happened.of(paymentKinds))
	n.mustHaveTold(refused, cafe, tally{})
	for what, one := range after.happened {
		live.happened.add(what, total{-one.Count, -one.Minor})
	}
	if got := live.happened.sum(notices.Paid, notices.Late); got.Count != int64(payments) {
		t.Errorf("%d payments were made, want %d", got.Count, payments)
	}
	n.mustBeSummary(n.summaries(owner, cafe), live, 0)
	n.mustBeSummary(n.summaries(finance, cafe), live, 1)
	n.mustBeSummary(n.summaries(finance, bakery), theirs, 1)
	n.mustBeBounded()
	n.mustHaveEnded(ours)
	n.mustHaveNoTrouble()
}

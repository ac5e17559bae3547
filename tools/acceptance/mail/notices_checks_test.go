package mail_test

import (
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/accounts"
	"daftar/internal/mail"
	"daftar/notices"
)

// letters are those to a member about an organisation, in no order.
func (n *news) letters(email, organization string) (all []letter) {
	for _, l := range n.came {
		if l.addressee == (addressee{email, organization}) {
			all = append(all, l)
		}
	}
	return all
}

// summaries are those letters that have a day, by it.
func (n *news) summaries(email, organization string) []letter {
	all := slices.DeleteFunc(n.letters(email, organization), func(l letter) bool { return l.summary == "" })
	slices.SortFunc(all, func(a, b letter) int { return strings.Compare(a.summary, b.summary) })
	return all
}

// mustHaveTold compares all mails but the summaries with what happened.
func (n *news) mustHaveTold(email, organization string, happened tally) {
	n.t.Helper()
	told, mails, largest := tally{}, 0, 0
	for _, l := range n.letters(email, organization) {
		if l.summary != "" {
			continue
		}
		for what, one := range l.told {
			told.add(what, one)
		}
		mails, largest = mails+1, max(largest, l.bytes)
	}
	if diff := cmp.Diff(happened.told(), told); diff != "" {
		n.t.Errorf("%s, of %s (-happened +told):\n%s", email, organization, diff)
	}
	var all total
	for _, one := range told {
		all = all.plus(one)
	}
	n.t.Logf("%s, of %s: %d mails tell of %d; the largest has %d bytes", email, organization, mails, all.Count,
		largest)
}

// mustBeSummary compares the last of the summaries with what happened on its day. Before it are some of days
// on which nothing came.
func (n *news) mustBeSummary(all []letter, of *trade, before int) {
	n.t.Helper()
	if len(all) != before+1 {
		n.t.Errorf("%d summaries, want %d", len(all), before+1)
		return
	}
	for _, l := range all[:before] {
		if l.told["Received"] != (total{}) || !strings.Contains(l.text, "No payment came in on this day.") {
			n.t.Errorf("of a day without payments:\n%s", l.text)
		}
	}
	want := tally{
		"Received":                              of.happened.sum(notices.Paid, notices.Late),
		"Paid late (included)":                  of.happened.sum(notices.Late),
		"Duplicate payments (not in the total)": of.happened.sum(notices.Duplicate),
		"Given back":                            of.givenBack,
		"Money to decide about":                 {Count: of.happened.sum(notices.Late, notices.Duplicate).Count},
		"Unknown outcomes":                      {Count: of.happened.sum(notices.UnknownPayment).Count},
	}
	for what, one := range of.happened.of([]notices.Kind{notices.Paid, notices.Late}) {
		_, through, _ := strings.Cut(what, " · ")
		want.add(through, one)
	}
	for what, one := range want {
		if one.Count == 0 {
			delete(want, what)
		}
	}
	if diff := cmp.Diff(want, all[before].told); diff != "" {
		n.t.Errorf("the summary of the day (-happened +told):\n%s\n%s", diff, all[before].text)
	}
}

// mustBeBounded checks that nobody got two mails within a minute, and that none waits or is missing.
func (n *news) mustBeBounded() {
	n.t.Helper()
	last, mails, delayed := map[string]sentMail{}, map[string]int{}, 0
	for _, m := range n.queue() {
		email := n.came[messageID(m.ID)].email
		if m.State == mail.Failed {
			email = refused
		}
		if email == "" || m.State == mail.Pending {
			n.t.Errorf("a mail that has not come: %+v", m)
		}
		if before, had := last[email]; had && (m.Queued.Sub(before.Finished) < time.Minute) {
			n.t.Errorf("two mails to %s within a minute: %+v, %+v", email, before, m)
		}
		if m.Tries > 1 {
			delayed++
		}
		last[email] = m
		mails[email]++
	}
	if n.count(`SELECT count(*) FROM notices`) != 0 {
		n.t.Error("there are notices left")
	}
	// Lost were two answers: the first one, and the first one after the mail server was away.
	if n.times != len(n.came)+2 || delayed < 4 {
		n.t.Errorf("%d mails came %d times, %d were delayed", len(n.came), n.times, delayed)
	}
	n.t.Logf("mails: %v; %d tried more than once; the slowest turns took %s", mails, delayed, n.slowest)
}

// mustHaveEnded checks that the mails end of a member whose server takes none.
func (n *news) mustHaveEnded(org accounts.OrganizationID) {
	n.t.Helper()
	if failed := n.count(`SELECT count(*) FROM mails WHERE state = 'failed'`); failed != 3 {
		n.t.Errorf("%d mails failed, want 3", failed)
	}
	s, err := n.notices.Preferences(n.t.Context(), n.members[refused], org)
	if err != nil || s.Any() || !s.Refused {
		n.t.Errorf("after three refusals: %+v, %v", s, err)
	}
	trail, err := n.accounts.Trail(n.t.Context(), operator, org,
		accounts.TrailFilter{Action: notices.ActionEnd, Limit: 10})
	if err != nil || len(trail) != 1 || trail[0].Actor != "system:mails" {
		n.t.Errorf("the audit trail: %+v, %v", trail, err)
	}
}

// mustHaveNoTrouble checks that no turn failed, but for those in which a server was stopped.
func (n *news) mustHaveNoTrouble() {
	n.t.Helper()
	for line := range strings.Lines(n.log.String()) {
		if strings.Contains(line, "not notified") && !strings.Contains(line, "context canceled") {
			n.t.Error(line)
		}
	}
}

package notices_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/domain"
	"daftar/notices"
)

// counted are how many of each kind there are in digests.
func counted(all []notices.Digest) map[notices.Kind]int64 {
	found := map[notices.Kind]int64{}
	for _, d := range all {
		for _, s := range d.Sums {
			found[s.Kind] += s.Count
		}
	}
	return found
}

// One payment is a mail with its amount, its method and the masked payer; several are counted by kind and
// method, with what needs a decision first.
func TestDigests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.member(accounts.RoleOwner, notices.Preferences{Payments: true, Decisions: true})
	intent := w.pay(w.App.ID, inTime, 25_000, "edfali")
	w.tell()
	digests, _ := w.written()
	if len(digests) != 1 || len(digests[0].Named) != 1 {
		t.Fatalf("told %+v", digests)
	}
	one := digests[0]
	n := one.Named[0]
	if one.Email != u.Email || one.Name != "Shop" || one.Organization != w.Org || one.Count != 1 ||
		n.Kind != notices.Paid || *n.Intent != intent || n.Amount.Minor != 25_000 || n.Method != "edfali" ||
		n.Acquirer != "plutu" || n.Payer != "091•••5678" || n.Application != "Web" || n.Reference == "" ||
		!n.At.Equal(accountstest.Noon) || !one.Since.Equal(n.At) {
		t.Errorf("one payment is told as %+v", one)
	}
	for range 30 {
		w.pay(w.App.ID, inTime, 1_000, "edfali")
	}
	w.pay(w.App.ID, inTime, 2_000, "tadawul")
	lateOne, refund := w.pay(w.App.ID, late, 3_000, "edfali"), w.pay(w.App.ID, refundFails, 4_000, "tadawul")
	w.pay(w.App.ID, twice, 5_000, "edfali")
	w.tell()
	digests, _ = w.written()
	if len(digests) != 1 {
		t.Fatalf("%d digests", len(digests))
	}
	d := digests[0]
	var sums []string
	for _, s := range d.Sums {
		sums = append(sums, fmt.Sprintf("%s %s %d %d", s.Kind, s.Method, s.Count, s.Total.Sum))
	}
	want := "late edfali 1 3000, duplicate edfali 1 5000, refund_failed  1 4000, paid edfali 31 35000, " +
		"paid tadawul 2 6000"
	if got := strings.Join(sums, ", "); got != want || d.Count != 36 || len(d.Named) != 20 {
		t.Errorf("%d, %d by name: %s, want %s", d.Count, len(d.Named), got, want)
	}
	if *d.Named[0].Intent != lateOne || d.Named[1].Kind != notices.RefundFailed ||
		*d.Named[1].Intent != refund || d.Named[1].Reason != "refused" ||
		d.Named[2].Kind != notices.Duplicate || d.Named[3].Kind != notices.Paid ||
		d.Named[3].Amount.Minor != 5_000 {
		t.Errorf("named first are %+v", d.Named[:4])
	}
	if w.tell(); w.Count(`SELECT count(*) FROM notices`) != 0 {
		t.Error("what was told waits")
	}
}

// Nothing of the payer is told but the masked number, which is all that the ledger has of it.
func TestThePayerIsMasked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.member(accounts.RoleOwner, each(0))
	for _, s := range stories {
		w.pay(w.App.ID, s, 1_000, "edfali")
	}
	w.tell()
	w.Later(24 * time.Hour)
	w.tell()
	w.tell()
	digests, summaries := w.written()
	if len(digests) == 0 || len(summaries) == 0 {
		t.Fatalf("%d digests, %d summaries", len(digests), len(summaries))
	}
	for _, told := range []any{digests, summaries} {
		for _, secret := range []string{"0912345678", "912345678", "سالم", "salem", "order-"} {
			if strings.Contains(fmt.Sprintf("%+v", told), secret) {
				t.Errorf("%q is in %+v", secret, told)
			}
		}
	}
}

// A member is told what they chose, as far as the role of the moment may see it.
func TestEachRoleIsToldWhatItMaySee(t *testing.T) {
	t.Parallel()
	for _, role := range accounts.Roles {
		for _, p := range []notices.Preferences{
			{Payments: true}, {Decisions: true}, {Payments: true, Decisions: true}, {},
		} {
			w := newWorld(t)
			u := w.Person("member", w.Org, role)
			err := w.Choose(t.Context(), accountstest.By(u), w.Org, p)
			if p.Payments && !role.Allows(accounts.SeeMoney) {
				if err == nil {
					t.Errorf("%s may choose %+v", role, p)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range stories {
				w.pay(w.App.ID, s, 1_000, "edfali")
			}
			w.tell()
			digests, _ := w.written()
			want := map[notices.Kind]int64{}
			if p.Payments { // one of each story, and the duplicate and the failed refund were paid before
				want[notices.Paid] = 3
			}
			if p.Payments || p.Decisions {
				want[notices.Late], want[notices.Duplicate] = 1, 1
			}
			if p.Decisions {
				want[notices.RefundFailed] = 1
			}
			if got := counted(digests); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s with %+v is told %v, want %v", role, p, got, want)
			}
		}
	}
}

// A role that is lowered takes the sums away at once, also of what waits.
func TestALoweredRoleIsToldNoSums(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.member(accounts.RoleFinance, each(0))
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	w.follow()
	w.exec(`UPDATE memberships SET role = 'support' WHERE user_uuid = $1`, u.ID)
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	w.pay(w.App.ID, late, 1_000, "edfali")
	w.tell()
	w.Later(24 * time.Hour)
	w.tell()
	digests, summaries := w.written()
	if got := counted(digests); got[notices.Paid] != 0 || got[notices.Late] != 1 || len(summaries) > 0 {
		t.Errorf("told %v and %d summaries", got, len(summaries))
	}
	for _, d := range digests {
		if d.Sums[0].Total.Sum != 0 || d.Named[0].Amount.Minor != 1_000 {
			t.Errorf("told sums: %+v", d)
		}
	}
}

// Test money is in no mail, whatever the mix; endpoints of test applications are told.
func TestTestMoneyIsInNoMail(t *testing.T) {
	t.Parallel()
	w, random := newWorld(t), seeded(t)
	w.member(accounts.RoleOwner, each(0))
	trials := w.test()
	want := map[notices.Kind]int64{}
	var taken int64
	for range 100 {
		s, minor := stories[random.IntN(len(stories))], 1_000+random.Int64N(1_000_000)
		if random.IntN(2) == 0 {
			w.pay(trials, s, minor, "edfali")
			continue
		}
		w.pay(w.App.ID, s, minor, "edfali")
		taken += minor
		switch s {
		case inTime:
			want[notices.Paid]++
		case late:
			want[notices.Late]++
		case twice:
			want[notices.Paid]++
			want[notices.Duplicate]++
		case refundFails:
			want[notices.Paid]++
			want[notices.RefundFailed]++
		}
		if random.IntN(5) == 0 {
			w.tell()
		}
	}
	w.exec(`
		INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, language, payer, created_at, stage,
		    stage_since, trouble, updated_at)
		SELECT 'unknown-' || reference, uuid, 'plutu', 'edfali', 'ar', '', $2, 'quarantined', $2, '{}', $2
		FROM intents
		WHERE application_uuid = $1`, trials, w.Now.Now().Add(-2*time.Hour))
	if err := w.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.tell()
	w.Later(24 * time.Hour)
	w.tell()
	digests, summaries := w.written()
	if got := counted(digests); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("told %v, want %v", got, want)
	}
	for _, d := range digests {
		for _, n := range d.Named {
			if n.Test || n.Application != "Web" {
				t.Errorf("told %+v", n)
			}
		}
	}
	if len(summaries) != 1 || len(summaries[0].Totals) != 1 || summaries[0].Totals[0].Succeeded.Sum != taken ||
		summaries[0].ToDecide != int(want[notices.Late]+want[notices.Duplicate]) || summaries[0].Unknown != 0 {
		t.Errorf("the summaries are %+v, want %d taken", summaries, taken)
	}
}

// Outcomes are told when they have been unknown for an hour, once, and again after a month.
func TestUnknownForAnHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.member(accounts.RoleSupport, notices.Preferences{Decisions: true})
	w.member(accounts.RoleOwner, notices.Preferences{Payments: true}) // who did not choose that
	intent := w.pay(w.App.ID, inTime, 7_000, "edfali")
	other := w.pay(w.App.ID, inTime, 8_000, "edfali")
	w.tell()
	w.written()
	since := w.Now.Now()
	w.exec(`UPDATE checkout_attempts SET stage = 'asking', stage_since = $2, ask_at = $2 WHERE intent_uuid = $1`,
		intent, since)
	w.exec(`
		INSERT INTO refunds (uuid, intent_uuid, application_uuid, attempt, acquirer, amount, currency, state,
		    by_acquirer, requested_by, actor, note, requested_at, updated_at, trouble)
		SELECT gen_random_uuid(), intent_uuid, $2, attempt, acquirer, 8000, 'LYD', 'unknown', true, 'test',
		       'test', 'x', $3, $3, 'no_answer'
		FROM checkout_attempts
		WHERE intent_uuid = $1`, other, w.App.ID, since)
	look := func() map[notices.Kind]int64 {
		t.Helper()
		if err := w.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.tell()
		digests, _ := w.written()
		return counted(digests)
	}
	if w.Later(time.Hour - time.Second); len(look()) > 0 {
		t.Error("told before the hour was over")
	}
	want := fmt.Sprint(map[notices.Kind]int64{notices.UnknownPayment: 1, notices.UnknownRefund: 1})
	if w.Later(time.Second); fmt.Sprint(look()) != want {
		t.Error("not told after an hour")
	}
	w.exec(`UPDATE checkout_attempts SET stage = 'quarantined', stage_since = $2, ask_at = NULL, trouble = '{}'
		WHERE intent_uuid = $1`, intent, w.Now.Now())
	if w.Later(2 * time.Hour); len(look()) > 0 {
		t.Error("told twice")
	}
	w.Later(30 * 24 * time.Hour)
	look() // the marks are gone after this
	if got := fmt.Sprint(look()); got != want {
		t.Errorf("told %s after a month", got)
	}
}

// An endpoint that stops is told to owners and developers who have chosen nothing, and to those who chose.
func TestEndpointStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.Person("owner", w.Org, accounts.RoleOwner)
	developer := w.Person("developer", w.Org, accounts.RoleDeveloper)
	w.Person("viewer", w.Org, accounts.RoleViewer)
	support := w.member(accounts.RoleSupport, notices.Preferences{Decisions: true})
	stop := func(app domain.ApplicationID, reason string) []notices.Digest {
		t.Helper()
		w.stop(app, reason)
		w.tell()
		w.tell()
		digests, _ := w.written()
		return digests
	}
	told := func(digests []notices.Digest, want ...string) {
		t.Helper()
		found := map[string]bool{}
		for _, d := range digests {
			found[d.Email] = true
		}
		if len(found) != len(want) {
			t.Errorf("told %v, want %v", found, want)
		}
		for _, email := range want {
			if !found[email] {
				t.Errorf("%s is not told: %v", email, found)
			}
		}
	}
	digests := stop(w.App.ID, notices.ReasonGone)
	told(digests, owner.Email, developer.Email, support.Email)
	n := digests[0].Named[0]
	if n.Kind != notices.Stopped || n.Application != "Web" || n.Test || n.Intent != nil ||
		n.Reason != notices.ReasonGone {
		t.Errorf("told %+v", n)
	}
	w.choose(owner, notices.Preferences{Payments: true})
	w.choose(support, notices.Preferences{})
	digests = stop(w.test(), "")
	told(digests, developer.Email)
	if n := digests[0].Named[0]; !n.Test || n.Application != "Trials" || n.Reason != "" {
		t.Errorf("told %+v", n)
	}
	// A developer who was told by their role is told of nothing else.
	w.pay(w.App.ID, late, 1_000, "edfali")
	w.tell()
	digests, _ = w.written()
	told(digests, owner.Email)
}

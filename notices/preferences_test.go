package notices_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
	"daftar/notices"
)

func (w *world) standing(u people.User) notices.Standing {
	w.T.Helper()
	s, err := w.Preferences(w.T.Context(), accountstest.By(u), w.Org)
	if err != nil {
		w.T.Fatal(err)
	}
	return s
}

// A choice holds from its moment on, is recorded, and can be changed; what is chosen no more is not told.
func TestChoice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("owner", w.Org, accounts.RoleOwner)
	if s := w.standing(u); s.Any() || s.Chosen || s.Refused {
		t.Errorf("before a choice: %+v", s)
	}
	w.pay(w.App.ID, inTime, 1_000, "edfali") // before the choice, and read after it
	w.choose(u, notices.Preferences{Payments: true, Decisions: true})
	w.pay(w.App.ID, late, 2_000, "edfali")
	w.pay(w.App.ID, refundFails, 3_000, "edfali")
	w.follow()
	w.choose(u, notices.Preferences{Payments: true})
	w.tell()
	digests, _ := w.written()
	got := counted(digests)
	if got[notices.Late] != 1 || got[notices.Paid] != 1 || got[notices.RefundFailed] != 0 {
		t.Errorf("told %v", got)
	}
	if s := w.standing(u); !s.Payments || s.Decisions || s.Daily != nil || !s.Chosen {
		t.Errorf("after the choice: %+v", s)
	}
	// What the group has not read yet is told to a member who was told of payments before.
	w.pay(w.App.ID, inTime, 4_000, "edfali")
	w.choose(u, each(7))
	w.tell()
	if digests, _ = w.written(); counted(digests)[notices.Paid] != 1 {
		t.Errorf("told %v", digests)
	}
	if !accountstest.Contains(w.Trail(w.Org, 9), u.Email+" mails.choose done") {
		t.Errorf("the trail is %q", w.Trail(w.Org, 9))
	}
	for _, hour := range []int{-1, 24} {
		if err := w.Choose(t.Context(), accountstest.By(u), w.Org, each(hour)); !errors.Is(err, notices.ErrHour) {
			t.Errorf("hour %d: %v", hour, err)
		}
	}
	stranger := accountstest.NewShop(t, w.Accounts)
	err := w.Choose(t.Context(), accountstest.By(u), stranger.Org, each(7))
	if !errors.Is(err, accounts.ErrNoOrganization) {
		t.Errorf("of another organisation: %v", err)
	}
	off := notices.New(notices.Config{Pool: w.Pool, Accounts: w.Accounts, Now: w.Now.Now})
	if err := off.Choose(t.Context(), accountstest.By(u), w.Org, each(7)); !errors.Is(err, notices.ErrOff) {
		t.Errorf("without mail: %v", err)
	}
}

// The link of a mail ends the member's mails of that organisation, and the mail that waits.
func TestLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.member(accounts.RoleOwner, each(7))
	other := w.member(accounts.RoleOwner, notices.Preferences{Payments: true})
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	w.follow()
	w.turns()
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	w.follow()
	digests, _ := w.written()
	if len(digests) != 2 || digests[0].Token == digests[1].Token {
		t.Fatalf("told %+v", digests)
	}
	mine := digests[0]
	if mine.Email != u.Email {
		mine = digests[1]
	}
	link, err := w.Link(t.Context(), mine.Token.String())
	if err != nil || link.Email != u.Email || link.Name != "Shop" || link.Organization != w.Org {
		t.Fatalf("the link is of %+v: %v", link, err)
	}
	if s := w.standing(u); !s.Any() {
		t.Error("looking at the link ended the mails")
	}
	for range 2 {
		if err := w.End(t.Context(), accounts.Actor{Address: "192.0.2.7"}, link); err != nil {
			t.Fatal(err)
		}
	}
	if s := w.standing(u); s.Any() || !s.Chosen || s.Refused {
		t.Errorf("after the link: %+v", s)
	}
	if n := w.Count(`SELECT count(*) FROM mails`); n != 1 {
		t.Errorf("%d mails wait, want the other member's", n)
	}
	w.tell()
	w.Later(24 * time.Hour)
	w.tell()
	digests, summaries := w.written()
	if len(digests) != 1 || digests[0].Email != other.Email || len(summaries) > 0 {
		t.Errorf("told %v and %v", digests, summaries)
	}
	records, err := w.Accounts.Trail(t.Context(), accountstest.Operator, w.Org,
		accounts.TrailFilter{Action: notices.ActionEnd})
	if err != nil || len(records) != 1 || records[0].Actor != u.Email || records[0].User != u.ID ||
		records[0].Address != "192.0.2.7" {
		t.Errorf("recorded %+v, %v", records, err)
	}
	for _, token := range []string{"", "x", uuid.NewString()} {
		if _, err := w.Link(t.Context(), token); !errors.Is(err, notices.ErrNoLink) {
			t.Errorf("link %q: %v", token, err)
		}
	}
}

// A member who is removed is told nothing more.
func TestAMemberLeaves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.member(accounts.RoleFinance, each(7))
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	w.follow()
	w.turns()
	w.written()
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	w.follow()
	if err := w.People.RemoveMember(t.Context(), accountstest.Operator, w.Org, u.ID); err != nil {
		t.Fatal(err)
	}
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	w.tell()
	if digests, summaries := w.written(); len(digests)+len(summaries) > 0 {
		t.Errorf("told %v %v", digests, summaries)
	}
	for _, table := range []string{"notices", "mail_preferences", "mails"} {
		if n := w.Count(`SELECT count(*) FROM ` + table); n > 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
}

// The group begins with what members are to be told, not with the first event.
func TestBegin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	position := func() int {
		t.Helper()
		w.exec(`DELETE FROM consumer_offsets WHERE consumer_group = 'notices'`)
		if err := w.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		return w.Count(`SELECT position FROM consumer_offsets WHERE consumer_group = 'notices'`)
	}
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	if got := position(); got != 3 {
		t.Errorf("it begins after %d, and nobody has chosen", got)
	}
	w.member(accounts.RoleOwner, notices.Preferences{Payments: true})
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	if got := position(); got != 3 {
		t.Errorf("it begins after %d, and the fourth event is to be told", got)
	}
}

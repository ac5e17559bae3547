package notices_test

import (
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/domain"
	"daftar/notices"
)

// seeded is a source of chance whose seed is logged.
func seeded(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func (w *world) stop(app domain.ApplicationID, reason string) {
	w.T.Helper()
	err := pgx.BeginFunc(w.T.Context(), w.Pool, func(tx pgx.Tx) error {
		return w.EndpointStopped(w.T.Context(), tx, app, w.Now.Now(), reason)
	})
	if err != nil {
		w.T.Fatal(err)
	}
}

// Whatever the mail server does, every notice is in a mail that it took, once.
func TestNothingIsLostIntoSilence(t *testing.T) {
	t.Parallel()
	w, random := newWorld(t), seeded(t)
	w.member(accounts.RoleOwner, notices.Preferences{Payments: true, Decisions: true})
	want, taken := map[notices.Kind]int64{}, map[notices.Kind]int64{}
	var onItsWay []notices.Digest
	failures, refusals := 0, 0
	arrive := func() {
		for kind, n := range counted(onItsWay) {
			taken[kind] += n
		}
		onItsWay, failures = nil, 0
		w.sent()
	}
	for minute := range 300 {
		for range random.IntN(3) {
			w.pay(w.App.ID, inTime, 1_000, "edfali")
			want[notices.Paid]++
			switch random.IntN(10) {
			case 0:
				w.pay(w.App.ID, late, 1_000, "edfali")
				want[notices.Late]++
			case 1:
				w.stop(w.App.ID, "")
				want[notices.Stopped]++
			}
		}
		w.follow()
		w.turns()
		digests, _ := w.written()
		if onItsWay = append(onItsWay, digests...); len(onItsWay) > 1 {
			t.Fatalf("minute %d: %d mails on their way", minute, len(onItsWay))
		}
		switch chance := random.IntN(10); {
		case len(onItsWay) == 0:
		case chance < 6:
			arrive()
		case chance < 8 && failures < 2:
			w.refused()
			onItsWay, failures, refusals = nil, failures+1, refusals+1
		} // else it stays on its way
		w.Later(time.Minute)
	}
	for range 10 { // hours, which are longer than any pause
		w.turns()
		digests, _ := w.written()
		if onItsWay = append(onItsWay, digests...); len(onItsWay) > 0 {
			arrive()
		}
		w.Later(time.Hour)
	}
	if !maps.Equal(taken, want) {
		t.Errorf("taken %v, happened %v", taken, want)
	}
	if n := w.Count(`SELECT count(*) FROM notices`); n > 0 || refusals == 0 {
		t.Errorf("%d notices wait; %d mails were refused", n, refusals)
	}
}

// A person gets one mail a minute over all organisations, by the time at which the mail server took them.
func TestOneMailAMinute(t *testing.T) {
	t.Parallel()
	w, random := newWorld(t), seeded(t)
	u := w.member(accounts.RoleOwner, each(12))
	second := accountstest.NewShop(t, w.Accounts)
	w.exec(`
		INSERT INTO memberships (user_uuid, organization_uuid, role, created_at)
		VALUES ($1, $2, 'owner', now())`, u.ID, second.Org)
	if err := w.Choose(t.Context(), accountstest.By(u), second.Org, each(12)); err != nil {
		t.Fatal(err)
	}
	var times []time.Time
	told := map[accounts.OrganizationID]int{}
	waiting := 0
	for range 24 * 12 { // ten seconds
		if random.IntN(2) == 0 {
			w.pay(w.App.ID, inTime, 1_000, "edfali")
		}
		if random.IntN(6) == 0 {
			w.pay(second.App.ID, inTime, 1_000, "edfali")
		}
		w.follow()
		w.turns()
		digests, summaries := w.written()
		for _, d := range digests {
			told[d.Organization] += d.Count
		}
		if waiting += len(digests) + len(summaries); waiting > 1 {
			t.Fatal("a mail was written while another was on its way")
		}
		if waiting > 0 && random.IntN(3) > 0 {
			w.sent()
			times, waiting = append(times, w.Now.Now()), 0
		}
		w.Later(10 * time.Second)
	}
	for n := 1; n < len(times); n++ {
		if apart := times[n].Sub(times[n-1]); apart < time.Minute {
			t.Errorf("mails %d and %d are %s apart", n-1, n, apart)
		}
	}
	if len(times) < 20 || told[w.Org] == 0 || told[second.Org] == 0 {
		t.Errorf("%d mails in 48 minutes; told %v", len(times), told)
	}
}

// After three mails in a row that were not taken, the member's mails end, with a record.
func TestRefusedMailsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.member(accounts.RoleOwner, each(3))
	for n := range 3 {
		if s := w.standing(u); s.Refused || !s.Any() {
			t.Fatalf("after %d refusals: %+v", n, s)
		}
		w.pay(w.App.ID, inTime, 1_000, "edfali")
		w.follow()
		w.turns()
		w.refused()
		w.written()
		w.Later(time.Hour - time.Second)
		w.turns()
		if digests, _ := w.written(); len(digests) > 0 {
			t.Errorf("told again at once: %+v", digests)
		}
		w.Later(6 * time.Hour)
		w.turns()
	}
	if s := w.standing(u); !s.Refused || s.Any() {
		t.Errorf("after three refusals: %+v", s)
	}
	if !accountstest.Contains(w.Trail(w.Org, 9), "system:mails mails.end done") {
		t.Errorf("the trail is %q", w.Trail(w.Org, 9))
	}
	w.written()
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	w.tell()
	if digests, summaries := w.written(); len(digests)+len(summaries) > 0 ||
		w.Count(`SELECT count(*) FROM notices`) > 0 {
		t.Errorf("told %v %v", digests, summaries)
	}
	w.choose(u, notices.Preferences{Payments: true})
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	w.tell()
	if digests, _ := w.written(); len(digests) != 1 || digests[0].Count != 1 || w.standing(u).Refused {
		t.Errorf("after another choice: %+v", digests)
	}
}

// A mail that is taken ends the count of those that were refused.
func TestRefusalsInARow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.member(accounts.RoleOwner, notices.Preferences{Payments: true})
	for n := range 8 {
		w.pay(w.App.ID, inTime, 1_000, "edfali")
		w.follow()
		w.turns()
		if n%3 == 2 {
			w.sent()
		} else {
			w.refused()
		}
		w.Later(6 * time.Hour)
	}
	if w.turns(); w.standing(u).Refused {
		t.Error("the mails have ended, and no three in a row were refused")
	}
}

// While the mail server takes nothing from us, nobody's mails end: everything is told when it is back.
func TestAServerThatIsAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.member(accounts.RoleOwner, notices.Preferences{Payments: true})
	for range 5 {
		w.pay(w.App.ID, inTime, 1_000, "edfali")
		w.follow()
		w.turns()
		w.Later(48 * time.Hour)
		w.refused()
		w.Later(time.Minute)
		w.turns()
		w.refused() // the next one, which was just written: not so soon in truth
		w.exec(`UPDATE mails SET created_at = finished_at - interval '2 days'`)
	}
	w.written()
	w.Later(time.Hour)
	w.turns()
	digests, _ := w.written()
	if s := w.standing(u); s.Refused || !s.Any() || len(digests) != 1 || digests[0].Count != 5 {
		t.Errorf("after ten days: %+v, told %+v", s, digests)
	}
	// A mailbox that takes nothing while others' mails are taken is another thing.
	w.exec(`INSERT INTO mails (uuid, state, created_at, finished_at) VALUES (gen_random_uuid(), 'sent', $1, $1)`,
		w.Now.Now().Add(48*time.Hour))
	for range 3 {
		w.Later(48 * time.Hour)
		w.refused()
		w.exec(`UPDATE mails SET finished_at = $1 WHERE state = 'sent'`, w.Now.Now())
		w.Later(8 * time.Hour)
		w.turns()
	}
	if s := w.standing(u); !s.Refused {
		t.Errorf("after three mails that were given up alone: %+v", s)
	}
}

package notices_test

import (
	"maps"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/notices"
)

// Notices of one member get their ordinals in the order of their commits: otherwise one that was not
// committed yet would be deleted with a mail that does not have it.
func TestNoticesWaitForEachOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.member(accounts.RoleOwner, notices.Preferences{Payments: true})
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	first := w.eventsAfter(0)
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	second := w.eventsAfter(first[len(first)-1].Position)
	var other sync.WaitGroup
	err := pgx.BeginFunc(t.Context(), w.Pool, func(tx pgx.Tx) error {
		if err := notices.Group().Handle(t.Context(), tx, first); err != nil {
			return err
		}
		other.Go(func() { w.handle(second) })
		w.WaitForLock()
		return nil
	})
	if other.Wait(); err != nil {
		t.Fatal(err)
	}
	w.turns()
	if digests, _ := w.written(); counted(digests)[notices.Paid] != 2 {
		t.Errorf("told %+v", digests)
	}
}

// Two servers that work on two organisations of one person wait for each other.
func TestOneTurnAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.member(accounts.RoleOwner, notices.Preferences{Payments: true})
	second := accountstest.NewShop(t, w.Accounts)
	w.exec(`
		INSERT INTO memberships (user_uuid, organization_uuid, role, created_at)
		VALUES ($1, $2, 'owner', now())`, u.ID, second.Org)
	err := w.Choose(t.Context(), accountstest.By(u), second.Org, notices.Preferences{Payments: true})
	if err != nil {
		t.Fatal(err)
	}
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	w.follow()
	var server sync.WaitGroup
	err = pgx.BeginFunc(t.Context(), w.Owner, func(tx pgx.Tx) error {
		const lockSQL = `SELECT FROM mail_preferences WHERE organization_uuid = $1 FOR NO KEY UPDATE`
		if _, err := tx.Exec(t.Context(), lockSQL, second.Org); err != nil {
			return err
		}
		server.Go(func() {
			if _, err := w.Step(t.Context()); err != nil {
				t.Error(err)
			}
		})
		w.WaitForLock()
		return nil
	})
	if server.Wait(); err != nil {
		t.Fatal(err)
	}
	if digests, _ := w.written(); len(digests) != 1 {
		t.Errorf("told %+v", digests)
	}
}

// Several servers, the group of the log, endpoints and members who choose get in each other's way, and
// nobody waits for ever or is told something twice.
func TestAllAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.member(accounts.RoleOwner, each(1)), w.member(accounts.RoleFinance, each(2))
	const rounds = 30
	for range rounds {
		w.pay(w.App.ID, inTime, 1_000, "edfali")
	}
	events := w.eventsAfter(0)
	var all sync.WaitGroup
	repeat := func(do func(n int) error) {
		all.Go(func() {
			for n := range rounds {
				if err := do(n); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 3 { // servers
		repeat(func(int) error {
			_, err := w.Step(t.Context())
			return err
		})
	}
	repeat(func(n int) error {
		batch := events[n*len(events)/rounds : (n+1)*len(events)/rounds]
		return pgx.BeginFunc(t.Context(), w.Pool, func(tx pgx.Tx) error {
			return notices.Group().Handle(t.Context(), tx, batch)
		})
	})
	repeat(func(int) error {
		return pgx.BeginFunc(t.Context(), w.Pool, func(tx pgx.Tx) error {
			return w.EndpointStopped(t.Context(), tx, w.App.ID, w.Now.Now(), "")
		})
	})
	repeat(func(n int) error {
		u := first
		if n%2 == 0 {
			u = second
		}
		return w.Choose(t.Context(), accountstest.By(u), w.Org, each(n%24))
	})
	repeat(func(int) error {
		_, err := w.Owner.Exec(t.Context(),
			`UPDATE mails SET state = 'sent', message = NULL, finished_at = created_at WHERE state = 'pending'`)
		return err
	})
	all.Wait()
	w.position = events[len(events)-1].Position
	for range 3 {
		w.tell()
	}
	digests, _ := w.written()
	told := map[string]map[notices.Kind]int64{}
	for _, d := range digests {
		if told[d.Email] == nil {
			told[d.Email] = map[notices.Kind]int64{}
		}
		for kind, n := range counted([]notices.Digest{d}) {
			told[d.Email][kind] += n
		}
	}
	want := map[notices.Kind]int64{notices.Paid: rounds, notices.Stopped: rounds}
	for _, email := range []string{first.Email, second.Email} {
		if !maps.Equal(told[email], want) {
			t.Errorf("%s was told %v, want %v", email, told[email], want)
		}
	}
}

// Events that the group gets again are told once.
func TestEventsAreToldOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.member(accounts.RoleOwner, notices.Preferences{Payments: true})
	for range 5 {
		w.pay(w.App.ID, inTime, 1_000, "edfali")
	}
	events := w.eventsAfter(0)
	for range 2 {
		w.handle(events[:len(events)/2])
	}
	w.handle(events)
	w.tell()
	w.handle(events)
	w.tell()
	digests, _ := w.written()
	if got := counted(digests); got[notices.Paid] != 5 {
		t.Errorf("told %v", got)
	}
}

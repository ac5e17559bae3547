package checkout_test

import (
	"fmt"
	"testing"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

func TestWithoutTheDatabaseNothingIsHalfDone(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	proxy := pgtest.Proxy(t, db.ServiceURL())
	w := newWorldOn(t, db, pgtest.Open(t, proxy.URL(), postgres.Options{SetServiceRole: true, MaxConns: 8}))
	i, j := w.create(), w.create()
	page := w.atCode(j, "0912345678")
	begun := w.acquirer.begun.Load()

	proxy.Refuse()
	for name, s := range map[string]shown{
		"page":  w.visit(path(i)),
		"start": w.post(path(i)+"/attempts", wallet("0912345678")),
		"code":  w.post(page.action(t), code("111111")),
	} {
		w.want(s, 503, "unavailable")
		if s.header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", name)
		}
	}
	message := fmt.Sprintf(`{"id":%q}`, w.attemptOf(db, j))
	if got := w.notify("/acquirers/sandbox/notifications", message, bankSecret); got != 503 {
		t.Errorf("notification: %d, want 503", got)
	}
	if w.acquirer.begun.Load() != begun || w.acquirer.confirmed.Load() != 0 {
		t.Error("the acquirer was called")
	}

	proxy.Pass()
	w.want(w.submit(w.want(w.visit(path(j)), 200, "otp"), code("111111")), 200, "receipt")
	w.want(w.visit(path(i)), 200, "pay")
	proxy.Cut() // as a restart of PostgreSQL does
	w.want(w.visit(path(i)), 200, "pay")
	w.wantHistory(i.ID, "created")
	k := w.create()
	w.want(w.submit(w.atCode(k, "0920000001"), code("111111")), 200, "processing")
	w.until(k, "receipt") // Run continues too
}

// attemptOf reads from the database without the proxy.
func (w *world) attemptOf(db *pgtest.DB, i domain.Intent) string {
	w.t.Helper()
	row := db.OwnerPool(w.t).QueryRow(w.t.Context(),
		`SELECT attempt FROM checkout_attempts WHERE intent_uuid = $1`, [16]byte(i.ID))
	var id string
	if err := row.Scan(&id); err != nil {
		w.t.Fatal(err)
	}
	return id
}

// Wherever the connection breaks, money is taken at most once and is in the
// ledger in the end. TestLongABrokenConnectionLosesNoMoney breaks it in more places.
func TestABrokenConnectionLosesNoMoney(t *testing.T) {
	t.Parallel()
	loseEvery(t, 500)
}

// loseEvery breaks the connection of two requests after step bytes, twice as many, and so on.
func loseEvery(t *testing.T, step int) {
	t.Helper()
	db := pgtest.Database(t)
	proxy := pgtest.Proxy(t, db.ServiceURL())
	w := newWorldOn(t, db, pgtest.Open(t, proxy.URL(), postgres.Options{SetServiceRole: true, MaxConns: 8}))
	for n := 0; n < 4000; n += step {
		i, phone := w.create(), fmt.Sprintf("0912%06d", n)
		proxy.LoseAfter(n)
		w.post(path(i)+"/attempts", wallet(phone))
		proxy.LoseAfter(n)
		w.post(path(i)+"/code", code("111111"))
		proxy.Pass()
		// The payer tries until the intent is paid; the statement shortens waits of a minute.
		w.eventually("it is paid", func() bool {
			w.exec(`
				UPDATE checkout_attempts
				SET created_at = created_at - interval '61 seconds', ask_at = stage_since, busy_until = NULL
				WHERE intent_uuid = $1
				  AND stage IN ('beginning', 'asking')`, [16]byte(i.ID))
			w.Wake()
			switch page := w.visit(path(i)); page.state() {
			case "pay":
				w.post(path(i)+"/attempts", wallet(phone))
			case "otp":
				w.post(path(i)+"/code", code("111111"))
			case "receipt":
				return true
			}
			return false
		})
		if taken := w.taken(); len(taken) != n/step+1 {
			t.Fatalf("cut after %d bytes: the bank took money %d times in all, want %d",
				n, len(taken), n/step+1)
		}
	}
}

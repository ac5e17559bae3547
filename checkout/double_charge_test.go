package checkout_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/ledger"
)

// Every form is sent to two servers at once, as by two clicks or two tabs. Each
// intent is charged once; at the end the world compares the bank's books with the ledger
// to the dirham. TestLongNoDoubleSubmissionChargesTwice sends more.
func TestNoDoubleSubmissionChargesTwice(t *testing.T) {
	t.Parallel()
	submitTwice(t, 40)
}

// submitTwice sends, for each intent, the form that begins and the form with the code, each twice
// at a time.
func submitTwice(t *testing.T, intents int) {
	t.Helper()
	const atOnce = 8
	w := newWorld(t)
	servers := [2]*instance{w.newInstance(zerolog.WarnLevel), w.newInstance(zerolog.WarnLevel)}
	twice := func(path string, form url.Values) {
		var both sync.WaitGroup
		for _, in := range servers {
			both.Go(func() {
				if res, _ := in.ask(t, http.MethodPost, path, form); res.StatusCode != http.StatusSeeOther {
					t.Errorf("%s: status %d, want 303", path, res.StatusCode)
				}
			})
		}
		both.Wait()
	}
	work := make(chan int)
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for n := range work {
				i, ok := w.createLoose(servers[n%2], domain.MinAmount+int64(n))
				if !ok {
					continue
				}
				twice(path(i)+"/attempts", wallet(fmt.Sprintf("0912%06d", n)))
				twice(path(i)+"/code", code("111111"))
			}
		})
	}
	for n := range intents {
		work <- n
	}
	close(work)
	all.Wait()

	charged := map[string]int{}
	for _, taking := range w.taken() {
		charged[taking.Intent]++
	}
	if len(charged) != intents {
		t.Errorf("%d intents were charged, want %d", len(charged), intents)
	}
	for intent, times := range charged {
		if times != 1 {
			t.Errorf("intent %s was charged %d times", intent, times)
		}
	}
	var events int
	if err := w.pool.QueryRow(t.Context(), `SELECT count(*) FROM events`).Scan(&events); err != nil {
		t.Fatal(err)
	}
	if want := 3 * intents; events != want {
		t.Errorf("%d events, want %d: created, attempt started and succeeded of each", events, want)
	}
	// Of two forms at a time, only one calls the bank.
	begun, confirmed := w.acquirer.begun.Load(), w.acquirer.confirmed.Load()
	if begun != int64(intents) || confirmed != int64(intents) {
		t.Errorf("the bank was called %d times to begin and %d times to confirm, want %d",
			begun, confirmed, intents)
	}
}

// createLoose makes an intent; unlike create it may be called on any goroutine.
func (w *world) createLoose(in *instance, amount int64) (domain.Intent, bool) {
	created, _, err := in.ledger.Create(w.t.Context(), domain.Create{Terms: domain.Terms{
		Application: w.app.ID, MerchantReference: domain.MerchantReference(uuid.NewString()),
		Amount: domain.Money{Minor: amount, Currency: domain.LYD}, Description: "كتابان",
	}}, w.space, ledger.Origin{Actor: "application:" + w.app.ID.String()})
	if err != nil {
		w.t.Error(err)
		return domain.Intent{}, false
	}
	i, err := in.ledger.Load(w.t.Context(), created.ID)
	if err != nil {
		w.t.Error(err)
	}
	return i, err == nil
}

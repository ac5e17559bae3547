package checkout_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
)

// An attempt that is open in the ledger and has no row is settled too.
func TestALostRowIsWrittenAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, look := range map[string]func(domain.Intent){
		"page":  func(i domain.Intent) { w.want(w.visit(path(i)), 200, "processing") },
		"state": func(i domain.Intent) { w.version(i) },
		"code":  func(i domain.Intent) { w.want303(w.post(path(i)+"/code", code("111111"))) },
	} {
		w.acquirer.failInquire(func(context.Context) error { return errLost })
		i, attempt := w.pendingAtTheBank()
		w.settle(attempt, "paid")
		if err := w.bank.WaitNotified(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.whileIdle(attempt, `DELETE FROM checkout_attempts WHERE attempt = $1 AND busy_until IS NULL`)
		w.acquirer.inquire.Store(nil)
		w.wantHistory(i.ID, "created", "attempt_started")
		look(i)
		w.wantStage(attempt, "closed")
		w.wantHistory(i.ID, "created", "attempt_started", "succeeded")
		var kept []string
		err := w.pool.QueryRow(t.Context(),
			`SELECT ARRAY[acquirer, method, payer] FROM checkout_attempts WHERE attempt = $1`, attempt).Scan(&kept)
		if diff := cmp.Diff([]string{"sandbox", "wallet", "092•••0003"}, kept); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// A server does not write the lost row of an acquirer that it does not have: a server with that
// acquirer does.
func TestALostRowOfAnotherAcquirerWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, attempt := w.pendingAtTheBank()
	w.exec(`DELETE FROM checkout_attempts WHERE attempt = $1`, attempt)
	has := w.handler.Load()
	w.serve(w.newServer(named{w.acquirer, "other"}).Handler())
	asked := w.acquirer.inquired.Load()
	page := w.want(w.visit(path(i)), 200, "processing")
	if len(page.document.all("form")) != 0 {
		t.Error("the page offers what only the acquirer can do")
	}
	w.handler.Store(has)
	w.eventually("a server that has it asks", func() bool { return w.acquirer.inquired.Load() > asked })
	w.wantHistory(i.ID, "created", "attempt_started")
}

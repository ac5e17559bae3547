package checkout_test

import (
	"context"
	"testing"

	"daftar/payments/acquirer"
)

// The acquirer has told that it knows the outcome, and cannot be asked in that
// moment. It is asked again soon, and not when the payer's code has lapsed: the
// payer, who may have paid at the bank, would be shown a page for a code till then.
func TestAHintThatMeetsAnOutageIsFollowedSoon(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.atCode(i, "0912345678")
	attempt := w.lastAttempt(i.ID)
	asked := make(chan struct{}, 1)
	w.acquirer.inquires(func(context.Context) error {
		select {
		case asked <- struct{}{}:
		default:
		}
		return acquirer.ErrNotSent
	})
	w.due(attempt)
	<-asked
	w.eventually("the next inquiry is one of the schedule", func() bool {
		var seconds float64
		const sql = `SELECT extract(epoch FROM ask_at - stage_since)::float8 FROM checkout_attempts WHERE attempt = $1`
		if err := w.pool.QueryRow(t.Context(), sql, attempt).Scan(&seconds); err != nil {
			t.Fatal(err)
		}
		return seconds == 5 || seconds == 15 || seconds == 60
	})
	w.acquirer.inquire.Store(nil)
	w.settle(attempt, "paid")
	w.due(attempt)
	w.until(i, "receipt")
}

package checkout_test

import (
	"context"
	"testing"

	"daftar/payments/acquirer"
)

// The acquirer has notified that it knows the outcome, but the inquiry fails. It is repeated
// soon, and not only when the payer's code has lapsed: until then the payer, who may have paid
// at the bank, would see a page for a code.
func TestAHintThatMeetsAnOutageIsFollowedSoon(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.atCode(i, "0912345678")
	attempt := w.lastAttempt(i.ID)
	asked := make(chan struct{}, 1)
	w.acquirer.failInquire(func(context.Context) error {
		select {
		case asked <- struct{}{}:
		default:
		}
		return acquirer.ErrNotSent
	})
	w.due(attempt)
	<-asked
	w.eventually("the next inquiry is one of the schedule", func() bool {
		seconds := value[float64](w, `
			SELECT extract(epoch FROM ask_at - stage_since)::float8
			FROM checkout_attempts
			WHERE attempt = $1`, attempt)
		return seconds == 5 || seconds == 15 || seconds == 60
	})
	w.acquirer.inquire.Store(nil)
	w.settle(attempt, "paid")
	w.due(attempt)
	w.until(i, "receipt")
}

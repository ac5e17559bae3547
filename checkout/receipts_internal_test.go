package checkout

import (
	"context"
	"testing"

	"daftar/domain"
)

// A refund of a second payment does not count for the receipt, which is about the first.
func TestProofHasRefundedAmount(t *testing.T) {
	t.Parallel()
	money := func(minor int64) domain.Money { return domain.Money{Minor: minor, Currency: domain.LYD} }
	i := domain.Intent{
		Terms: domain.Terms{Amount: money(5000)}, PaidBy: "first",
		Attempts: []domain.Attempt{
			{ID: "first", State: domain.AttemptStatePaid},
			{ID: "second", State: domain.AttemptStatePaid},
		},
	}
	for _, step := range []struct {
		of         domain.AttemptID
		back, want int64
	}{{"second", 5000, 0}, {"first", 1200, 1200}, {"first", 3800, 5000}} {
		i.Refunds = append(i.Refunds, domain.Refund{Attempt: step.of, Amount: money(step.back)})
		if got := refunded(i); got != money(step.want) {
			t.Errorf("after a refund of %d of the %s payment: %s refunded, want %s",
				step.back, step.of, got, money(step.want))
		}
	}
}

// A picture that has to wait for too long is not drawn; the answer asks to try again.
func TestPicturesWaitForTheirTurn(t *testing.T) {
	t.Parallel()
	c := &Checkout{drawing: make(chan struct{}, 1)}
	c.drawing <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.drawReceipt(ctx, Page{State: Receipt{}}); err == nil || !isTransient(err) {
		t.Errorf("the error is %v", err)
	}
}

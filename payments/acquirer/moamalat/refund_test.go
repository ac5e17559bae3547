package moamalat_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
)

func (w *world) refundable() acquirer.Ref {
	w.t.Helper()
	p := w.paid()
	report := w.inquire(p)
	ref := refOf(p)
	ref.ProviderReference, ref.Memo = report.ProviderReference, report.Memo
	return ref
}

func lyd(minor int64) domain.Money { return domain.Money{Minor: minor, Currency: domain.LYD} }

func TestARefundOfAnotherDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ref := w.refundable()
	w.clock.Advance(48 * time.Hour)
	if _, err := w.account.Refund(t.Context(), ref, ref.Money); err != nil {
		t.Error(err)
	}
}

// The memo may be lost, or name the network's number.
func TestNumbersOfARefund(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ref := w.refundable()
	ref.Memo = ""
	if _, err := w.account.Refund(t.Context(), ref, lyd(1_000)); err != nil {
		t.Errorf("without the memo: %v", err)
	}
	ref.Memo = "NetworkReference"
	if _, err := w.account.Refund(t.Context(), ref, lyd(1_000)); err == nil {
		t.Error("the gateway's own number was taken for the network's")
	}
	ref.ProviderReference = "6327" + strings.Repeat("0", 8-len(ref.ProviderReference)) + ref.ProviderReference
	if _, err := w.account.Refund(t.Context(), ref, lyd(1_000)); err != nil {
		t.Errorf("by the network's number: %v", err)
	}
}

func TestRefundsThatAreNotSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ref := w.refundable()
	unknown := ref
	unknown.ProviderReference = ""
	for name, tc := range map[string]struct {
		ref    acquirer.Ref
		amount domain.Money
	}{
		"more than was paid": {ref, lyd(ref.Money.Minor + 1)},
		"nothing":            {ref, lyd(0)},
		"less than nothing":  {ref, lyd(-1)},
		"another currency":   {ref, domain.Money{Minor: 1, Currency: "USD"}},
		"no number":          {unknown, ref.Money},
	} {
		if _, err := w.account.Refund(t.Context(), tc.ref, tc.amount); !errors.Is(err, acquirer.ErrNotSent) {
			t.Errorf("%s: %v, want ErrNotSent", name, err)
		}
	}
	if got := w.Books(ref.Reference).Refunded; got != 0 {
		t.Errorf("books: %d refunded, want nothing", got)
	}
}

package moamalat_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"daftar/checkout/acquirer"
	"daftar/domain"

	"github.com/go-json-experiment/json"
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

func (w *world) refundedInBooks(reference string) int64 {
	w.t.Helper()
	res, err := w.server.Client().Get(w.server.URL + "/control/ledger")
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	var books struct {
		Payments []struct {
			Reference string `json:"reference"`
			Refunded  int64  `json:"refunded"`
		} `json:"payments"`
	}
	if err := json.UnmarshalRead(res.Body, &books); err != nil {
		w.t.Fatal(err)
	}
	for _, p := range books.Payments {
		if p.Reference == reference {
			return p.Refunded
		}
	}
	return -1
}

func TestRefundsInParts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ref := w.refundable()
	for _, part := range []int64{1_000_001, 234_500} {
		if refunded, err := w.account.Refund(t.Context(), ref, lyd(part)); err != nil || refunded.Money != lyd(part) {
			t.Errorf("refund of %d: %+v, %v", part, refunded, err)
		}
	}
	if got := w.refundedInBooks(ref.Reference); got != ref.Money.Minor {
		t.Errorf("books: %d refunded, want all", got)
	}
	// Whose refund that was is not known: neither "not sent" nor done.
	_, err := w.account.Refund(t.Context(), ref, lyd(1))
	if err == nil || errors.Is(err, acquirer.ErrNotSent) || errors.Is(err, acquirer.ErrAccount) || !strings.Contains(err.Error(), "refunded already") {
		t.Errorf("one more: %v, want that it was refunded already", err)
	}
}

func TestARefundOfAnotherDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ref := w.refundable()
	w.clock.Advance(48 * time.Hour)
	if _, err := w.account.Refund(t.Context(), ref, ref.Money); err != nil {
		t.Error(err)
	}
}

// What was remembered may be lost, or name the network's number.
func TestWhatARefundIsCalledBy(t *testing.T) {
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
	if got := w.refundedInBooks(ref.Reference); got != 0 {
		t.Errorf("books: %d refunded, want nothing", got)
	}
}

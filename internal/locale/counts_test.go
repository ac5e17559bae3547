package locale_test

import (
	"testing"

	"daftar/internal/locale"
)

func TestCountedPayments(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][3]string{
		0: {"0 دفعة", "0 عملية", "0 transactions"}, 1: {"دفعة واحدة", "عملية واحدة", "1 transaction"},
		2: {"دفعتان", "عمليتين", "2 transactions"}, 10: {"10 دفعات", "10 عمليات", "10 transactions"},
		11: {"11 دفعة", "11 عملية", "11 transactions"}, 103: {"103 دفعات", "103 عمليات", "103 transactions"},
		230: {"230 دفعة", "230 عملية", "230 transactions"},
	} {
		got := [3]string{locale.Payments(locale.Arabic, n), locale.AmongTransactions(locale.Arabic, n),
			locale.Transactions(locale.English, n)}
		if got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

//go:build long

package dashboard_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/projections/projectionstest"
)

// rounds is how often a slow page is measured.
const rounds = 3

// Over a million payments of an application, the answer of the till comes within 100 ms, p99, and the
// home of the dashboard within 300 ms.
func TestLongMeasuredPagesOverAMillion(t *testing.T) {
	const receipts, looks, till, home = 300, 100, 100 * time.Millisecond, 300 * time.Millisecond
	w := newWorld(t)
	owner := w.db.OwnerPool(t)
	projectionstest.Fill(t, owner, w.ours.apps[0].ID, 1_000_000)
	if _, err := owner.Exec(t.Context(), `ANALYZE`); err != nil {
		t.Fatal(err)
	}
	sold := make([]domain.Intent, rounds*receipts)
	for n := range sold {
		sold[n] = w.sale(t, w.ours, 0, nil, paid(domain.NewAttemptID(uuid.New()), 5000)...)
	}
	w.project(t)
	c := w.support(t)
	measure(t, "the till", till, receipts, func(n int) {
		page := c.post(w.ours.path("check"), "form", uuid.NewString(), "reference", string(sold[n].Reference))
		if !strings.Contains(page.body, `data-verdict="good"`) {
			t.Fatalf("the verdict is not good: %s", page.text())
		}
	})
	measure(t, "the home", home, looks, func(int) {
		c.get(w.ours.path("overview")).is(t, http.StatusOK)
	})
}

// measure reports a p99 above the limit. Other processes make a page slower and never faster, so the
// best of up to three rounds counts.
func measure(t *testing.T, what string, limit time.Duration, times int, do func(n int)) {
	t.Helper()
	best := time.Hour
	for round := 0; round < rounds && best > limit; round++ {
		took := make([]time.Duration, times)
		for n := range took {
			began := time.Now()
			do(round*times + n)
			took[n] = time.Since(began)
		}
		slices.Sort(took)
		p99 := took[(times-1)*99/100]
		t.Logf("%s: p50 %v, p99 %v, longest %v", what, took[times/2], p99, took[times-1])
		best = min(best, p99)
	}
	if best > limit {
		t.Errorf("%s: p99 %v, limit %v", what, best, limit)
	}
}

package settlements_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"daftar/books"
	"daftar/domain"
	"daftar/payments/acquirer/statements"
	"daftar/payments/settlements"
	"daftar/reconcile"
)

// Shares are in a settlement for each day, in the order of their lines, with the fees of the file, also where
// it writes them as negative amounts.
func TestADraftHasASettlementForEachDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second, third := w.sale(5000), w.sale(7000), w.sale(9000)
	refund := *first
	refund.Refund, refund.Amount = domain.RefundID(uuid.New()), -1000
	r := report(first, second, third, &refund, second)
	r.Columns = map[statements.Field]string{statements.Fee: "Fee", statements.Settled: "Value date"}
	for n, fee := range []int64{-50, -70, -90, 10, -70} {
		r.Pairs[n].Line.Fee = fee
		r.Pairs[n].Line.Settled = day.Add(-n % 2)
	}
	d, err := w.Lay(t.Context(), w.key(), r, "november.csv", hash("november"))
	if err != nil {
		t.Fatal(err)
	}
	sums, shares := settlements.Sum(d.Settlements)
	if shares != 4 || len(d.Settlements) != 2 || d.Undated() || sums.Gross != 20000 || sums.Fees != 200 {
		t.Fatalf("%d settlements of %d shares, %+v", len(d.Settlements), shares, sums)
	}
	c, err := d.Command(settlements.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	before, last := c.Settlements[0], c.Settlements[1]
	if before.ValueDate != day.Add(-1) || before.Fees != 60 || before.Net != 5940 || last.ValueDate != day ||
		last.Fees != 140 || last.Net != 13860 || *before.Shares[1].Refund != uuid.UUID(refund.Refund) {
		t.Errorf("%+v and %+v", before, last)
	}
}

// What a person says of the whole statement is divided to the dirham; what is left is in the last part.
func TestFeesOfTheWholeAreDivided(t *testing.T) {
	t.Parallel()
	var d settlements.Draft
	for _, gross := range []int64{1_000_000_000_000, 333, 667} {
		d.Settlements = append(d.Settlements, books.NewSettlement{Shares: []books.Share{{Amount: gross}}})
	}
	if _, err := d.Command(settlements.Terms{}); !errors.Is(err, settlements.ErrFees) {
		t.Errorf("without fees: %v", err)
	}
	fees, net := int64(123_456_789_123), int64(876_543_211_000)
	for name, terms := range map[string]settlements.Terms{
		"fees": {Fees: &fees}, "net": {Net: &net}, "both": {Fees: &fees, Net: &net},
	} {
		c, err := d.Command(terms)
		if err != nil {
			t.Fatal(err)
		}
		var sums books.Sums
		for _, s := range c.Settlements {
			sums.Fees, sums.Net = sums.Fees+s.Fees, sums.Net+s.Net
		}
		if terms.Fees != nil && sums.Fees != fees || terms.Net != nil && sums.Net != net ||
			name != "both" && sums.Fees+sums.Net != 1_000_000_001_000 {
			t.Errorf("%s: %+v", name, sums)
		}
	}
}

// Drafts with one digest are the same; days and fees that a person says are not in it.
func TestDigest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.sale(5000), w.sale(7000)
	one := w.lay("a", first, second)
	digests := map[string]bool{}
	for _, d := range []settlements.Draft{
		one, w.lay("a", first, second), w.lay("b", first, second), w.lay("a", first),
	} {
		digest, err := d.Digest()
		if err != nil {
			t.Fatal(err)
		}
		digests[digest] = true
	}
	if len(digests) != 3 {
		t.Errorf("%d digests of three drafts", len(digests))
	}
}

// 50,000 lines are accepted, in settlements of at most 4,000 payments.
func TestALargeStatement(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	entries := make([]*reconcile.Entry, books.MaxStatement)
	for n := range entries {
		entries[n] = &reconcile.Entry{
			Intent:  domain.IntentID(uuid.New()),
			Attempt: domain.AttemptID(uuid.NewString()[:26]), Amount: 5000,
		}
	}
	if state, err := w.accept(w.finance, w.lay("large", entries...)); state != "recorded" || err != nil {
		t.Fatal(state, err)
	}
	d := w.lay("again", entries...)
	if len(d.Covered) != books.MaxStatement || len(d.Settlements) != 0 {
		t.Errorf("%d are covered, %d settlements are open", len(d.Covered), len(d.Settlements))
	}
	all, err := w.Latest(t.Context(), w.tenant(), 50)
	if err != nil || len(all) != 13 {
		t.Errorf("%d settlements, %v", len(all), err)
	}
}

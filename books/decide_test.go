package books_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/books"
	"daftar/domain"
)

func TestDecide(t *testing.T) {
	t.Parallel()
	recorded := []books.Command{statement(settlement(id, payment(1, 10_000)))}
	withdrawn := []books.Command{recorded[0], withdrawal(id)}
	two := uuid.UUID{0x6}
	long := strings.Repeat("ق", books.MaxText)
	with := func(change func(*books.RecordStatement, *books.NewSettlement)) books.Command {
		s := settlement(id, payment(1, 10_000))
		c := statement()
		change(&c, &s)
		c.Settlements = append(c.Settlements, s)
		return c
	}
	many := func(settlements, shares int) books.Command {
		c, n := statement(), 0
		for k := range settlements {
			s := settlement(uuid.UUID{1, byte(k >> 8), byte(k)})
			for range shares {
				n++
				s.Shares = append(s.Shares, payment(1, 1))
				s.Shares[len(s.Shares)-1].Attempt = domain.AttemptID(fmt.Sprint(n))
			}
			s.Taken = takenOf(s.Shares)
			c.Settlements = append(c.Settlements, s)
		}
		return c
	}
	type (
		rs = *books.RecordStatement
		ns = *books.NewSettlement
	)
	for _, row := range []struct {
		what    string
		given   []books.Command
		command books.Command
		refused books.Refusal
		events  int
	}{
		{"a statement", nil, recorded[0], "", 1},
		{"without a file", nil, with(func(c rs, _ ns) { c.File, c.SHA256 = "", "" }), "", 1},
		{"without a reference", nil, with(func(_ rs, s ns) { s.BankReference = "" }), "", 1},
		{"fees that came back", nil, with(func(_ rs, s ns) { s.Fees, s.Net = -150, 10_150 }), "", 1},
		{"no expectation", nil, with(func(_ rs, s ns) { s.ExpectedFees = nil }), "", 1},
		{"texts as long as may be", nil, with(func(c rs, s ns) { c.File, s.BankReference = long, long }), "", 1},
		{"a refund alone", nil, statement(settlement(id, refund(1, 5))), "", 1},
		{"a payment and its refund", nil, statement(settlement(id, payment(1, 10_000), refund(1, 10_000))), "", 1},
		{"two settlements", nil, statement(settlement(id, payment(1, 1)), settlement(two, payment(2, 1))), "", 2},
		{"as many settlements as may be", nil, many(books.MaxSettlements, 1), "", books.MaxSettlements},
		{"as many shares as may be", nil, many(1, books.MaxShares), "", 1},
		{"a statement as long as may be", nil, many(20, books.MaxStatement/20), "", 20},
		{"one settlement too many", nil, many(books.MaxSettlements+1, 1), books.RefusedMalformed, 0},
		{"one share too many", nil, many(1, books.MaxShares+1), books.RefusedMalformed, 0},
		{"a statement that is too long", nil, many(21, books.MaxStatement/20), books.RefusedMalformed, 0},
		{"no settlement", nil, statement(), books.RefusedMalformed, 0},
		{"no share", nil, statement(settlement(id)), books.RefusedMalformed, 0},
		{"a file without a hash", nil, with(func(c rs, _ ns) { c.SHA256 = "" }), books.RefusedMalformed, 0},
		{"a hash without a file", nil, with(func(c rs, _ ns) { c.File = "" }), books.RefusedMalformed, 0},
		{"a short hash", nil, with(func(c rs, _ ns) { c.SHA256 = hash[1:] }), books.RefusedMalformed, 0},
		{"a hash in capitals", nil, with(func(c rs, _ ns) { c.SHA256 = strings.ToUpper(hash) }),
			books.RefusedMalformed, 0},
		{"a long name", nil, with(func(c rs, _ ns) { c.File = long + "ق" }), books.RefusedMalformed, 0},
		{"a NUL", nil, with(func(c rs, _ ns) { c.File = "a\x00" }), books.RefusedMalformed, 0},
		{"no UTF-8", nil, with(func(_ rs, s ns) { s.BankReference = "\xff" }), books.RefusedMalformed, 0},
		{"two lines", nil, with(func(_ rs, s ns) { s.BankReference = "a\nb" }), books.RefusedMalformed, 0},
		{"a long reference", nil, with(func(_ rs, s ns) { s.BankReference = long + "ق" }),
			books.RefusedMalformed, 0},
		{"no day", nil, with(func(_ rs, s ns) { s.ValueDate = domain.Day{} }), books.RefusedMalformed, 0},
		{"too much", nil, with(func(_ rs, s ns) { s.Net = 1 << 60 }), books.RefusedMalformed, 0},
		{"too little", nil, with(func(_ rs, s ns) { s.Fees = -1 << 60 }), books.RefusedMalformed, 0},
		{"too much expected", nil, with(func(_ rs, s ns) { s.ExpectedFees = new(int64(1 << 60)) }),
			books.RefusedMalformed, 0},
		{"nothing paid", nil, statement(settlement(id, payment(1, 0))), books.RefusedMalformed, 0},
		{"a payment of less than nothing", nil, statement(settlement(id, payment(1, -1))),
			books.RefusedMalformed, 0},
		{"a refund that pays", nil, statement(settlement(id, refund(1, -1))), books.RefusedMalformed, 0},
		{"a share of too much", nil, statement(settlement(id, payment(1, 1<<60))), books.RefusedMalformed, 0},
		{"no attempt", nil, statement(settlement(id, books.Share{Amount: 1})), books.RefusedMalformed, 0},
		{"a line before the first", nil, statement(settlement(id,
			books.Share{Attempt: "a", Amount: 1, Line: -1})), books.RefusedMalformed, 0},
		{"one payment twice", nil, statement(settlement(id, payment(1, 1), payment(1, 2))),
			books.RefusedCovered, 0},
		{"one payment in two settlements", nil,
			statement(settlement(id, payment(1, 1)), settlement(two, payment(1, 1))), books.RefusedCovered, 0},
		{"one refund twice", nil, statement(settlement(id, refund(1, 1), refund(1, 1))), books.RefusedCovered, 0},
		{"one id twice", nil, statement(settlement(id, payment(1, 1)), settlement(id, payment(2, 1))),
			books.RefusedSettlementKnown, 0},

		{"no days", nil, with(func(_ rs, s ns) { s.Taken = nil }), books.RefusedMalformed, 0},
		{"days that do not add up", nil, with(func(_ rs, s ns) { s.Taken[0].Amount-- }),
			books.RefusedMalformed, 0},
		{"one day twice", nil, with(func(_ rs, s ns) {
			s.Taken = append(s.Taken, books.Taken{On: s.Taken[0].On})
		}), books.RefusedMalformed, 0},
		{"taken on no day", nil, with(func(_ rs, s ns) { s.Taken[0].On = domain.Day{} }),
			books.RefusedMalformed, 0},

		{"the same statement", recorded, recorded[0], books.RefusedStatementKnown, 0},
		{"the same file with other content", recorded, statement(settlement(two, payment(2, 1))),
			books.RefusedStatementKnown, 0},
		{"the same id", recorded, with(func(c rs, _ ns) { c.File, c.SHA256 = "", "" }),
			books.RefusedSettlementKnown, 0},
		{"a payment that is covered", recorded, with(func(c rs, s ns) {
			c.SHA256, s.ID = strings.Repeat("1", 64), two
		}), books.RefusedCovered, 0},
		{"the refund of a payment that is covered", recorded, books.RecordStatement{
			Settlements: []books.NewSettlement{settlement(two, refund(1, 1))},
		}, "", 1},
		{"what was withdrawn, under another id", withdrawn, statement(settlement(two, payment(1, 10_000))), "", 1},
		{"what was withdrawn, under its id", withdrawn, recorded[0], books.RefusedSettlementKnown, 0},
		{"a file of which one settlement is withdrawn",
			[]books.Command{statement(settlement(id, payment(1, 1)), settlement(two, payment(2, 1))), withdrawal(id)},
			statement(settlement(uuid.UUID{7}, payment(1, 1))), books.RefusedStatementKnown, 0},

		{"a correction", recorded, correction(), "", 1},
		{"a correction twice", []books.Command{recorded[0], correction()}, correction(), "", 0},
		{"a correction of what was never recorded", nil, correction(), books.RefusedUnknownSettlement, 0},
		{"a correction to no day", recorded, books.CorrectSettlement{ID: id}, books.RefusedMalformed, 0},
		{"a correction to a long reference", recorded,
			books.CorrectSettlement{ID: id, ValueDate: day, BankReference: long + "ق"}, books.RefusedMalformed, 0},
		{"a correction to too much", recorded,
			books.CorrectSettlement{ID: id, ValueDate: day, Net: 1 << 60}, books.RefusedMalformed, 0},
		{"a correction of what is withdrawn", withdrawn, correction(), books.RefusedWithdrawn, 0},
		{"a withdrawal", recorded, withdrawal(id), "", 1},
		{"a withdrawal twice", withdrawn, withdrawal(id), "", 0},
		{"a withdrawal of what was never recorded", recorded, withdrawal(two), books.RefusedUnknownSettlement, 0},

		{"a fee", nil, fee(day, 150, 250), "", 1},
		{"the same fee", []books.Command{fee(day, 150, 250)}, fee(day, 150, 250), "", 0},
		{"another fee from that day", []books.Command{fee(day, 150, 250)}, fee(day, 150, 0), "", 1},
		{"the fee before the last", []books.Command{fee(day, 1, 0), fee(day, 2, 0)}, fee(day, 1, 0), "", 1},
		{"the same fee from a later day", []books.Command{fee(day, 150, 250)}, fee(day.Add(1), 150, 250), "", 1},
		{"all of it", nil, fee(day, books.MaxRate, 0), "", 1},
		{"more than all of it", nil, fee(day, books.MaxRate+1, 0), books.RefusedMalformed, 0},
		{"a rate below nothing", nil, fee(day, -1, 0), books.RefusedMalformed, 0},
		{"a minimum below nothing", nil, fee(day, 0, -1), books.RefusedMalformed, 0},
		{"a minimum that is too high", nil, fee(day, 0, 1<<60), books.RefusedMalformed, 0},
		{"a fee from no day", nil, fee(domain.Day{}, 150, 0), books.RefusedMalformed, 0},
		{"a fee of no method", nil, books.ScheduleFee{From: day}, books.RefusedMalformed, 0},
		{"a fee of a long method", nil, books.ScheduleFee{From: day, Method: long + "a"},
			books.RefusedMalformed, 0},
	} {
		a, same := given(t, row.given...), given(t, row.given...)
		events, err := books.Decide(&a, row.command, t0)
		if len(events) != row.events || (err == nil) != (row.refused == "") || !errors.Is(err, orNil(row.refused)) {
			t.Errorf("%s: %d events, %v; want %d and %q", row.what, len(events), err, row.events, row.refused)
		}
		if diff := cmp.Diff(same, a, exact); diff != "" {
			t.Errorf("%s: the account was changed (-before +after):\n%s", row.what, diff)
		}
		for _, e := range events {
			s, err := books.Encode(e)
			if err != nil {
				t.Fatalf("%s: %v", row.what, err)
			}
			if read, err := books.Decode(record{1, s}); err != nil || !cmp.Equal(e, read) {
				t.Errorf("%s: what was decided reads as %v, %v", row.what, read, err)
			}
		}
	}
}

func orNil(r books.Refusal) error {
	if r == "" {
		return nil
	}
	return r
}

// What the events say of the settlements.
func TestStateOfAnAccount(t *testing.T) {
	t.Parallel()
	c := statement(settlement(id, payment(1, 12_000), refund(2, 2_000)))
	a := given(t, c)
	want := books.Settlement{
		Sums: books.Sums{Gross: 10_000, Fees: 150, Net: 9_850}, ValueDate: day, BankReference: "FT-1", SHA256: hash,
		Taken: []books.Taken{{On: day.Add(-3), Amount: 10_000}},
	}
	check := func(what string, a books.ProviderAccount, open bool) {
		t.Helper()
		got, found := a.Settlement(id)
		if diff := cmp.Diff(want, got); diff != "" || !found {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		if a.Covers(payment(1, 12_000)) == open || a.Covers(refund(2, 1)) == open || a.Accepted(hash) == open {
			t.Errorf("%s: its shares are open: %t", what, !open)
		}
		if a.Covers(payment(2, 1)) || a.Covers(refund(1, 1)) || a.Accepted("") {
			t.Errorf("%s covers what was never settled", what)
		}
	}
	check("recorded", a, false)
	want.Fees, want.Net, want.ValueDate, want.BankReference = 100, 9_900, day.Add(1), "FT-2"
	better := correction()
	better.ValueDate, better.Fees, better.Net, better.BankReference = day.Add(1), 100, 9_900, "FT-2"
	check("corrected", given(t, c, better), false)
	want.Sums, want.Withdrawn = books.Sums{}, true
	check("withdrawn", given(t, c, better, withdrawal(id)), true)
	if _, found := a.Settlement(uuid.UUID{9}); found {
		t.Error("a settlement that was never recorded is found")
	}
	// The file stays accepted until nothing of it holds.
	two := uuid.UUID{6}
	of := statement(settlement(id, payment(1, 1)), settlement(two, payment(2, 1)))
	a = given(t, of, withdrawal(id))
	if !a.Accepted(hash) || a.Covers(payment(1, 1)) || !a.Covers(payment(2, 1)) {
		t.Error("one of two settlements is withdrawn")
	}
	if a := given(t, of, withdrawal(id), withdrawal(two)); a.Accepted(hash) || a.Covers(payment(2, 1)) {
		t.Error("both settlements are withdrawn")
	}
}

func TestTimesNeverGoBack(t *testing.T) {
	t.Parallel()
	for _, c := range []books.Command{statement(settlement(id, payment(1, 1))), fee(day, 1, 0)} {
		a := given(t, c)
		for _, at := range []time.Time{t0.Add(-time.Hour), t0, t0.Add(time.Hour + time.Nanosecond)} {
			events, err := books.Decide(&a, fee(day.Add(9), 7, 0), at.In(time.FixedZone("", 7200)))
			if err != nil || len(events) != 1 {
				t.Fatalf("%v, %v", events, err)
			}
			want := at.Truncate(time.Microsecond)
			if want.Before(t0) {
				want = t0
			}
			if got := events[0].(books.FeeScheduled).At; got != want.UTC() {
				t.Errorf("at %s it was recorded at %s", at, got)
			}
		}
	}
}

func TestExpectedFee(t *testing.T) {
	t.Parallel()
	later := day.Add(10)
	a := given(t, fee(day, 150, 250), fee(later, 200, 0), fee(later, 100, 0), fee(day.Add(5), 0, 700))
	for _, row := range []struct {
		on     domain.Day
		amount int64
		want   int64
	}{
		{day, 100_000, 1_500},
		{day, 1_000, 250}, // the minimum
		{day, 16_666, 250},
		{day, 16_700, 251},             // 250.5 are rounded up
		{day, 16_699, 250},             // 250.485 are not
		{day.Add(4), 100_000, 1_500},   // the last day
		{day.Add(5), 100_000, 700},     // recorded later, and of an earlier day than the next
		{day.Add(9), 100_000, 700},     //
		{later, 100_000, 1_000},        // the last that was recorded for this day
		{later.Add(1_000), 49, 0},      // 0.49
		{later.Add(1_000), 50, 1},      // 0.5
		{later, domain.MaxAmount, 1e7}, // no overflow
	} {
		if fee, known := a.ExpectedFee("card", row.on, row.amount); fee != row.want || !known {
			t.Errorf("%d on %s: %d, %t; want %d", row.amount, row.on, fee, known, row.want)
		}
	}
	for method, on := range map[string]domain.Day{"card": day.Add(-1), "wallet": later, "": later} {
		if fee, known := a.ExpectedFee(method, on, 1e6); fee != 0 || known {
			t.Errorf("%q on %s: %d, %t; nothing is on record", method, on, fee, known)
		}
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	recorded, corrected := stored(t, "settlement.recorded.v1"), stored(t, "settlement.corrected.v1")
	a, err := books.Replay(key, []record{{1, recorded}, {2, corrected}})
	if s, found := a.Settlement(id); err != nil || a.Version != 2 || !found || s.Net != 9_800 || a.Key != key {
		t.Errorf("replayed: %+v, %v", a, err)
	}
	if blank, err := books.Replay[record](key, nil); err != nil || !cmp.Equal(blank, books.Blank(key), exact) {
		t.Errorf("of no events: %+v, %v", blank, err)
	}
	for what, stream := range map[string][]record{
		"the first is missing":   {{2, recorded}},
		"one is missing":         {{1, recorded}, {3, corrected}},
		"one is there twice":     {{1, recorded}, {1, recorded}},
		"an intent's":            {{1, domain.StoredEvent{Type: domain.TypeExpired, SchemaVersion: 1}}},
		"one of a newer version": {{1, recorded}, {2, domain.StoredEvent{Type: "fee.scheduled", SchemaVersion: 2}}},
	} {
		if a, err := books.Replay(key, stream); err == nil || strings.Contains(what, "newer") !=
			(errors.Is(err, domain.ErrUnknownEvent) && stream[0].Type == recorded.Type) {
			t.Errorf("%s: %+v, %v", what, a, err)
		}
	}
}

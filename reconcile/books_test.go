package reconcile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"daftar/domain"
	"daftar/reconcile"
)

// difference is how the statement and the ledger differ in a payment.
type difference string

var differences = []difference{
	"in both", "in both", "in both", "upper case", "number alone", "only recorded",
	"only stated", "more", "twice", "dollars", "unpaid", "borderline",
}

// In random statements and ledgers every difference is found and nothing else, and the findings
// add up to the difference of the totals.
func TestRandomBooks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		acquirer := rapid.SampledFrom(styled).Draw(t, "acquirer")
		s := styles[acquirer]
		var entries []reconcile.Entry
		var lines []string // with their payment
		var want []string
		matched, unpaid := 0, 0
		for n, f := range rapid.SliceOfN(rapid.SampledFrom(differences), 1, 60).Draw(t, "differences") {
			p := payment{
				attempt: domain.AttemptID(fmt.Sprintf("%025da", n)), number: fmt.Sprintf("PN-%d", n),
				amount: rapid.Int64Range(100, 100_000_000).Draw(t, "amount") * 10,
				at:     noon.Add(time.Duration(n) * time.Minute),
			}
			line := s.line(p)
			recorded, stated := true, []string{line}
			kind := reconcile.Kind("")
			switch f {
			case "upper case":
				stated[0] = strings.Replace(line, string(p.attempt), strings.ToUpper(string(p.attempt)), 1)
			case "number alone":
				stated[0] = strings.Replace(line, shown(acquirer, p.attempt), "", 1)
			case "only recorded":
				stated, kind = nil, reconcile.MissingInStatement
			case "only stated":
				recorded, kind = false, reconcile.MissingInLedger
			case "more":
				more := p
				more.amount += rapid.Int64Range(1, 1000).Draw(t, "more") * s.least
				stated[0], kind = s.line(more), reconcile.AmountDiffers
			case "twice":
				stated, kind = append(stated, line), reconcile.TwiceInStatement
			case "dollars":
				stated[0], kind = s.dollars(line), reconcile.CurrencyDiffers
			case "unpaid":
				recorded, stated[0] = false, s.unpaid(line)
				unpaid++
			case "borderline":
				p.at, kind = p.at.Add(20*time.Hour), reconcile.OutsideSpan
			}
			if recorded {
				entries = append(entries, reconcile.Entry{
					Event:             domain.TypeSucceeded,
					Attempt:           p.attempt,
					ProviderReference: p.number,
					Amount:            p.amount,
					At:                p.at,
				})
			}
			switch {
			case kind != "":
				want = append(want, fmt.Sprint(kind, " ", p.number))
				if kind == reconcile.TwiceInStatement {
					matched++
				}
			case recorded:
				matched++
			}
			lines = append(lines, stated...)
		}
		day := reconcile.Span{From: noon.Add(-12 * time.Hour), To: noon.Add(12 * time.Hour)}
		file := s.file(rapid.Permutation(lines).Draw(t, "order")...)
		r, err := reconcile.Match(strings.NewReader(file), profileOf(acquirer), nil, day, entries)
		if err != nil {
			t.Fatal(err)
		}
		checkSum(t, r)
		var got []string
		for _, f := range r.Findings {
			number := ""
			switch {
			case f.Entry != nil:
				number = f.Entry.ProviderReference
			case f.Line != nil:
				number = f.Line.ProviderReference
			}
			got = append(got, fmt.Sprint(f.Kind, " ", number))
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" || r.Matched != matched || r.Unpaid != unpaid {
			t.Fatalf("%d matched, want %d; %d unpaid, want %d (-want +got):\n%s", r.Matched, matched,
				r.Unpaid, unpaid, diff)
		}
	})
}

func profileOf(acquirer string) reconcile.Profile {
	p, _ := reconcile.ProfileOf(acquirer)
	return p
}

// shown is our reference as the style of an acquirer writes it.
func shown(acquirer string, id domain.AttemptID) string {
	if acquirer == "lypay" {
		return strings.ToUpper(string(id[:25]))
	}
	return string(id)
}

// Refunds are negative on both sides, and are matched with refunds only: by their own
// number, otherwise by the amount.
func TestRefunds(t *testing.T) {
	t.Parallel()
	id := domain.AttemptID("a0000000000000000000000001")
	entry := func(amount int64, number string) reconcile.Entry {
		return reconcile.Entry{Attempt: id, ProviderReference: number, Amount: amount, At: noon}
	}
	file := "MerchantReference,TransactionId,AmountTrxn,TxnDateTime,Status,TransType\n" +
		string(id) + ",R2,2000,20/11/2026 12:00,Approved,Refund\n" +
		string(id) + ",,3000,20/11/2026 12:00,Approved,Void Sale\n" +
		string(id) + ",S,9000,20/11/2026 12:00,Approved,Sale\n" +
		string(id) + ",,500,20/11/2026 12:00,Approved,Refund\n" +
		",X,-100,20/11/2026 12:00,Approved,Refund\n"
	r, err := reconcile.Match(strings.NewReader(file), profileOf("moamalat"), nil, reconcile.Span{},
		[]reconcile.Entry{
			entry(9000, "S"), entry(-3000, "R1"), entry(-2000, "R2"), entry(-700, "R3"),
		})
	if err != nil {
		t.Fatal(err)
	}
	checkSum(t, r)
	want := []string{"missing_in_ledger 6 ", "amount_differs 5 " + string(id)}
	diff := cmp.Diff(want, said(r))
	if diff != "" || r.Matched != 3 || r.Statement.Amount != 3400 || r.Ledger.Amount != 3300 {
		t.Errorf("%+v (-want +got):\n%s", r, diff)
	}
}

// A number that several payments share matches none of them.
func TestSharedNumbers(t *testing.T) {
	t.Parallel()
	entries := []reconcile.Entry{
		{Attempt: "a0000000000000000000000001", ProviderReference: "RRN", Amount: 5000, At: noon},
		{Attempt: "a0000000000000000000000002", ProviderReference: "rrn", Amount: 7000, At: noon},
	}
	file := "MerchantReference,RRN,AmountTrxn,TxnDateTime,Status\n,RRN,7000,20/11/2026 12:00,Approved\n"
	r, err := reconcile.Match(strings.NewReader(file), profileOf("moamalat"), nil, reconcile.Span{}, entries)
	if err != nil || r.Matched != 0 || r.Count(reconcile.MissingInLedger) != 1 ||
		r.Count(reconcile.MissingInStatement) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

package reconcile_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

// Our reference is found inside a text, however a bank writes it, and a text with two references
// matches none.
func TestReferencesInNarratives(t *testing.T) {
	t.Parallel()
	day := reconcile.Span{From: noon.Add(-12 * time.Hour), To: noon.Add(12 * time.Hour)}
	// The reference of LYPay.
	one, two := strings.ToUpper(attempt1[:25]), strings.ToUpper(attempt2[:25])
	for _, c := range []struct {
		name, narrative string
		want            []string
	}{
		{"between words", "P2M " + one + " SHOP", nil},
		{"with signs", "REF:" + one + "/TRIPOLI", nil},
		{"glued to a word", "P2M" + one + "X9", nil},
		{"in lower case, the whole of it", "دفعة " + attempt1 + " متجر", nil},
		{"broken by the bank", "P2M " + one[:16] + " " + one[16:] + " SHOP", nil},
		{"with hyphens", one[:5] + "-" + one[5:10] + "-" + one[10:], nil},
		{"twice the same", one + " " + attempt1, nil},
		{"next to an account number", "LY83002048000020100120361 " + one, nil},
		{"two of ours", one + " " + two, []string{"missing_in_statement 0 " + attempt1, "several_references 2 "}},
		{"none", "P2M LY83002048000020100120361",
			[]string{"missing_in_statement 0 " + attempt1, "missing_in_ledger 2 "}},
		{"a part of it", "P2M " + one[:24] + " SHOP",
			[]string{"missing_in_statement 0 " + attempt1, "missing_in_ledger 2 "}},
	} {
		entries := []reconcile.Entry{
			{Attempt: attempt1, ProviderReference: "N1", Amount: 12_500, At: noon},
			{Attempt: attempt2, ProviderReference: "N2", Amount: 12_500,
				At: noon.Add(30 * time.Hour)}, // of the day after
		}
		file := "Date,Narrative,Debit,Credit\n20/11/2026,\"" + c.narrative + "\",,12.500\n20/11/2026,FEE,1.000,\n"
		p := profileOf("lypay")
		p.Unit = statements.Dinars
		for _, columns := range []map[statements.Field]string{nil,
			{statements.Reference: "Narrative", statements.Amount: "Credit", statements.Status: ""}} {
			r, err := reconcile.Match(strings.NewReader(file), p, columns, day, entries)
			if err != nil {
				t.Fatal(c.name, err)
			}
			checkSum(t, r)
			if diff := cmp.Diff(c.want, said(r)); diff != "" || r.Skipped != 1 {
				t.Errorf("%s: %d lines of no payment (-want +got):\n%s", c.name, r.Skipped, diff)
			}
		}
	}
}

// A debit counts if it names a payment of the ledger: as a refund, or as money that went back
// without one. Fees do not count.
func TestDebits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid, kept, open := newPayment("moamalat", noon), newPayment("moamalat", noon.Add(time.Minute)),
		newPayment("moamalat", noon.Add(2*time.Minute))
	open.unpaid = true
	first := w.record(t, paid)
	w.attempt(t, w.record(t, kept), kept, "closed")
	w.attempt(t, w.record(t, open), open, "asking")
	w.add(t, first, domain.RefundRecorded{
		At: noon.Add(2 * time.Minute), Refund: domain.RefundID{1}, Attempt: paid.attempt,
		Amount: domain.Money{Minor: 2000, Currency: domain.LYD}, ProviderReference: "R1",
		Evidence: domain.EvidenceAcquirer,
	})
	dinars := func(dirham int64) string { return domain.Money{Minor: dirham, Currency: domain.LYD}.Figures() }
	file := strings.Join([]string{
		"كشف حساب,,,,", "التاريخ,البيان,رقم الحركة,مدين,دائن",
		"20/11/2026,شراء " + string(paid.attempt) + ",F1,," + dinars(paid.amount),
		"20/11/2026,شراء " + string(kept.attempt) + ",F2,," + dinars(kept.amount),
		"20/11/2026,شراء " + string(open.attempt) + ",F3,," + dinars(open.amount),
		"20/11/2026,رد " + string(paid.attempt) + ",F4,2.000,",
		"20/11/2026,عكس " + string(kept.attempt) + ",F5," + dinars(kept.amount) + ",",
		"20/11/2026,عمولة شهرية,F6,1.500,",
		"20/11/2026,تحويل إلى LY83002048000020100120361X,F7,100.000,",
		"20/11/2026,إيداع نقدي,F8,,50.000",
		"الإجمالي,,,103.500,50.000",
	}, "\n")
	p := profile(t, "moamalat")
	p.Unit = statements.Dinars
	compare := func(q postgres.Querier) reconcile.Report {
		r, err := reconcile.Compare(t.Context(), q, reconcile.Everything(), strings.NewReader(file),
			reconcile.Options{Profile: p})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := compare(w.pool)
	checkSum(t, r)
	want := []string{"missing_in_ledger 7 " + string(kept.attempt), "missing_in_ledger 10 ",
		"not_yet_in_ledger 5 " + string(open.attempt)}
	if diff := cmp.Diff(want, said(r)); diff != "" || r.Matched != 3 || r.Skipped != 3 {
		t.Errorf("%d matched, %d lines of no payment (-want +got):\n%s", r.Matched, r.Skipped, diff)
	}
	// Without the right to read attempts, a debit that may name one is reported.
	auditor := pgtest.Open(t, w.db.SuperuserURL(),
		postgres.Options{RuntimeParams: map[string]string{"role": "daftar_auditor"}})
	want = []string{"missing_in_ledger 5 ", "missing_in_ledger 7 ", "missing_in_ledger 9 ",
		"missing_in_ledger 10 "}
	if r := compare(auditor); !r.AttemptsUnread || cmp.Diff(want, said(r)) != "" {
		t.Errorf("%v", said(r))
	}
}

// A number that differs by leading zeros, which spreadsheets drop, is reported and does not match.
func TestNumbersWithoutTheirZeros(t *testing.T) {
	t.Parallel()
	entries := []reconcile.Entry{
		{Attempt: attempt1, ProviderReference: "00123456", Amount: 12_500, At: noon},
		{Attempt: attempt2, ProviderReference: "0777", Amount: 1000, At: noon},
		{Attempt: "c3x8k1m5p9r2t6v0w4y7z1a5b8", ProviderReference: "777", Amount: 1000, At: noon.Add(time.Minute)},
	}
	file := "RRN,Amount,Date\n123456,12.500,20/11/2026\n000777,1.000,20/11/2026\n"
	r, err := reconcile.Match(strings.NewReader(file), profileOf("plutu"), nil, reconcile.Span{}, entries)
	if err != nil || r.Matched != 0 || r.Count(reconcile.MissingInLedger) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, f := range r.Findings {
		if f.Line != nil && (f.Alike != nil) != (f.Line.Number == 2) ||
			f.Alike != nil && f.Alike.Attempt != attempt1 {
			t.Errorf("line %d: %+v", f.Line.Number, f.Alike)
		}
	}
}

// No file makes it panic, and every refused file has a problem.
func FuzzStatement(f *testing.F) {
	for _, seed := range []string{
		"sep=;\nReference;Amount\nabc;12.500\n", "Date,Narrative,Debit,Credit\n20/11/2026,\"a 5\" b\",,1\n",
		"\xff\xfei\x00d\x00,\x00a\x00", "id,amount\r\"x\r\n\"\"y\",1\r",
		"=\"a\",\"\"\"\n", "\xc7\xe1\xe3\xc8\xe1\xdb,id\n1,2\n",
		"id,amount,taken_at\nabc,1,20 نوفمبر 2026 ١٠:٤١ م\nTotal,1,\n", "PK\x03\x04",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, acquirer := range styled {
			_, err := reconcile.Read(strings.NewReader(text), profileOf(acquirer), nil)
			if _, named := errors.AsType[*reconcile.StatementError](err); err != nil && !named {
				t.Errorf("%v", err)
			}
		}
	})
}

// The same for the rows of a workbook.
func FuzzSheet(f *testing.F) {
	for _, seed := range []string{
		headRow + `<row r="2"><c t="s"><v>2</v></c><c s="3"><v>12.5</v></c><c s="1"><v>46346.9</v></c></row>`,
		headRow + `<row><c t="inlineStr"><is><r><t>a&#x41;&amp;</t></r></is></c></row>`,
		`<row r="7"><c r="ZZ7" t='b'><v>1</v></c><!-- a > b --><c/><?p?></row>`,
		`<x:row><x:c t="e"><x:v><![CDATA[#N/A]]></x:v></x:c></x:row>`,
		`<row r="-1"><c r="" t="d"/></row></sheetData>`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, rows string) {
		_, err := reconcile.Read(strings.NewReader(zipped(t, parts(rows))), profileOf("plutu"), nil)
		if _, named := errors.AsType[*reconcile.StatementError](err); err != nil && !named {
			t.Errorf("%v", err)
		}
	})
}

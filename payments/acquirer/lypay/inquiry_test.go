package lypay_test

import (
	"slices"
	"testing"
	"time"

	"daftar/payments/acquirer"
	common "daftar/payments/acquirer/fake"
	"daftar/payments/acquirer/lypay/fake"
)

func TestBeforeTheScan(t *testing.T) {
	t.Parallel()
	for _, d := range []fake.Dialect{{}, {Errors: "error"}, {Answers: "list"}} {
		w := newWorld(t, d)
		_, r := w.begin()
		w.wantState(r, acquirer.StateNotFound)
	}
}

func TestOnlyCompletedPays(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"acknowledged", "processing", "declined", "failed", "pending", "cancelled"} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r, made := w.pay(fake.Scan{Status: status})
			w.wantState(r, acquirer.StatePending)
			if taken := w.Books(r.Reference).Taken; taken != 0 {
				t.Errorf("taken %d times", taken)
			}
			w.Control("/control/transfers/"+made[0].PaymentReference, `{"status":"completed"}`, nil)
			w.wantPaid(r, made[0])
		})
	}
}

func TestADeclinedCodeCanBePaidAgain(t *testing.T) {
	t.Parallel()
	for _, answers := range []string{"one", "list"} {
		w := newWorld(t, fake.Dialect{Answers: answers})
		payload, r := w.begin()
		w.scan(payload, fake.Scan{Payer: "0920000004"})
		w.wantState(r, acquirer.StatePending)
		made := w.scan(payload, fake.Scan{})
		w.scan(payload, fake.Scan{Payer: "0920000004"}) // a later decline changes nothing
		w.wantPaid(r, made[0])
	}
}

func TestProcessingEnds(t *testing.T) {
	t.Parallel()
	for payer, want := range map[string]acquirer.State{
		"0920000003": acquirer.StatePaid,
		"0920000011": acquirer.StatePending,
	} {
		w := newWorld(t)
		r, _ := w.pay(fake.Scan{Payer: payer})
		w.wantState(r, acquirer.StatePending)
		w.clock.Advance(6 * time.Second)
		w.wantState(r, want)
	}
}

func TestEveryDialectPays(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]fake.Dialect{
		"the transfer has the rest":        {},
		"all in one answer":                {Row: "full"},
		"several in one answer":            {Row: "full", Answers: "list"},
		"the list has the rest":            {Transfer: "missing"},
		"a list inside data":               {Transfer: "missing", Lists: "wrapped"},
		"a list without a number of pages": {Transfer: "missing", Lists: "untold"},
		"the details have the rest":        {Row: "numbered", Transfer: "missing", Lists: "empty"},
		"the number in the other spelling": {Row: "numbered", RRN: "rnn", Transfer: "missing", Lists: "empty"},
		"no timestamp":                     {Timestamps: "absent"},
		"a timestamp as a string":          {Timestamps: "string"},
		"confirmed":                        {Completed: "confirmed"},
		"capitals":                         {Completed: "COMPLETED"},
		"the other table of codes":         {Codes: 2},
		"amount as a number":               {Amounts: "number"},
		"amount alone":                     {Amounts: "bare"},
		"amount alone, as a number":        {Amounts: "bare_number"},
		"amount by its plain name":         {Members: "amount"},
		"only the payer's amount":          {Members: "debtor"},
		"IBAN in groups":                   {Payee: "spaced"},
		"IBAN alone":                       {Payee: "bare"},
		"unknown members":                  {Row: "full", Extra: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, d)
			r, made := w.pay(fake.Scan{Currency: "Lyd"})
			w.wantPaid(r, made[0])
			if b := w.Books(r.Reference); b.Taken != 1 || b.Amount != r.Money.Minor || b.State != common.Paid {
				t.Errorf("books have %+v", b)
			}
		})
	}
}

// onlyDetails is a dialect in which only the details have the amount.
func onlyDetails(details string) fake.Dialect {
	return fake.Dialect{Row: "numbered", Transfer: "missing", Lists: "empty", Details: details}
}

func TestWhatIsNotProvenIsNotPaid(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		dialect fake.Dialect
		scan    fake.Scan
	}{
		"no answer has an amount":        {dialect: fake.Dialect{Row: "full", Amounts: "absent"}},
		"no answer has a currency":       {dialect: fake.Dialect{Row: "full", Amounts: "no_currency"}},
		"a decimal point":                {dialect: fake.Dialect{Row: "full", Amounts: "decimal"}},
		"a decimal point in the list":    {dialect: fake.Dialect{Amounts: "decimal", Transfer: "missing"}},
		"no answer has the account":      {dialect: fake.Dialect{Row: "full", Payee: "absent"}},
		"an alias instead of the IBAN":   {dialect: fake.Dialect{Row: "full", Payee: "alias"}},
		"nothing but the state":          {dialect: fake.Dialect{Transfer: "missing", Lists: "empty"}},
		"several details":                {dialect: onlyDetails("several")},
		"no details":                     {dialect: onlyDetails("missing")},
		"details of another transfer":    {dialect: onlyDetails("other_transfer")},
		"a row of another merchant":      {dialect: fake.Dialect{Inquiry: "other_merchant"}},
		"a row of another reference":     {dialect: fake.Dialect{Inquiry: "other_reference"}},
		"the reference, another account": {scan: fake.Scan{Payer: "0920000014"}},
		"another currency":               {scan: fake.Scan{Currency: "usd"}},
		"an error in a 200":              {dialect: fake.Dialect{Errors: "in_body", Inquiry: "missing"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, tc.dialect)
			r, _ := w.pay(tc.scan)
			if report, err := w.account.Inquire(t.Context(), r); err == nil {
				t.Errorf("Inquire = %+v, want an error", report)
			}
		})
	}
}

func TestContradictionsDoNotPay(t *testing.T) {
	t.Parallel()
	for _, d := range []fake.Dialect{{Transfer: "stale"}, {Inquiry: "stale"}, {Row: "full", Inquiry: "stale"}} {
		w := newWorld(t, d)
		r, _ := w.pay(fake.Scan{})
		w.wantState(r, acquirer.StatePending)
	}
}

func TestAppsThatDropTheReference(t *testing.T) {
	t.Parallel()
	for _, payer := range []string{"0920000006", "0920000007"} {
		w := newWorld(t)
		r, _ := w.pay(fake.Scan{Payer: payer})
		w.wantState(r, acquirer.StateNotFound)
		if w.Books(r.Reference).Taken != 1 {
			t.Error("the money was not taken")
		}
	}
}

func TestOtherAmountsAreReportedAsTheyAre(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		dialect fake.Dialect
		scan    fake.Scan
		want    int64
	}{
		"less":              {scan: fake.Scan{Payer: "0920000009"}, want: 6_172},
		"more":              {scan: fake.Scan{Payer: "0920000010"}, want: 24_690},
		"a dirham less":     {scan: fake.Scan{Amount: 12_344}, want: 12_344},
		"tenfold scale":     {dialect: fake.Dialect{Scale: 10}, want: 123_450},
		"details of others": {dialect: onlyDetails("other_amount"), want: 13_345},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, tc.dialect)
			r, _ := w.pay(tc.scan)
			if got := w.wantState(r, acquirer.StatePaid).Money; got != dinars(tc.want) {
				t.Errorf("paid %v, want %d", got, tc.want)
			}
		})
	}
}

func TestPaidTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t, fake.Dialect{Answers: "list"})
	payload, r := w.begin()
	less := w.scan(payload, fake.Scan{Amount: 5_000})
	both := w.scan(payload, fake.Scan{Payer: "0920000008"})
	w.scan(payload, fake.Scan{Payer: "0920000002"})
	w.scan(payload, fake.Scan{Payer: "0920000014"}) // to another account
	report := w.wantPaid(r, both[0])
	want := []acquirer.Paid{
		{Money: dinars(5_000), ProviderReference: less[0].PaymentReference},
		{Money: r.Money, ProviderReference: both[1].PaymentReference},
	}
	if len(report.More) != 2 || report.More[0] != want[0] || report.More[1] != want[1] {
		t.Errorf("further payments are %v, want %v", report.More, want)
	}
}

func TestNoCreditOfTheExactAmount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, fake.Dialect{Answers: "list", Row: "full"})
	payload, r := w.begin()
	first := w.scan(payload, fake.Scan{Amount: 5_000})
	w.scan(payload, fake.Scan{Amount: 7_345})
	report := w.wantState(r, acquirer.StatePaid)
	if report.ProviderReference != first[0].PaymentReference || len(report.More) != 1 {
		t.Errorf("reported as %+v", report)
	}
}

// A bank that reports one credit for a reference reports another one than before: the code was
// paid a second time.
func TestAnotherCreditThanBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r, made := w.pay(fake.Scan{})
	r.Memo = w.wantPaid(r, made[0]).Memo
	if again := w.wantPaid(r, made[0]); len(again.More) != 0 || again.Memo != r.Memo {
		t.Errorf("asked again: %+v", again)
	}
	r.Memo = `{"uuid":"0b7e6c1e-9a52-4d0f-8a3e-1f2e3d4c5b33",` +
		`"payment_reference":"LYP-FIRST","timestamp":1795000000}`
	report := w.wantState(r, acquirer.StatePaid)
	want := []acquirer.Paid{{Money: r.Money, ProviderReference: made[0].PaymentReference}}
	if report.ProviderReference != "LYP-FIRST" || report.Memo != r.Memo || report.Money != r.Money ||
		!slices.Equal(report.More, want) {
		t.Errorf("report %+v", report)
	}
}

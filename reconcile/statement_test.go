package reconcile_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

// A file with the columns of an acquirer is read: our reference, the acquirer's number, the amount
// in its unit and the time.
func TestFilesReadAsAcquirersDescribeThem(t *testing.T) {
	t.Parallel()
	for _, name := range reconcile.Acquirers() {
		p := profile(t, name)
		amount := map[statements.Unit]string{statements.Dinars: "12.500", statements.Dirhams: "12500"}[p.Unit]
		var names, cells []string
		for _, cell := range []struct {
			field statements.Field
			text  string
		}{
			{statements.Reference, "a0000000000000000000000001"}, {statements.Number, "N-1"},
			{statements.Amount, amount}, {statements.Currency, "LYD"},
			{statements.Time, "2026-11-20T10:00:00Z"},
		} {
			if known := p.Columns[cell.field]; len(known) > 0 {
				names, cells = append(names, known[0]), append(cells, cell.text)
			}
		}
		file := strings.Join(names, ",") + "\n" + strings.Join(cells, ",") + "\n"
		lines, err := reconcile.Read(strings.NewReader(file), p, nil)
		if err != nil || len(lines) != 1 || lines[0].Reference != cells[0] ||
			lines[0].ProviderReference != "N-1" ||
			lines[0].Amount != 12_500 || lines[0].At.IsZero() != (p.Columns[statements.Time] == nil) {
			t.Errorf("%s: %+v, %v", name, lines, err)
		}
	}
	if _, known := reconcile.ProfileOf("moneybag"); known {
		t.Error("an unknown acquirer has a profile")
	}
}

// Amounts are read exactly or not at all.
func TestAmounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		unit statements.Unit
		text string
		want int64 // -1: refused
	}{
		{statements.Dinars, "12.500", 12500},
		{statements.Dinars, "12.5", 12500},
		{statements.Dinars, "12", 12000},
		{statements.Dinars, "0.001", 1},
		{statements.Dinars, "1,234.500", 1234500},
		{statements.Dinars, "1,234,567.89", 1234567890},
		{statements.Dinars, "١٢٫٥٠٠", 12500},
		{statements.Dinars, "١٬٢٣٤٫٥", 1234500},
		{statements.Dinars, "\u200f12.500\u200e", 12500},
		{statements.Dinars, "12,500", -1},
		{statements.Dinars, "12,50", -1},
		{statements.Dinars, "1.234,500", -1},
		{statements.Dinars, "12,34.500", -1},
		{statements.Dinars, "12.5000", -1},
		{statements.Dinars, ".5", -1},
		{statements.Dinars, "12.", -1},
		{statements.Dinars, "1e3", -1},
		{statements.Dinars, "+12.5", -1},
		{statements.Dinars, "12.5 LYD", 12500},
		{statements.Dinars, "LYD\u00a012.500", 12500},
		{statements.Dinars, "1,234.500 L.D.", 1234500},
		{statements.Dinars, "12.500 د.ل", 12500},
		{statements.Dinars, "12.500\u202fد.ل.", 12500},
		{statements.Dinars, "١٢٫٥٠٠ د.ل.\u200f", 12500},
		{statements.Dinars, "د.ل. ١٢٫٥", 12500},
		{statements.Dinars, "١٢ دينار ليبي", 12000},
		{statements.Dinars, "12.500 USD", -1},
		{statements.Dinars, "12,500 LYD", -1},
		{statements.Dinars, "12500 درهم", -1},
		{statements.Dinars, "LYD", -1},
		{statements.Dinars, "LYD 12.5 LYD", -1},
		{statements.Dirhams, "12500 درهم", 12500},
		{statements.Dirhams, "12500 LYD", -1},
		{statements.Dirhams, "12500 د.ل", -1},
		{statements.Dinars, "", -1},
		{statements.Dinars, "1234567890.000", -1},
		{statements.Dirhams, "12500", 12500},
		{statements.Dirhams, "1,234,500", 1234500},
		{statements.Dirhams, "٥٠٠٠", 5000},
		{statements.Dirhams, "12.500", -1},
		{statements.Dirhams, "12,50", -1},
		{statements.Dirhams, "12 500", -1},
		{statements.Dirhams, "1234567890123", -1},
	} {
		p := profile(t, "sandbox")
		p.Unit = c.unit
		lines, err := reconcile.Read(strings.NewReader("id\tamount\nx\t"+c.text+"\n"), p, nil)
		switch {
		case c.want < 0 && err == nil:
			t.Errorf("%q of %s is read as %d", c.text, c.unit, lines[0].Amount)
		case c.want >= 0 && (err != nil || lines[0].Amount != c.want):
			t.Errorf("%q of %s: %+v, %v, want %d", c.text, c.unit, lines, err, c.want)
		}
	}
}

// Times without a zone are Tripoli's.
func TestTimes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 1, 20, 41, 0, 0, time.UTC)
	day := time.Date(2026, 10, 31, 22, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2026-11-01T20:41:00Z": at, "2026-11-01T22:41:00+02:00": at, "2026-11-01 22:41:00": at,
		"2026-11-01T22:41": at, "2026/11/01 22:41": at,
		"2026-11-01 22:41:00.000": at, "01/11/2026 22:41:00": at, "1/11/2026 22:41": at, "01/11/26  22:41": at,
		"01-11-2026 22:41":    at,
		"01/11/2026 10:41 PM": at, "20261101224100": at, "202611012241": at, "1793565660": at,
		"٠١/١١/٢٠٢٦ ٢٢:٤١": at,
		"01.11.2026 22:41": at, "1.11.2026 22:41:00": at, "01-NOV-26 22:41:00": at, "1 NOV 2026 10:41 pm": at,
		"01-Nov-2026 22:41":       at,
		"Nov 1, 2026 10:41:00 PM": at, "November 1, 2026, 10:41\u202fPM": at, "01/11/2026 10:41:00 م": at,
		"١/١١/٢٠٢٦ ١٠:٤١:٠٠ م":   at,
		"01/11/2026 10:41 مساءً": at, "01/11/2026 10:41 p.m.": at, "1 نوفمبر 2026 22:41": at,
		"١ نوفمبر ٢٠٢٦ ١٠:٤١ م": at, "01 November 2026 22:41": at,
		"2026-11-01T22:41:00+0200": at, "2026-11-01 20:41:00 +0000": at, "2026-11-01 22:41:00 +02": at,
		"2026-11-01T20:41:00.000Z":            at,
		"2026-11-01T20:41:00.000000000+00:00": at, "2026-11-01 20:41:00 UTC": at, "2026-11-01 20:41 GMT": at,
		"2026-11-01 22:41:00 GMT+02:00": at,
		"20261101T224100":               at, "20261101T204100Z": at, "20261101 22:41": at, "1793565660000": at,
		"46327.9451388889": at, "46327,94513888889": at,
		"Sun, 1 Nov 2026 22:41:00 +0200": at, "2026-11-01t20:41:00z": at, "01/11/2026, 22:41:00": at,
		"1.11.2026": day, "01-NOV-26": day, "1 NOV 2026": day, "01NOV2026": day, "1 نوفمبر 2026": day, "46327": day,
		"2026.11.01": day, "01/11/2026 ": day,
		"01/11/2026 22:41 م": {}, "01/11/2026 13:41 PM": {}, "1 Smarch 2026": {}, "11.20.2026": {},
		"20/13/2026": {}, "25.11.26": {}, "26-11-20": {}, "41000": {}, "99999": {},
		"179356566": {}, "2026-11-01T22:41:00+25:00": {}, "2026-11-01 22:41:00 EET": {}, "4.6346E+04": {},
		"10:41 م": {}, "46327.94.1": {},
		"2026-11-01": day, "01/11/2026": day, "20261101": day, "1/11/26": day,
		"": {}, "yesterday": {}, "11/31/2026": {}, "2026-11-01 25:00": {}, "0": {}, "261101224100": {},
		"1999-01-01": {}, "2026-11": {},
	} {
		lines, err := reconcile.Read(strings.NewReader("id;amount;taken_at\nx;1;"+text+"\n"),
			profile(t, "sandbox"), nil)
		var wrong *reconcile.StatementError
		switch {
		case want.IsZero() && (!errors.As(err, &wrong) || wrong.Problem != reconcile.ProblemTime ||
			wrong.Line != 2 || wrong.Column != "taken_at"):
			t.Errorf("%q is read as %+v, %v", text, lines, err)
		case !want.IsZero() && (err != nil || !lines[0].At.Equal(want)):
			t.Errorf("%q: %+v, %v, want %s", text, lines, err, want)
		}
	}
}

// The same statement in the formats in which people save it.
func TestShapesOfFiles(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"plain": "id,reference,amount,taken_at,state\n" +
			"abc,N1,5000,2026-11-20 12:00,paid\nabd,N2,6000,2026-11-20 12:01,paid\n",
		"byte order mark": "\ufeffid,reference,amount,taken_at,state\n" +
			"abc,N1,5000,2026-11-20 12:00,paid\nabd,N2,6000,2026-11-20 12:01,paid\n",
		"CRLF, no end of line": "id,reference,amount,taken_at,state\r\n" +
			"abc,N1,5000,2026-11-20 12:00,paid\r\nabd,N2,6000,2026-11-20 12:01,paid",
		"semicolons, quotes": "\"id\";\"reference\";\"amount\";\"taken_at\";\"state\"\n" +
			"\"abc\";\"N1\";\"5,000\";\"2026-11-20 12:00\";\"paid\"\nabd;N2;6000;2026-11-20 12:01;PAID\n",
		"tabs, other order": "state\ttaken_at\tamount\treference\tid\n" +
			"paid\t2026-11-20 12:00\t٥٠٠٠\tN1\tabc\nPaid \t2026-11-20 12:01\t6000\tN2\t abd \n",
		"names, extra columns": "\nNote,ID,Reference ,AMOUNT, Taken-At,State\n" +
			"\"a, \"\"b\"\"\nc\",abc,N1,5000,2026-11-20 12:00,paid\n,,,,,\n" +
			"x,abd,N2,6000,2026-11-20 12:01,paid\n",
		"unpaid lines": "id,reference,amount,taken_at,state\n" +
			"abc,N1,5000,2026-11-20 12:00,paid\nzzz,N3,?,?,declined\nabd,N2,6000,2026-11-20 12:01,paid\n",
		"Arabic names": "المرجع,رقم العملية,المبلغ,التاريخ,الحالة\n" +
			"abc,N1,5000,2026-11-20 12:00,مقبولة\nabd,N2,6000,2026-11-20 12:01,مدفوعة\n",
	} {
		lines, err := reconcile.Read(iotest.OneByteReader(strings.NewReader(file)), profile(t, "sandbox"), nil)
		if err != nil || len(lines) != 2 {
			t.Errorf("%s: %+v, %v", name, lines, err)
			continue
		}
		for n, want := range []reconcile.Line{
			{Reference: "abc", ProviderReference: "N1", Amount: 5000, At: noon},
			{Reference: "abd", ProviderReference: "N2", Amount: 6000, At: noon.Add(time.Minute)},
		} {
			got := lines[n]
			if got.Reference != want.Reference || got.ProviderReference != want.ProviderReference ||
				got.Amount != want.Amount || !got.At.Equal(want.At) ||
				got.Currency != string(domain.LYD) {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
		}
	}
}

// A file that cannot be read is refused with the line and the column.
func TestBadStatements(t *testing.T) {
	t.Parallel()
	const head = "id,reference,amount,currency,taken_at,state,type\n"
	const good = "abc,N1,5000,LYD,2026-11-20 12:00,paid,sale\n"
	for name, c := range map[string]struct {
		file    string
		problem reconcile.Problem
		line    int
		column  string
	}{
		"nothing":     {"", reconcile.ProblemEmpty, 0, ""},
		"blank lines": {"\n\n", reconcile.ProblemEmpty, 0, ""},
		"UTF-32":      {"\xff\xfe\x00\x00i\x00\x00\x00", reconcile.ProblemEncoding, 0, ""},
		"Windows-1256": {head + "\xc7\xe1,N1,5000,LYD,2026-11-20,paid,sale\n",
			reconcile.ProblemEncoding, 2, "id"},
		"NUL": {head + good + "a\x00c,N1,5000,LYD,2026-11-20,paid,sale\n",
			reconcile.ProblemEncoding, 3, "id"},
		"no amount":    {"id,total\nabc,5000\n", reconcile.ProblemNoColumn, 1, "amount"},
		"no reference": {"amount,currency\n5000,LYD\n", reconcile.ProblemNoColumn, 1, "reference"},
		"not a table":  {"<pdf>\n", reconcile.ProblemMarkup, 0, ""},
		"two columns":  {"id,amount,Amount \nabc,5000,6000\n", reconcile.ProblemTwoColumns, 1, "Amount"},
		"quotes": {head + good + "a\"bc,N1,5000,LYD,2026-11-20,paid,sale\n",
			reconcile.ProblemQuotes, 3, ""},
		"quotes without end": {head + "\"abc,N1,5000,LYD,2026-11-20,paid,sale\n", reconcile.ProblemQuotes, 2, ""},
		"short line":         {head + good + "abc,N1\n", reconcile.ProblemShortLine, 3, ""},
		"amount": {head + good + "abc,N1,5.5,LYD,2026-11-20,paid,sale\n",
			reconcile.ProblemDirhams, 3, "amount"},
		"empty amount": {head + "abc,N1,,LYD,2026-11-20,paid,sale\n",
			reconcile.ProblemDirhams, 2, "amount"},
		"empty foreign amount": {head + "abc,N1,,USD,2026-11-20,paid,sale\n",
			reconcile.ProblemDirhams, 2, "amount"},
		"currency": {head + "abc,N1,5000,dinar,2026-11-20,paid,sale\n", reconcile.ProblemCurrency,
			2, "currency"},
		"empty currency": {head + "abc,N1,5000,,2026-11-20,paid,sale\n", reconcile.ProblemCurrency,
			2, "currency"},
		"time": {head + "abc,N1,5000,LYD,11/20/2026,paid,sale\n", reconcile.ProblemTime,
			2, "taken_at"},
		"status": {head + "abc,N1,5000,LYD,2026-11-20,refunded,sale\n",
			reconcile.ProblemStatus, 2, "state"},
		"empty status": {head + "abc,N1,5000,LYD,2026-11-20,,sale\n", reconcile.ProblemStatus, 2, "state"},
		"type":         {head + "abc,N1,5000,LYD,2026-11-20,paid,fee\n", reconcile.ProblemType, 2, "type"},
		"sign": {head + "abc,N1,-5000,LYD,2026-11-20,paid,sale\n",
			reconcile.ProblemSign, 2, "amount"},
	} {
		lines, err := reconcile.Read(strings.NewReader(c.file), profile(t, "sandbox"), nil)
		var wrong *reconcile.StatementError
		if !errors.As(err, &wrong) || wrong.Problem != c.problem || wrong.Line != c.line ||
			c.column != "" && wrong.Column != c.column {
			t.Errorf("%s: %v, %v", name, lines, err)
		}
	}
	for _, p := range reconcile.Problems {
		if text := (&reconcile.StatementError{Problem: p}).Error(); strings.HasSuffix(text, ": ") {
			t.Errorf("no text for %s", p)
		}
	}
	broken := errors.New("broken")
	for _, r := range []io.Reader{iotest.ErrReader(broken),
		io.MultiReader(strings.NewReader(head+strings.Repeat(good, 5000)), iotest.ErrReader(broken))} {
		if _, err := reconcile.Read(r, profile(t, "sandbox"), nil); !errors.Is(err, broken) {
			t.Errorf("a reader that breaks: %v", err)
		}
	}
	long := "id,amount\nabc," + strings.Repeat("9", 500) + "\n"
	_, err := reconcile.Read(strings.NewReader(long), profile(t, "sandbox"), nil)
	if err == nil || len(err.Error()) > 300 {
		t.Errorf("a long cell: %v", err)
	}
}

// The caller's names of columns replace the profile's, and an empty one leaves the field out.
func TestColumns(t *testing.T) {
	t.Parallel()
	columns, err := reconcile.ParseColumns("reference=Order No., amount=Total (LYD),state=,")
	if err == nil {
		t.Errorf("read %v", columns)
	}
	columns, err = reconcile.ParseColumns("reference=Order No., amount=Total (LYD),status=")
	if err != nil {
		t.Fatal(err)
	}
	file := "id,order no,amount,Total (LYD),state\nwrong,abc,1,5000,whatever\n"
	lines, err := reconcile.Read(strings.NewReader(file), profile(t, "sandbox"), columns)
	if err != nil || len(lines) != 1 || lines[0].Reference != "abc" || lines[0].Amount != 5000 {
		t.Errorf("%+v, %v", lines, err)
	}
	var wrong *reconcile.StatementError
	_, err = reconcile.Read(strings.NewReader("id,amount\n"), profile(t, "sandbox"), columns)
	if !errors.As(err, &wrong) || wrong.Column != "Order No." {
		t.Errorf("a column that is not there: %v", err)
	}
	for _, text := range []string{"", "reference", "order=x", "amount=", "amount=a,amount=b"} {
		if columns, err := reconcile.ParseColumns(text); err == nil {
			t.Errorf("%q is read as %v", text, columns)
		}
	}
}

// A span needs times on both sides.
func TestSpansThatCannotBe(t *testing.T) {
	t.Parallel()
	const dayOnly, timeless = "id,amount,taken_at\nabc,5000,2026-11-20\n", "id,amount\nabc,5000\n"
	match := func(file string, s reconcile.Span) error {
		_, err := reconcile.Match(strings.NewReader(file), profileOf("sandbox"), nil, s, nil)
		return err
	}
	day := reconcile.Span{From: noon.Add(-12 * time.Hour), To: noon.Add(12 * time.Hour)}
	problem := func(err error) reconcile.Problem {
		if wrong, is := errors.AsType[*reconcile.StatementError](err); is {
			return wrong.Problem
		}
		return ""
	}
	for _, file := range []string{dayOnly, timeless} {
		if err := match(file, day); err != nil {
			t.Error(err)
		}
	}
	if err := match(dayOnly, reconcile.Span{From: noon}); problem(err) != reconcile.ProblemDays {
		t.Errorf("from noon with days alone: %v", err)
	}
	for _, file := range []string{timeless, "id,amount,taken_at\n"} {
		if err := match(file, reconcile.Span{From: day.From}); problem(err) != reconcile.ProblemNoTimes {
			t.Errorf("%q without an end: %v", file, err)
		}
	}
	if err := match(timeless, reconcile.Span{From: day.To, To: day.From}); !errors.Is(err, reconcile.ErrSpan) {
		t.Errorf("an end before the beginning: %v", err)
	}
	for _, parse := range []func(string) (time.Time, error){reconcile.ParseFrom, reconcile.ParseTo} {
		if at, err := parse("20/11/2026"); err == nil {
			t.Errorf("20/11/2026 is %s", at)
		}
	}
}

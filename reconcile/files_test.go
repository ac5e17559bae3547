package reconcile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

const (
	attempt1 = "a0k3m9x2q7t5w8z1b4c6d0e2f3"
	attempt2 = "b7n4p1r8v5y2a9c6e3g0h7j4k1"
)

// encoded is a text in another encoding than UTF-8.
func encoded(t *testing.T, e encoding.Encoding, text string) string {
	t.Helper()
	out, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// outline is the text of the lines that were read: number, references, amount in dirhams, day
// and time in Tripoli.
func outline(lines []reconcile.Line) string {
	var all []string
	for _, l := range lines {
		at := ""
		if !l.At.IsZero() {
			at = " " + l.At.In(tripoli).Format("02T15:04")
		}
		all = append(all, fmt.Sprintf("%d %s/%s %d%s", l.Number, l.Reference, l.ProviderReference, l.Amount, at))
	}
	return strings.Join(all, "\n")
}

// file is a statement as a machine or a person saved it.
type file struct {
	name, text string
	columns    string // --columns
	want       string // the outline, or
	problem    reconcile.Problem
	line       int
	column     string
	passed     int // lines that are none of payments
}

// Files as banks, providers, Excel and people make them, with amounts in dinars.
func TestFilesAsTheyAreSaved(t *testing.T) {
	t.Parallel()
	utf16le, utf16be := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
		unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	arabic := "المرجع;رقم العملية;المبلغ;التاريخ;الحالة\r\n" +
		"abc;N1;12.500;20/11/2026 10:41:00 م;مقبولة\r\n" +
		"abd;N2;٧٫٢٥٠;21/11/2026 09:00 ص;مرفوضة\r\n"
	both := "2 abc/N1 12500 20T22:41"
	for _, f := range []file{
		// Lines around the table.
		{name: "preamble",
			text: "Bank of Commerce\nAccount,0012345\nFrom,01/11/2026,To,30/11/2026\n\n" +
				"Reference,Amount,Date\nabc,12.500,20/11/2026\n",
			want: "6 abc/ 12500 20T00:00"},
		{name: "Arabic preamble",
			text: "مصرف الجمهورية;;\nكشف حساب;من 01/11/2026;إلى 30/11/2026\n" +
				"المرجع;المبلغ;التاريخ\nabc;12.500;20/11/2026\n",
			want: "4 abc/ 12500 20T00:00"},
		{name: "preamble with other separators",
			text: "Statement of merchant 12, Tripoli, Libya, branch 3\nReference;Amount;Date\nabc;12.500;20/11/2026\n",
			want: "3 abc/ 12500 20T00:00"},
		{name: "sep", text: "sep=;\nReference;Amount;Note\nabc;12.500;a, b, c, d\n", want: "3 abc/ 12500"},
		{name: "sep after a byte order mark", text: "\ufeffsep=,\r\nReference,Amount,Note\r\nabc,12.500,x\r\n",
			want: "3 abc/ 12500"},
		{name: "sep in quotes, tab", text: "\"sep=\t\"\nReference\tAmount\nabc\t12.500\n", want: "3 abc/ 12500"},
		{name: "sep with a strange sign", text: "SEP=^\nReference^Amount\nabc^12.500\n", want: "3 abc/ 12500"},
		{name: "bars", text: "Reference|Amount\nabc|12.500\n", want: "2 abc/ 12500"},
		{name: "total", text: "Reference,Amount,Date\nabc,12.500,20/11/2026\nTotal,12.500,\n",
			want: "2 abc/ 12500 20T00:00", passed: 1},
		{name: "total of two words", text: "Date,Reference,Amount\n20/11/2026,abc,12.500\n,Grand Total:,12.500\n",
			want: "2 abc/ 12500 20T00:00", passed: 1},
		{name: "total with a date", text: "Date,Reference,Amount\n20/11/2026,abc,12.500\n30/11/2026,TOTAL,12.500\n",
			want: "2 abc/ 12500 20T00:00", passed: 1},
		{name: "Arabic total", text: "المرجع,المبلغ,التاريخ\nabc,12.500,20/11/2026\nالإجمالي,12.500,\n",
			want: "2 abc/ 12500 20T00:00", passed: 1},
		{name: "Arabic total without hamza", text: "المرجع,المبلغ\nabc,12.500\nاجمالى :,12.500\nالمجموع,12.500\n",
			want: "2 abc/ 12500", passed: 2},
		{name: "total in a column that nobody needs",
			text: "No,Reference,Amount\n1,abc,12.500\nالمجموع الكلي,,12.500\n", want: "2 abc/ 12500", passed: 1},
		{name: "total with a count",
			text: "Reference,Transaction No,Amount,Date\nabc,N1,12.500,20/11/2026\nTotal:,1,12.500,\n",
			want: "2 abc/N1 12500 20T00:00", passed: 1},
		{name: "names in two lines",
			text: "المرجع,المبلغ,التاريخ\nReference,Amount (LYD),Date\nabc,12.500,20/11/2026\n",
			want: "3 abc/ 12500 20T00:00", passed: 1},
		{name: "the end of a file of DOS", text: "Reference,Amount\r\nabc,12.500\r\n\x1a",
			want: "2 abc/ 12500", passed: 1},
		{name: "digits lost that nobody needs", text: "Reference,RRN,Amount\n" + attempt1 + ",6.12E+11,12.500\n",
			want: "2 " + attempt1 + "/6.12E+11 12500"},
		{name: "footers",
			text: "Reference,Amount,Date\nabc,12.500,20/11/2026\n\nNumber of transactions,1,\n" +
				"Printed on 30/11/2026 by ali\n*** End of statement ***,,\n----,,\nصفحة 1 من 1\n",
			want: "2 abc/ 12500 20T00:00", passed: 5},
		{name: "head on each page",
			text: "Reference,Amount\nabc,12.500\nPage 2 of 2,\nReference,Amount\nabd,7.250\n",
			want: "2 abc/ 12500\n5 abd/ 7250", passed: 2},
		{name: "two files in one", text: "\ufeffReference,Amount\nabc,12.500\n\ufeffReference,Amount\nabd,7.250\n",
			want: "2 abc/ 12500\n4 abd/ 7250", passed: 1},
		// Names of columns.
		{name: "currency in the name", text: "Reference,Amount (LYD)\nabc,12.500\n", want: "2 abc/ 12500"},
		{name: "currency in an Arabic name", text: "المرجع,المبلغ (د.ل)\nabc,12.500\n", want: "2 abc/ 12500"},
		{name: "dinars in an Arabic name", text: "المرجع,المبلغ بالدينار الليبي\nabc,12.500\n",
			want: "2 abc/ 12500"},
		{name: "names in two languages",
			text: "Reference المرجع,Amount / المبلغ (LYD),التاريخ - Date\nabc,12.500,20/11/2026\n",
			want: "2 abc/ 12500 20T00:00"},
		{name: "spelled otherwise", text: "رقم العمليه,المبلـغ ,التأريخ\nN1,12.500,20/11/2026\n",
			want: "2 /N1 12500 20T00:00"},
		// Excel's habits.
		{name: "formula of a text", text: "Reference,Transaction No,Amount\nabc,=\"0012345\",=\"12.500\"\n",
			want: "2 abc/0012345 12500"},
		{name: "formula of a text in quotes",
			text: "Reference,Transaction No,Amount\n\"=\"\"abc\"\"\",\"=\"\"0012345\"\"\",12.500\n",
			want: "2 abc/0012345 12500"},
		{name: "mark in a column that nobody needs",
			text: "Reference,Note,Amount\nabc,Screen 5\" wide,12.500\n" +
				"abd,\"Screen 5\" wide\",7.250\nabe,\"5\" wide,1\n",
			want: "2 abc/ 12500\n3 abd/ 7250\n4 abe/ 1000"},
		{name: "blank before quotes", text: "Reference, Amount, Note\nabc, \"1,234.500\", \"x\"\n",
			want: "2 abc/ 1234500"},
		{name: "CR alone", text: "Reference,Amount,Note\rabc,12.500,a\rabd,7.250,b\r",
			want: "2 abc/ 12500\n3 abd/ 7250"},
		{name: "line ends of three kinds", text: "Reference,Amount\r\nabc,12.500\nabd,7.250\rabe,1\r\n",
			want: "2 abc/ 12500\n3 abd/ 7250\n4 abe/ 1000"},
		{name: "lines in quotes", text: "Reference,Note,Amount\r\nabc,\"a\r\nb\",12.500\r\nabd,,7.250\r\n",
			want: "2 abc/ 12500\n4 abd/ 7250"},
		{name: "empty cells after the table", text: "Reference,Amount,,,\nabc,12.500,,,,,\n,,,,\n",
			want: "2 abc/ 12500"},
		// Encodings.
		{name: "UTF-16LE with a mark",
			text: "\xff\xfe" + encoded(t, utf16le, strings.ReplaceAll(arabic, ";", "\t")), want: both},
		{name: "UTF-16BE with a mark", text: "\xfe\xff" + encoded(t, utf16be, arabic), want: both},
		{name: "UTF-16LE without a mark", text: encoded(t, utf16le, arabic), want: both},
		{name: "UTF-16BE without a mark", text: encoded(t, utf16be, arabic), want: both},
		{name: "Windows-1256", text: encoded(t, charmap.Windows1256,
			strings.ReplaceAll(arabic, "٧٫٢٥٠", "7.250")), want: both},
		{name: "Windows-1256 in the head alone",
			text: encoded(t, charmap.Windows1256, "المرجع,المبلغ,ملاحظة\n") + "abc,12.500,x\n", want: "2 abc/ 12500"},
		{name: "Windows-1256 where nobody looks", text: "Reference,Amount,Name\nabc,12.500," + encoded(t,
			charmap.Windows1256, "محمد") + "\n", want: "2 abc/ 12500"},
		// Amounts and times.
		{name: "amounts with their mark",
			text: "Reference,Amount\nabc,12.500 LYD\nabd,\"LYD 1,007.250\"\nabe,١٢٫٥٠٠ د.ل\n",
			want: "2 abc/ 12500\n3 abd/ 1007250\n4 abe/ 12500"},
		{name: "days by name",
			text: "Reference,Amount,Date\nabc,1,20-NOV-26\nabd,2,20 NOV 2026\nabe,3,20 نوفمبر 2026\n",
			want: "2 abc/ 1000 20T00:00\n3 abd/ 2000 20T00:00\n4 abe/ 3000 20T00:00"},
		{name: "days with points, days of spreadsheets",
			text: "Reference,Amount,Date\nabc,1,20.11.2026\nabd,2,46346\nabe,3,46346.5\n",
			want: "2 abc/ 1000 20T00:00\n3 abd/ 2000 20T00:00\n4 abe/ 3000 20T12:00"},
		// Credits and debits.
		{name: "two sides",
			text: "Date,Narrative,Debit,Credit,Balance\n20/11/2026,Opening balance,,,100.000\n" +
				"20/11/2026,POS,,12.500,112.500\n21/11/2026,FEE,1.000,,111.500\n,Total,1.000,12.500,\n",
			want: "3 / 12500 20T00:00\n4 / -1000 21T00:00", passed: 3},
		{name: "two sides in Arabic",
			text: "التاريخ,البيان,مدين,دائن,الرصيد\n20/11/2026,نقاط بيع,0.000,12.500,1\n" +
				"21/11/2026,عمولة,1.000,-,2\nالإجمالي,,1.000,12.500,\n",
			want: "2 / 12500 20T00:00\n3 / -1000 21T00:00", passed: 2},
		{name: "the manual's columns",
			text:    "Date,Narrative,Debit,Credit\n20/11/2026,P2M abc,,12.500\n20/11/2026,FEE,1.000,\n",
			columns: "reference=Narrative,amount=Credit,status=",
			want:    "2 P2M abc/ 12500 20T00:00\n3 FEE/ -1000 20T00:00"},
		{name: "sides named by hand", text: "Txt,Out,In\nabc,,12.500\nabd,1,\n",
			columns: "reference=Txt,credit=In,debit=Out", want: "2 abc/ 12500\n3 abd/ -1000", passed: 1},
		{name: "one column and a word", text: "Reference,Amount,Dr/Cr\nabc,12.500,CR\nabd,1.000,DR\n",
			want: "2 abc/ 12500\n3 abd/ -1000", passed: 1},
		// Refused, with their problem.
		{name: "a comma that could mean either", text: "Bank\nReference,Amount\nabc,\"12,500\"\n",
			problem: reconcile.ProblemDinars, line: 3, column: "Amount"},
		{name: "the month first", text: "Reference,Amount,Date\nabc,12.500,11/20/2026\n",
			problem: reconcile.ProblemTime, line: 2, column: "Date"},
		{name: "both sides", text: "Reference,Debit,Credit\nabc,1.000,12.500\n",
			problem: reconcile.ProblemTwoAmounts, line: 2, column: "Debit"},
		{name: "neither side", text: "Reference,Debit,Credit\nabc,,\n", problem: reconcile.ProblemDinars, line: 2,
			column: "Credit"},
		{name: "a credit below zero", text: "Reference,Debit,Credit\nabc,,-1.000\n", problem: reconcile.ProblemSign,
			line: 2, column: "Credit"},
		{name: "digits lost", text: "Reference,RRN,Amount\nabc,6.12E+11,12.500\n", problem: reconcile.ProblemNumber,
			line: 2, column: "RRN"},
		{name: "mark in a column that is needed", text: "Reference,Amount\nab\"c,12.500\n",
			problem: reconcile.ProblemQuotes, line: 2, column: "Reference"},
		{name: "mark and a comma", text: "Reference,Note,Amount\nabc,Screen \"5, 6\" wide,12.500\n",
			problem: reconcile.ProblemQuotes, line: 2},
		{name: "mark without an end", text: "Reference,Note,Amount\nabc,\"Screen,12.500\nabd,x,7.250\n",
			problem: reconcile.ProblemQuotes, line: 2},
		{name: "an amount with a comma and no quotes", text: "Reference,Amount\nabc,1,234.500\n",
			problem: reconcile.ProblemExtraCell, line: 2},
		{name: "a line that was cut off", text: "Reference,Amount,Date\nabc,12.500,20/11/2026\nabd",
			problem: reconcile.ProblemShortLine, line: 3, column: "Amount"},
		{name: "a total nobody named", text: "Reference,Amount,Date\nabc,12.500,20/11/2026\n,12.500,\n",
			problem: reconcile.ProblemTime, line: 3, column: "Date"},
		{name: "a note that says total", text: "Reference,Amount,Date,Note\nabc,12.500,,Total\n",
			problem: reconcile.ProblemTime, line: 2, column: "Date"},
		{name: "two columns for one", text: "Reference,Amount,Amount (LYD)\nabc,1,2\n",
			problem: reconcile.ProblemTwoColumns, line: 1, column: "Amount (LYD)"},
		{name: "another currency in the name", text: "Reference,Amount (USD)\nabc,1\n",
			problem: reconcile.ProblemNoColumn, line: 1, column: "amount"},
		{name: "Windows-1256 in a word that counts", text: "Reference,Amount,Status\nabc,12.500," + encoded(t,
			charmap.Windows1256, "مقبولة") + "\n", problem: reconcile.ProblemEncoding, line: 2, column: "Status"},
		{name: "Windows-1256 in the name of another column", text: "Reference,Amount," + encoded(t,
			charmap.Windows1256, "ما") + "\nabc,12.500,x\n", problem: reconcile.ProblemEncoding, line: 1},
		{name: "Arabic of a Mac", text: "\xc7\xe4\xe5\xd1\xcc\xd9;\xc7\xe4\xe5\xc8\xe4\xda\nabc;12.500\n",
			problem: reconcile.ProblemEncoding, line: 1},
		{name: "a workbook of old", text: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00",
			problem: reconcile.ProblemOldWorkbook},
		{name: "a page named .xls", text: "\ufeff\r\n<html><table><tr><td>Reference</td></tr></table>",
			problem: reconcile.ProblemMarkup},
		{name: "a page in UTF-16", text: "\xff\xfe" + encoded(t, utf16le, "<table>"),
			problem: reconcile.ProblemMarkup},
		{name: "a PDF", text: "%PDF-1.7\n", problem: reconcile.ProblemDocument},
		{name: "no head within fifty lines", text: strings.Repeat("x\n", 50) + "Reference,Amount\nabc,1\n",
			problem: reconcile.ProblemNoColumn, line: 1, column: "amount"},
	} {
		f.check(t)
	}
}

func (f file) check(t *testing.T) {
	t.Helper()
	p := profileOf("plutu")
	var columns map[statements.Field]string
	if f.columns != "" {
		var err error
		if columns, err = reconcile.ParseColumns(f.columns); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := reconcile.Read(strings.NewReader(f.text), p, columns)
	from, _ := reconcile.ParseFrom("2020-01-01")
	to, _ := reconcile.ParseTo("2030-01-01")
	report, _ := reconcile.Match(strings.NewReader(f.text), p, columns, reconcile.Span{From: from, To: to}, nil)
	wrong, _ := errors.AsType[*reconcile.StatementError](err)
	switch {
	case f.problem == "" && (err != nil || outline(lines) != f.want):
		t.Errorf("%s: %v\n%s\nwant\n%s", f.name, err, outline(lines), f.want)
	case f.problem == "" && f.columns == "" && report.Skipped != f.passed:
		t.Errorf("%s: %d lines are no payments", f.name, report.Skipped)
	case f.problem != "" && (wrong == nil || wrong.Problem != f.problem || wrong.Line != f.line ||
		f.column != "" && wrong.Column != f.column):
		t.Errorf("%s: %v\n%s", f.name, err, outline(lines))
	}
}

package reconcile

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrSpan is returned if the span ends before it begins.
	ErrSpan = errors.New("the span ends before it begins")
	// ErrLongSpan is returned if the span is longer than Options allow.
	ErrLongSpan = errors.New("the span is too long")
	// ErrTooMany is returned if the ledger has more payments in the span, or with Options.CompleteTo more
	// attempts of unknown outcome, than Options allow.
	ErrTooMany = errors.New("the ledger has too many payments in the span")
)

// Problem is what is wrong with a statement.
type Problem string

// The problems.
const (
	ProblemEmpty         Problem = "empty"          // no header
	ProblemEncoding      Problem = "encoding"       // not UTF-8, and nothing else for certain
	ProblemOldWorkbook   Problem = "old_workbook"   // of Excel before 2007, or with a password
	ProblemWorkbook      Problem = "workbook"       // of another program than Excel, or damaged
	ProblemLargeWorkbook Problem = "large_workbook" // packed or unpacked
	ProblemTwoSheets     Problem = "two_sheets"     // that could be the statement
	ProblemDate          Problem = "date"           // in place of an amount or a reference
	ProblemFormula       Problem = "formula"        // without a value
	ProblemDocument      Problem = "document"       // a PDF, a picture, an archive
	ProblemMarkup        Problem = "markup"         // HTML or XML
	ProblemQuotes        Problem = "quotes"         // not comma-separated values
	ProblemTooLong       Problem = "too_long"       // more lines than are compared at once
	ProblemLongLine      Problem = "long_line"      // more bytes than a line has
	ProblemLongCell      Problem = "long_cell"      // more bytes than a cell has that is needed
	ProblemColumns       Problem = "columns"        // more of them than a table has
	ProblemExtraCell     Problem = "extra_cell"     // after those that have a name
	ProblemTwoAmounts    Problem = "two_amounts"    // a credit and a debit in one line
	ProblemNumber        Problem = "number"         // one that lost digits
	ProblemNoColumn      Problem = "no_column"      // one that is needed, or that the caller named
	ProblemTwoColumns    Problem = "two_columns"    // of one name
	ProblemShortLine     Problem = "short_line"     // fewer cells than the header
	ProblemDinars        Problem = "dinars"         // no amount in dinars
	ProblemDirhams       Problem = "dirhams"        // no amount in dirhams
	ProblemSign          Problem = "sign"           // a payment below zero
	ProblemCurrency      Problem = "currency"       // no code of a currency
	ProblemTime          Problem = "time"           // no day and no moment
	ProblemStatus        Problem = "status"         // a word that is not known
	ProblemType          Problem = "type"           // a word that is not known
	ProblemNoTimes       Problem = "no_times"       // no times, and no span was given
	ProblemDays          Problem = "days"           // days without a time, in a span that is not of whole days
)

// Problems lists them, so that a test can check that pages have a text for each.
var Problems = []Problem{
	ProblemEmpty, ProblemEncoding, ProblemOldWorkbook, ProblemWorkbook, ProblemLargeWorkbook,
	ProblemTwoSheets, ProblemDate, ProblemFormula, ProblemDocument, ProblemMarkup, ProblemQuotes,
	ProblemTooLong, ProblemLongLine, ProblemLongCell, ProblemColumns, ProblemExtraCell,
	ProblemTwoAmounts, ProblemNumber, ProblemNoColumn, ProblemTwoColumns, ProblemShortLine,
	ProblemDinars, ProblemDirhams, ProblemSign, ProblemCurrency, ProblemTime, ProblemStatus,
	ProblemType, ProblemNoTimes, ProblemDays,
}

// sentences are the error texts for operators.
var sentences = map[Problem]string{
	ProblemEmpty: "the file has no line with the names of its columns",
	ProblemEncoding: "the text is not UTF-8 (perhaps Windows-1256, Excel's CSV in Arabic); " +
		"save the file as CSV UTF-8 or as .xlsx",
	ProblemOldWorkbook: "this is a workbook of Excel before 2007 (.xls), or one with a password; " +
		"save it as .xlsx without a password or as CSV UTF-8",
	ProblemWorkbook: "this is no workbook of Excel (.xlsx) that can be read; " +
		"save it in Excel as .xlsx, or as CSV UTF-8",
	ProblemLargeWorkbook: "the workbook has more than 16 MiB, or unpacks to more than 128 MiB; " +
		"save its sheet as CSV UTF-8, or split it by days",
	ProblemTwoSheets: "several sheets could be the statement; keep the one that is meant",
	ProblemDate: "Excel shows the cell as a date; it may have made one of an amount such as 12.5: " +
		"export the file again",
	ProblemFormula: "the formula of the cell has no value",
	ProblemDocument: "this is no table but a PDF, a picture or an archive; " +
		"ask for the statement as CSV or .xlsx",
	ProblemMarkup: "this is a web page (HTML) or XML, whatever its name says; " +
		"open it in Excel and save it as .xlsx or CSV UTF-8",
	ProblemQuotes:  "the quotation marks do not fit those of comma-separated values",
	ProblemTooLong: "the file has more lines than are compared at once; split it by days",
	ProblemLongLine: "the line is longer than 64 KiB; the file is no table, " +
		"or a quotation mark has no end",
	ProblemLongCell:   "the cell has more than 1,000 bytes",
	ProblemColumns:    "the line has more than 200 cells",
	ProblemExtraCell:  "the line has more cells than the line with the names",
	ProblemTwoAmounts: "the line has a credit and a debit",
	ProblemNumber: "the number lost its digits in a spreadsheet; " +
		"export the file again, or read its column as text",
	ProblemNoColumn:   "there is no such column; name it with --columns",
	ProblemTwoColumns: "several columns have this name; name the one that is meant with --columns",
	ProblemShortLine:  "the line has fewer cells than the line with the names",
	ProblemDinars: "not an amount in dinars such as 12.500 or 1,234.500; " +
		"a comma without a decimal point could mean either",
	ProblemDirhams:  "not a whole number of dirhams; where the file has dinars, say --unit dinars",
	ProblemSign:     "the type says payment, and the amount is below zero",
	ProblemCurrency: "not a code of a currency such as LYD",
	ProblemTime:     "not a time such as 2026-11-20 22:41:00 or 20/11/2026",
	ProblemStatus:   "not a known word for paid or not paid; --columns status= leaves the column out",
	ProblemType:     "not a known word for a payment or a refund; --columns type= leaves the column out",
	ProblemNoTimes:  "the file has no times; say --from and --to",
	ProblemDays:     "the file has days without a time of day; --from and --to must be days too",
}

// StatementError is a problem of a statement, with its place.
type StatementError struct {
	Problem Problem
	Line    int    // of the file, from 1; 0: of the file as a whole
	Column  string // as the file names it, or the Field that has no column; may be empty
	Value   string // the content of the cell; may be empty
}

// maxShown is the number of characters of a cell that an error repeats.
const maxShown = 60

func problemAt(p Problem, line int, column, value string) *StatementError {
	if shown := []rune(value); len(shown) > maxShown {
		value = string(shown[:maxShown]) + "…"
	}
	return &StatementError{Problem: p, Line: line, Column: column, Value: value}
}

// Error implements error.
func (e *StatementError) Error() string {
	var b strings.Builder
	b.WriteString("read statement: ")
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, "column %q: ", e.Column)
	}
	if e.Value != "" {
		fmt.Fprintf(&b, "%q: ", e.Value)
	}
	return b.String() + sentences[e.Problem]
}

package dashboard_test

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"daftar/dashboard"
	"daftar/domain"
)

// What a spreadsheet skips before a formula, and the beginnings of formulas.
var (
	before = []string{
		"", "\t", "\n", "\r\n", "\r", "\v", "\f", " ", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u2066", "\u200f",
		"\u00ad", "\u2800", "\u3164",
		"\ufe0f", "\u2028", "\u0085", `"`, "\t \n\u200b\t", "x;", "x; ", "x|", "x\t", "x\n", "x\t\u200b", "x;\t",
		"x\r\n\t", "x\n\"", ";", "\t\t\t",
	}
	begins = []string{"=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠SUM(A1)", "﹦1", "−1"}
)

// cells are the cells that a spreadsheet of any language may find in a line.
func cells(file string) []string {
	return strings.FieldsFunc(file, func(r rune) bool {
		return strings.ContainsRune(";|\t\v\f\r\n\u0085\u2028\u2029", r)
	})
}

func isFormula(cell string) bool {
	cell = strings.TrimLeft(cell,
		"\" \t\r\n\v\f\u0085\u00a0\u3000\u200b\ufeff\u2066\u200f\u00ad\u2800\u3164\ufe0f\u2028\u2029")
	return strings.IndexAny(cell, "=+-@＝＋－＠﹦﹢﹣﹫−") == 0
}

func TestFormulasAreDefusedWhereverACellMayBegin(t *testing.T) {
	t.Parallel()
	for _, b := range before {
		for _, f := range begins {
			text := b + f
			got := dashboard.EscapeFormula(text)
			for _, cell := range append(cells(got), got) {
				if isFormula(cell) {
					t.Errorf("%+q becomes %+q, in which %+q is a formula", text, got, cell)
				}
			}
			if strings.ReplaceAll(got, "'", "") != text {
				t.Errorf("%+q becomes %+q: more than apostrophes", text, got)
			}
		}
	}
	for _, text := range []string{
		"", "طلب رقم 7", "tea-time", "a = b", "5-7 Nov", "mail@shop.example", "1+1", "x, -5%", "(091) 234-5678",
		"Ali's", "\t\n;", "\u200bشاي", "\"=\"\"", "a\tb",
	} {
		if got := dashboard.EscapeFormula(text); got != text && text[0] != '"' {
			t.Errorf("%+q becomes %+q", text, got)
		}
	}
}

// Every export escapes untrusted text by that one function; a workbook has it as text.
func TestNoExportHasAFormula(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const evil = "\t=HYPERLINK(\"http://evil.example\")\n+1;\t-1|@x\r\n＝2"
	w.sale(t, w.ours, 0, func(c *domain.Create) {
		c.Description, c.MerchantReference, c.CustomerID = evil, "\t=1", new(evil)
	}, paid(attemptA, 5000)...)
	i := w.late(t, w.ours)
	w.project(t)
	// The rules for names have changed, so older names may have anything in them.
	_, err := w.db.OwnerPool(t).Exec(t.Context(), `UPDATE applications SET name = $2 WHERE uuid = $1`,
		w.ours.apps[0].ID, "\t"+evil)
	if err != nil {
		t.Fatal(err)
	}
	c := w.owner(t)
	c.post(w.ours.path("decisions/"+i.ID.String()+"/5"), "kind", "delivered", "note", "x\n=1\n\t@y",
		"reference", "=TR", "informed", "-Ali").leads(t, w.ours.path("decisions"))
	for _, name := range []string{"payments", "money", "decisions"} {
		file := c.get(w.ours.path(name+".csv?lang=en")).is(t, http.StatusOK)
		body := strings.TrimPrefix(file.body, "\ufeff")
		rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%s: %q, %v", name, rows, err)
		}
		found := cells(body)
		for _, row := range rows {
			found = append(found, row...)
		}
		for _, cell := range found {
			if isFormula(cell) {
				t.Errorf("%s.csv: %+q is a formula", name, cell)
			}
		}
		book, err := excelize.OpenReader(strings.NewReader(c.get(w.ours.path(name+".xlsx?lang=en")).
			is(t, http.StatusOK).body))
		if err != nil {
			t.Fatal(err)
		}
		sheet := book.GetSheetName(0)
		typed, err := book.GetRows(sheet)
		if err != nil || len(typed) != len(rows) {
			t.Fatalf("%s.xlsx has %q, %v", name, typed, err)
		}
		for n := range len(rows) * len(rows[0]) {
			at, err := excelize.CoordinatesToCellName(n%len(rows[0])+1, n/len(rows[0])+1)
			if err != nil {
				t.Fatal(err)
			}
			kind, _ := book.GetCellType(sheet, at)
			text, _ := book.GetCellValue(sheet, at, excelize.Options{RawCellValue: true})
			calculated, _ := book.GetCellFormula(sheet, at)
			if calculated != "" || isFormula(text) && kind != excelize.CellTypeInlineString {
				t.Errorf("%s.xlsx: %s is of kind %v, %q", name, at, kind, text)
			}
		}
		if err := book.Close(); err != nil {
			t.Error(err)
		}
	}
}

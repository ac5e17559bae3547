//go:build long

package reconcile_test

import (
	"testing"

	"daftar/reconcile"
)

func TestLongWorkbooksThatFillTheMemory(t *testing.T) {
	const filler = 24 << 20
	const book, texts = "xl/workbook.xml", "xl/sharedStrings.xml"
	fill := func(files map[string]string, part, with string) string {
		return packed(t, files, part, with, filler, filler+1000)
	}
	refuseWithinMemory(t, map[string]workbook{
		"unpacks to 1 GB and hides it": {
			packed(t, parts(headRow), firstSheet, "<row/>", filler, 1000),
			reconcile.ProblemWorkbook,
		},
		"one text": {fill(parts(headRow), firstSheet, "x"), reconcile.ProblemWorkbook},
		"one attribute": {
			fill(parts(headRow+`<row r="`), firstSheet, "x"),
			reconcile.ProblemLargeWorkbook,
		},
		"one comment": {
			fill(parts(headRow+`<!--`), firstSheet, "x"),
			reconcile.ProblemLargeWorkbook,
		},
		"one row": {
			fill(parts(headRow+`<row>`), firstSheet, `<c><v>1</v></c>`),
			reconcile.ProblemColumns,
		},
		"shared texts": {
			fill(parts(headRow), texts, "<si><t>x</t></si>"),
			reconcile.ProblemLargeWorkbook,
		},
		"a shared text": {
			fill(changed(parts(headRow), texts, parts(headRow)[texts], "<sst><si>"), texts, "<t>x</t>"),
			reconcile.ProblemLargeWorkbook,
		},
		"sheets": {
			fill(parts(headRow), book, `<sheet name="a" id="rId1"/>`),
			reconcile.ProblemLargeWorkbook,
		},
	})
}

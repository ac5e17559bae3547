package reconcile_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"daftar/reconcile"
)

// parts are those of the smallest workbook with a sheet.
func parts(rows string) map[string]string {
	return map[string]string{
		"xl/workbook.xml": `<workbook xmlns:r="r"><sheets>` +
			`<sheet name="November" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships>` +
			`<Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml": `<?xml version="1.0" encoding="UTF-8"?>` +
			`<worksheet><sheetData>` + rows + `</sheetData></worksheet>`,
		"xl/styles.xml": `<styleSheet><numFmts>` +
			`<numFmt numFmtId="164" formatCode="[$-1001]d mmmm yyyy"/>` +
			`<numFmt numFmtId="165" formatCode="0.000&quot; LYD&quot;"/></numFmts>` +
			`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>` +
			`</styleSheet>`,
		"xl/sharedStrings.xml": `<sst><si><t>Reference</t></si>` +
			`<si><r><t>Am</t></r><r><t>ount</t></r><rPh><t>x</t></rPh></si>` +
			`<si><t xml:space="preserve">التاريخ </t></si></sst>`,
	}
}

func zipped(t *testing.T, parts map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range parts {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const headRow = `<row r="1"><c r="A1" t="s"><v>0</v></c>` +
	`<c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>`

// changed are the parts of a workbook with one text replaced by another.
func changed(parts map[string]string, name, old, with string) map[string]string {
	parts[name] = strings.Replace(parts[name], old, with, 1)
	return parts
}

// Workbooks as programs write them, with amounts in dinars.
func TestWorkbooks(t *testing.T) {
	t.Parallel()
	row := func(cells string) map[string]string { return parts(headRow + `<row r="2">` + cells + `</row>`) }
	text := func(of string) string { return `<c t="inlineStr"><is><t>` + of + `</t></is></c>` }
	number := func(n string) string { return `<c><v>` + n + `</v></c>` }
	two := row(text("abc") + number("12.5") + number("46346"))
	two["xl/worksheets/sheet2.xml"] = two["xl/worksheets/sheet1.xml"]
	two = changed(two, "xl/workbook.xml", "</sheets>", `<sheet name="Copy" sheetId="2" r:id="rId2"/></sheets>`)
	two = changed(two, "xl/_rels/workbook.xml.rels", "</Relationships>",
		`<Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>`)
	cover := changed(row(text("abc")+number("12.5")+number("46346")), "xl/workbook.xml", "<sheets>",
		`<sheets><sheet name="Cover" sheetId="2" r:id="rId2"/>`)
	cover = changed(cover, "xl/_rels/workbook.xml.rels", "</Relationships>",
		`<Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>`)
	cover["xl/worksheets/sheet2.xml"] = `<worksheet><sheetData>` +
		`<row><c t="inlineStr"><is><t>مصرف</t></is></c></row></sheetData></worksheet>`
	for _, c := range []struct {
		name    string
		parts   map[string]string
		want    string // the outline, or
		problem reconcile.Problem
		line    int
		column  string
	}{
		{name: "a number and a day", parts: row(text("abc") + number("12.5") + `<c s="1"><v>46346.9451</v></c>`),
			want: "2 abc/ 12500 20T22:40"},
		{name: "texts", parts: row(text("abc") + text("١٢٫٥٠٠ د.ل") + text("20 نوفمبر 2026 ١٠:٤١ م")),
			want: "2 abc/ 12500 20T22:41"},
		{name: "places, rows that are hidden or empty",
			parts: parts(`<row/><row r="4">` + text("Bank") + `</row>` +
				strings.NewReplacer("1", "7").Replace(`<row r="1">`) +
				`<c r="A7" t="s"><v>0</v></c><c r="C7" t="s"><v>1</v></c></row>` +
				`<row r="9" hidden="1"><c r="A9" t="str"><f>"ab"&amp;"c"</f><v>abc</v></c>` +
				`<c r="C9" s="3"><v>1234.5</v></c></row>`),
			want: "9 abc/ 1234500"},
		{name: "references and literal texts",
			parts: row(text("<![CDATA[a&b]]>c") + number("12.5") + `<c t="str"><v>20&#47;11&#x2f;2026</v></c>`),
			want:  "2 a&bc/ 12500 20T00:00"},
		{name: "a document type", parts: changed(row(""), "xl/worksheets/sheet1.xml", "<worksheet>",
			`<!DOCTYPE x [<!ENTITY a "b">]><worksheet>`), problem: reconcile.ProblemWorkbook},
		{name: "a prefix of names", parts: map[string]string{
			"xl/workbook.xml": `<x:workbook xmlns:x="x" xmlns:r="r"><x:sheets>` +
				`<x:sheet name="a" r:id="R1"/></x:sheets></x:workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships>` +
				`<Relationship Id="R1" Target="/xl/worksheets/Sheet.xml"/></Relationships>`,
			"xl/worksheets/sheet.xml": `<x:worksheet>` +
				`<x:row><x:c t="str"><x:v>Reference</x:v></x:c><x:c t="str"><x:v>Amount</x:v></x:c></x:row>` +
				`<x:row><x:c t="str"><x:v>abc</x:v></x:c><x:c><x:v>1</x:v></x:c></x:row></x:worksheet>`,
		}, want: "2 abc/ 1000"},
		{name: "numbers as they are stored",
			parts: parts(headRow +
				`<row>` + text("a") + number("12.1") + number("46346") + `</row>` +
				`<row>` + text("b") + number("1.1000000000000001") + number("46346") + `</row>` +
				`<row>` + text("c") + number("12.100000000000001") + number("46346") + `</row>` +
				`<row>` + text("d") + number("1.25E2") + number("46346") + `</row>` +
				`<row>` + text("e") + number("999999999.999") + number("46346") + `</row>`),
			want: "2 a/ 12100 20T00:00\n3 b/ 1100 20T00:00\n4 c/ 12100 20T00:00\n" +
				"5 d/ 125000 20T00:00\n6 e/ 999999999999 20T00:00"},
		{name: "days from 1904", parts: changed(row(text("abc")+number("12.5")+`<c s="2"><v>44884.5</v></c>`),
			"xl/workbook.xml", "<sheets>", `<workbookPr date1904="1"/><sheets>`), want: "2 abc/ 12500 20T12:00"},
		{name: "a cover", parts: cover, want: "2 abc/ 12500 20T00:00"},
		{name: "four decimals", parts: row(text("abc") + number("12.1004") + number("46346")),
			problem: reconcile.ProblemDinars, line: 2, column: "Amount"},
		{name: "an amount that became a date",
			parts: row(text("abc") + `<c s="2"><v>46154</v></c>` + number("46346")), problem: reconcile.ProblemDate,
			line: 2, column: "Amount"},
		{name: "a reference that lost digits",
			parts:   row(number("6.1234567890123456E+17") + number("12.5") + number("46346")),
			problem: reconcile.ProblemNumber, line: 2, column: "Reference"},
		{name: "a formula without a value",
			parts:   row(text("abc") + `<c t="e"><f>A1/0</f><v>#DIV/0!</v></c>` + number("46346")),
			problem: reconcile.ProblemFormula, line: 2, column: "Amount"},
		{name: "a time of day alone", parts: row(text("abc") + number("12.5") + `<c s="1"><v>0.5</v></c>`),
			problem: reconcile.ProblemTime, line: 2, column: "التاريخ"},
		{name: "two statements", parts: two, problem: reconcile.ProblemTwoSheets},
		{name: "no head", parts: parts(`<row>` + text("name") + `</row>`), problem: reconcile.ProblemNoColumn,
			line: 1, column: "amount"},
		{name: "an empty sheet", parts: parts(""), problem: reconcile.ProblemEmpty},
		{name: "of another program",
			parts: map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
				"content.xml": "<x/>"}, problem: reconcile.ProblemWorkbook},
		{name: "XML that ends early", parts: changed(row(text("abc")+number("1")), "xl/worksheets/sheet1.xml",
			"</row></sheetData></worksheet>", "<c"), problem: reconcile.ProblemWorkbook},
		{name: "a text that is not there", parts: row(`<c t="s"><v>99</v></c>` + number("1")),
			problem: reconcile.ProblemWorkbook},
		{name: "columns", parts: row(`<c r="XFD2"><v>1</v></c>`), problem: reconcile.ProblemColumns, line: 2},
	} {
		lines, err := reconcile.Read(strings.NewReader(zipped(t, c.parts)), profileOf("plutu"), nil)
		wrong, _ := errors.AsType[*reconcile.StatementError](err)
		switch {
		case c.problem == "" && (err != nil || outline(lines) != c.want):
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, outline(lines), c.want)
		case c.problem != "" && (wrong == nil || wrong.Problem != c.problem || wrong.Line != c.line ||
			wrong.Column != c.column):
			t.Errorf("%s: %v\n%s", c.name, err, outline(lines))
		}
	}
	if _, err := reconcile.Read(strings.NewReader("PK\x03\x04"), profileOf("plutu"), nil); err == nil {
		t.Error("the beginning of an archive is read")
	}
}

// A workbook that excelize writes, as our own exports are, in Arabic.
func TestWorkbookOfALibrary(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	day := "dd/mm/yyyy"
	style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &day})
	if err != nil {
		t.Fatal(err)
	}
	for n, row := range [][]any{
		{"كشف حساب"}, {}, {"التاريخ", "البيان", "مدين", "دائن", "الرصيد"}, {noon.In(tripoli), "شراء " + attempt1,
			nil, 12.1, 12.1}, {noon.In(tripoli), "عمولة", 0.25, nil, 11.85}, {"الإجمالي", nil, 0.25, 12.1},
	} {
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", n+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.SetColStyle("Sheet1", "A", style); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	r, err := reconcile.Match(&b, profileOf("plutu"), nil, reconcile.Span{},
		[]reconcile.Entry{{Attempt: attempt1, Amount: 12_100, At: noon}})
	if err != nil || !r.OK() || r.Matched != 1 || r.Skipped != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// packed is an archive with a part of size bytes, which repeat a text. Its directory declares
// another size.
func packed(t *testing.T, parts map[string]string, name, text string, size int64, declared uint64) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for other, content := range parts {
		if other == name {
			continue
		}
		w, err := z.Create(other)
		if err == nil {
			_, err = io.WriteString(w, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var deflated bytes.Buffer
	d, err := flate.NewWriter(&deflated, flate.BestSpeed)
	if err == nil {
		_, err = io.Copy(d, io.MultiReader(strings.NewReader(strings.TrimSuffix(parts[name],
			"</sheetData></worksheet>")), io.LimitReader(&endless{text: text}, size)))
	}
	if err == nil {
		err = d.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	w, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate,
		CompressedSize64: uint64(deflated.Len()), UncompressedSize64: declared})
	if err == nil {
		_, err = w.Write(deflated.Bytes())
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// workbook is a file that is refused, with its problem.
type workbook struct {
	file    string
	problem reconcile.Problem
}

// A workbook that would fill the memory is refused with its problem before it does. More of them, each
// with 24 MB of XML to read, are in TestLongWorkbooksThatFillTheMemory.
func TestWorkbooksThatFillTheMemory(t *testing.T) {
	many := map[string]string{}
	for n := range 40_000 {
		many[fmt.Sprintf("xl/%d.xml", n)] = ""
	}
	refuseWithinMemory(t, map[string]workbook{
		"unpacks to 1 GB": {
			packed(t, parts(headRow), firstSheet, "<row/>", 1<<20, 1<<30),
			reconcile.ProblemLargeWorkbook,
		},
		"parts":  {zipped(t, many), reconcile.ProblemLargeWorkbook},
		"packed": {"PK\x03\x04" + strings.Repeat("\x00", 17<<20), reconcile.ProblemLargeWorkbook},
	})
}

const firstSheet = "xl/worksheets/sheet1.xml"

func refuseWithinMemory(t *testing.T, books map[string]workbook) {
	t.Helper()
	for name, c := range books {
		var err error
		bytes := held(func() { _, err = reconcile.Read(strings.NewReader(c.file), profileOf("plutu"), nil) })
		if wrong, is := errors.AsType[*reconcile.StatementError](err); !is || wrong.Problem != c.problem {
			t.Errorf("%s: %v, want %s", name, err, c.problem)
		}
		if bytes > mostAllocated {
			t.Errorf("%s: %d MB were held", name, bytes>>20)
		}
	}
}

// held is the growth of the heap during a call, as seen by samples. Garbage is collected often, so
// that it hardly counts.
func held(call func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	before, most := stats.HeapInuse, stats.HeapInuse
	done := make(chan struct{})
	go func() {
		defer close(done)
		call()
	}()
	for tick := time.NewTicker(2 * time.Millisecond); ; {
		select {
		case <-done:
			return most - before
		case <-tick.C:
			runtime.ReadMemStats(&stats)
			most = max(most, stats.HeapInuse)
		}
	}
}

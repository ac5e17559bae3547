package dashboard_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"daftar/accounts"
	"daftar/domain"
)

func TestAnExportIsWholeDefusedAndRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// After a semicolon a spreadsheet in another language begins a new cell.
	const formula, second = `=HYPERLINK("http://evil.example","x")`, "\u00a0+1; -cmd|' /C calc'!A0"
	i := w.sale(t, w.ours, 0, func(c *domain.Create) {
		c.Amount.Minor, c.Description, c.MerchantReference = 1_234_500, formula, "@order,\"1\""
		c.CustomerID = new(second)
	}, paid(attemptA, 1_234_500)...)
	w.sale(t, w.ours, 1, func(c *domain.Create) { c.Description = "شاي" })
	w.sale(t, w.other, 0, func(c *domain.Create) { c.Description = "secret of others" })
	w.project(t)
	c := w.viewer(t)

	c.send(http.MethodHead, w.ours.path("payments.csv"), nil).is(t, http.StatusOK)
	if records := w.trail(t, w.ours, "payments.export"); len(records) != 0 {
		t.Errorf("HEAD is recorded as an export: %v", records)
	}
	c.get(w.ours.path("payments.csv?min=x")).leads(t, w.ours.path("payments"))
	file := c.get(w.ours.path("payments.csv?lang=en&status=succeeded")).is(t, http.StatusOK).
		lacks(t, "secret of others")
	if got := file.header.Get("Content-Disposition"); !strings.HasPrefix(got,
		`attachment; filename="payments-`) {
		t.Errorf("Content-Disposition %q", got)
	}
	text, marked := strings.CutPrefix(file.body, "\ufeff")
	if !marked {
		t.Error("the file does not begin with a byte order mark")
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("rows %q, %v", rows, err)
	}
	got := map[string]string{}
	for n, name := range rows[0] {
		got[name] = rows[1][n]
	}
	tripoli := func(at time.Time) string { return at.In(time.FixedZone("", 2*60*60)).Format(time.RFC3339) }
	want := map[string]string{
		"uuid": i.ID.String(), "reference": i.Reference.Capitals(), "merchant_reference": `'@order,"1"`,
		"application": w.ours.apps[0].Name,
		"status":      "succeeded", "paid_late": "no", "amount": "1234.500", "currency": "LYD",
		"description": "'" + formula,
		"customer":    "'\u00a0+1;' -cmd|' /C calc'!A0",
		"created_at":  tripoli(i.CreatedAt), "expires_at": tripoli(i.ExpiresAt), "paid_at": tripoli(i.UpdatedAt),
		"canceled_at": "", "extra_payments": "0", "refunded": "0.000",
		"method": "wallet", "acquirer": "sandbox", "acquirer_reference": "SBX-AAAA", "payer": "091•••5678",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
	// The heads are in the reader's language; the columns are the same.
	arabic := c.get(w.ours.path("payments.csv?status=succeeded")).is(t, http.StatusOK)
	heads, rest, _ := strings.Cut(arabic.body, "\r\n")
	if !strings.HasPrefix(heads, "\ufeffالمعرّف,المرجع,مرجع التاجر,") || !strings.HasSuffix(heads,
		",الوسيلة,جهة الدفع,المرجع لدى جهة الدفع,الدافع") || rest != strings.SplitN(file.body, "\r\n", 2)[1] {
		t.Errorf("in Arabic:\n%s", arabic.body)
	}
	records := w.trail(t, w.ours, "payments.export")
	if len(records) != 2 || records[0].Actor != w.ours.email(accounts.RoleViewer) ||
		records[0].Detail["status"] != "succeeded" {
		t.Errorf("the trail has %+v", records)
	}
	c.get(w.other.path("payments.csv")).is(t, http.StatusNotFound)
}

// The export of a search has the results of all pages. The audit record only has that there was
// a search, because the text may be a phone number.
func TestAnExportHasWhatWasFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.sale(t, w.ours, 0, func(c *domain.Create) { c.Amount.Minor = 25_500 }, paid(attemptA, 25_500)...)
	other := w.sale(t, w.ours, 1, func(c *domain.Create) { c.Amount.Minor = 25_500 })
	w.sale(t, w.other, 0, func(c *domain.Create) {
		c.Amount.Minor, c.Description = 25_500, "secret of others"
	}, paid(attemptA, 25_500)...)
	w.project(t)
	c := w.viewer(t)
	const query = "?lang=en&q=25.500+5678"
	c.get(w.ours.path("payments"+query)).is(t, http.StatusOK).link(t, "Download CSV")
	for _, path := range []string{"payments.csv", "payments.xlsx"} {
		c.get(w.ours.path(path+query)).is(t, http.StatusOK)
	}
	c.get(w.ours.path("payments.csv"+query)).has(t, i.Reference.Capitals()).
		lacks(t, other.Reference.Capitals(), "secret of others")
	c.get(w.ours.path("payments.csv"+query+"&status=canceled")).is(t, http.StatusOK).
		lacks(t, i.Reference.Capitals())
	c.get(w.ours.path("payments.csv?q="+strings.Repeat("x", 301))).leads(t, w.ours.path("payments"))
	records := w.trail(t, w.ours, "payments.export")
	if len(records) != 4 {
		t.Fatalf("the trail has %+v", records)
	}
	for _, r := range records {
		if r.Detail["searched"] != true || strings.Contains(fmt.Sprint(r.Detail), "5678") {
			t.Errorf("recorded: %v", r.Detail)
		}
	}
}

// exportsAnHour is how many files a user may export.
const exportsAnHour = 60

// Each export leaves a permanent record, so their number is limited.
func TestExportsAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.viewer(t)
	for n := range exportsAnHour {
		c.get(w.ours.path([]string{"payments.csv", "money.csv", "payments.xlsx", "money.xlsx"}[n%4])).
			is(t, http.StatusOK)
	}
	refused := c.get(w.ours.path("payments.csv?lang=en")).is(t, http.StatusTooManyRequests).
		has(t, "60 in an hour")
	if got := refused.header.Get("Retry-After"); got != "3600" {
		t.Errorf("Retry-After %q", got)
	}
	n := len(w.trail(t, w.ours, "payments.export")) + len(w.trail(t, w.ours, "turnover.export"))
	if n != exportsAnHour {
		t.Errorf("%d records", n)
	}
	w.owner(t).get(w.ours.path("payments.csv")).is(t, http.StatusOK)
}

// A file that could not be completed must not look complete.
func TestAFailedExportBreaksTheConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sale(t, w.ours, 0, nil)
	w.project(t)
	c := w.viewer(t)
	// More than one part, copied, since appending as many would take seconds. The last row in
	// the file's order cannot be read, so the second part fails.
	for _, sql := range []string{
		`INSERT INTO intents SELECT (jsonb_populate_record(i, jsonb_build_object('uuid', gen_random_uuid(),
			'created_at', created_at - n * interval '1 second', 'merchant_reference', 'copy ' || n))).*
		FROM intents i, generate_series(1, 1100) n`,
		`INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('intent_uuid', i.uuid,
			'created_at', i.created_at))).*
		FROM payments p JOIN intents i ON i.uuid <> p.intent_uuid`,
		`UPDATE intents SET customer = '"no object"'
		WHERE uuid = (SELECT uuid FROM intents ORDER BY created_at LIMIT 1)`,
	} {
		if _, err := w.db.OwnerPool(t).Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tear := func(file string) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.server.URL+w.ours.path(file), nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := c.http.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		if response.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d", file, response.StatusCode)
		}
		if text, err := io.ReadAll(response.Body); err == nil || len(text) < 1000 {
			t.Errorf("%s looks whole, with %d bytes: %v", file, len(text), err)
		}
	}
	tear("payments.csv")
	tear("payments.xlsx")
}

// book opens a workbook and returns the rows of its only sheet as people see them.
func (a answer) book(t *testing.T, sheet string) (*excelize.File, [][]string) {
	t.Helper()
	book, err := excelize.OpenReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = book.Close() })
	rows, err := book.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	return book, rows
}

// A workbook has real numbers and dates, has the reading direction of the language, and calculates
// nothing in untrusted text.
func TestWorkbookIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const formula, odd = `=HYPERLINK("http://evil.example","x")`, "@a_x0041_b & <c>"
	i := w.sale(t, w.ours, 0, func(c *domain.Create) {
		c.Amount.Minor, c.Description, c.CustomerID = 1_234_500, formula, new(odd)
	}, paid(attemptA, 1_234_500)...)
	w.project(t)
	c := w.viewer(t)
	for _, l := range []struct {
		query, sheet, status, method string
		rightToLeft                  bool
		heads                        map[int]string
	}{
		{"", "المدفوعات", "مدفوعة", "المحفظة الإلكترونية", true,
			map[int]string{0: "المعرّف", 6: "المبلغ", 16: "الوسيلة"}},
		{"?lang=en", "Payments", "Paid", "Phone wallet", false,
			map[int]string{0: "uuid", 6: "Amount", 16: "Method"}},
	} {
		file := c.get(w.ours.path("payments.xlsx"+l.query)).is(t, http.StatusOK)
		got := file.header.Get("Content-Disposition")
		if !strings.HasSuffix(got, `.xlsx"`) ||
			!strings.Contains(file.header.Get("Content-Type"), "spreadsheetml.sheet") {
			t.Errorf("Content-Disposition %q, Content-Type %q", got, file.header.Get("Content-Type"))
		}
		book, rows := file.book(t, l.sheet)
		if len(rows) != 2 {
			t.Fatalf("rows %q", rows)
		}
		for n, head := range l.heads {
			if rows[0][n] != head {
				t.Errorf("head %d is %q, want %q", n, rows[0][n], head)
			}
		}
		view, err := book.GetSheetView(l.sheet, 0)
		if err != nil || *view.RightToLeft != l.rightToLeft {
			t.Errorf("%s: right to left %v, %v", l.sheet, view.RightToLeft, err)
		}
		for cell, want := range map[string]struct {
			kind       excelize.CellType
			raw, shown string
		}{
			"A2": {excelize.CellTypeInlineString, i.ID.String(), i.ID.String()},
			"E2": {excelize.CellTypeInlineString, l.status, l.status},
			"G2": {excelize.CellTypeUnset, "1234.500", "1,234.500"},
			"I2": {excelize.CellTypeInlineString, formula, formula},
			"J2": {excelize.CellTypeInlineString, odd, odd},
			"K2": {excelize.CellTypeUnset, "", i.CreatedAt.In(time.FixedZone("", 2*60*60)).Format(time.DateTime)},
			"N2": {excelize.CellTypeUnset, "", ""},
			"O2": {excelize.CellTypeUnset, "0", "0"},
			"Q2": {excelize.CellTypeInlineString, l.method, l.method},
			"S2": {excelize.CellTypeInlineString, "SBX-AAAA", "SBX-AAAA"},
			"T2": {excelize.CellTypeInlineString, "091•••5678", "091•••5678"},
		} {
			kind, _ := book.GetCellType(l.sheet, cell)
			raw, _ := book.GetCellValue(l.sheet, cell, excelize.Options{RawCellValue: true})
			shown, _ := book.GetCellValue(l.sheet, cell)
			calculated, _ := book.GetCellFormula(l.sheet, cell)
			if kind != want.kind || shown != want.shown || want.raw != "" && raw != want.raw || calculated != "" {
				t.Errorf("%s is of kind %v, %q, shown as %q, with formula %q; want %+v", cell, kind, raw, shown,
					calculated, want)
			}
		}
	}
	_, rows := c.get(w.ours.path("money.xlsx")).is(t, http.StatusOK).book(t, "الإيرادات")
	if len(rows) != 2 || rows[0][0] != "اليوم" || rows[1][5] != "1,234.500" {
		t.Errorf("what came in: %q", rows)
	}
}

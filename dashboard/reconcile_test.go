package dashboard_test

import (
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"daftar/dashboard"
	"daftar/domain"
)

// multipartForm is a form with fields, by name and value in turns, and then a file.
func multipartForm(t *testing.T, file string, fields ...string) (body, contentType string) {
	t.Helper()
	var b strings.Builder
	w := multipart.NewWriter(&b)
	for n := 0; n+1 < len(fields); n += 2 {
		if err := w.WriteField(fields[n], fields[n+1]); err != nil {
			t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile("file", "statement.csv")
	if err == nil {
		_, err = io.WriteString(part, file)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

// upload sends a form with a file.
func (c *client) upload(path, file string, fields ...string) answer {
	c.t.Helper()
	body, kind := multipartForm(c.t, file, fields...)
	return c.uploadAs(path, body, kind)
}

func (c *client) uploadAs(path, body, kind string) answer {
	c.t.Helper()
	to := c.w.server.URL + path
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, to, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Content-Type", kind)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	response, err := c.http.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

const attemptC = domain.AttemptID("CCCC4P1R8V5Y2A9C6E3G0H7J4K")

// statement is a statement of the sandbox with these attempts and amounts, of the present day.
func (w *world) statement(lines ...string) string {
	at := w.now().UTC().Format(time.RFC3339)
	return "id,amount,taken_at\n" + strings.Join(lines, ","+at+"\n") + "," + at + "\n"
}

// Finance uploads a statement and sees what is missing on either side. Only payments of the
// organisation are compared.
func TestReconcile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	first := w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	second := w.sale(t, w.ours, 1, nil, paid(attemptB, 5000)...)
	theirs := w.sale(t, w.other, 0, nil, paid(attemptC, 5000)...)
	c, path := w.viewer(t), w.ours.path("reconcile")+"?lang=en"

	c.get(w.ours.path("money")+"?lang=en").is(t, http.StatusOK).has(t, "Compare an acquirer’s statement")
	c.get(path).is(t, http.StatusOK).has(t, "Moamalat", "Sandbox", "32 MiB").
		lacks(t, "The statement and the ledger")
	page := c.upload(path, w.statement("aaaa3M9X2Q7T5W8Z1B4C6D0E2F,5001", "CCCC4P1R8V5Y2A9C6E3G0H7J4K,5000"),
		"acquirer", "sandbox").is(t, http.StatusOK)
	page.has(t, "The statement is missing 1 payment worth 5.000\u00a0LYD, the ledger is missing 1 payment "+
		"worth 5.000\u00a0LYD, and they differ in 1 transaction.", "Not in the statement", "Not in the ledger",
		"Amounts differ", "5.001", "0.001", string(attemptB))
	page.lacks(t, theirs.ID.String(), theirs.Reference.Capitals())
	for _, i := range []domain.Intent{first, second} {
		if !strings.Contains(page.body, w.ours.path("payments/"+i.ID.String())) {
			t.Errorf("no link to %s:\n%s", i.ID, page.text())
		}
	}
	both := w.statement(string(attemptA)+",5000", string(attemptB)+",5000")
	c.upload(path, both, "acquirer", "sandbox").is(t, http.StatusOK).
		has(t, "The statement and the ledger agree.", "Matched2")
	c.upload(w.ours.path("reconcile"), both, "acquirer", "sandbox").is(t, http.StatusOK).
		has(t, "الكشف والسجل متطابقان.")
	app := w.ours.apps[0].ID.String()
	c.upload(path, both, "acquirer", "sandbox", "application", app).is(t, http.StatusOK).
		has(t, "Not in the ledger", "Matched1").lacks(t, second.ID.String())
	c.upload(path, both, "acquirer", "sandbox", "from", "2020-01-01", "to", "2020-01-02").is(t, http.StatusOK).
		has(t, "agree", "not compared: 2")
	c.upload(path, both, "acquirer", "sandbox", "unit", "dinars").is(t, http.StatusOK).
		has(t, "Amounts differ", "5,000.000")

	records := w.trail(t, w.ours, "statement.reconcile")
	if len(records) != 6 || records[1].Detail["from_day"] != "2020-01-01" ||
		records[2].Detail["application"] != app || records[5].Detail["acquirer"] != "sandbox" {
		t.Errorf("the trail has %+v", records)
	}
	w.owner(t).get(w.ours.path("audit")+"?lang=en").has(t, "Acquirer’s statement compared with the ledger")
	if n := len(w.trail(t, w.other, "statement.reconcile")); n != 0 {
		t.Errorf("%d records of the other organisation", n)
	}
}

// For files of banks and Excel the user need not name the columns.
func TestReconcileFilesAsTheyAreSaved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	c, path := w.viewer(t), w.ours.path("reconcile")+"?lang=en"
	at := w.now().UTC().Format(time.RFC3339)
	f := excelize.NewFile()
	for n, row := range [][]any{{"كشف حساب"}, {"التاريخ", "البيان", "مدين", "دائن"},
		{at, "شراء " + string(attemptA), nil, 5.0}, {at, "عمولة", 1.25, nil}} {
		if err := f.SetSheetRow("Sheet1", "A"+strconv.Itoa(n+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	var book strings.Builder
	if err := f.Write(&book); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{
		"Bank\nsep=;\nReference;Amount (LYD);Date\n" + string(attemptA) + "; 5.000;" + at + "\nTotal; 5.000;\n",
		"المرجع,المبلغ (د.ل),التاريخ\r" + string(attemptA) + ",5.000 د.ل," + at + "\r",
		"Date,Narrative,Debit,Credit\n" + at + ",P2M " + string(attemptA) + " SHOP,,5.000\n" + at + ",FEE,1.000,\n",
		book.String(),
	} {
		c.upload(path, file, "acquirer", "sandbox", "unit", "dinars").is(t, http.StatusOK).
			has(t, "The statement and the ledger agree.", "Matched1")
	}
	c.upload(path, book.String(), "acquirer", "sandbox", "unit", "dinars").
		has(t, "Lines that are no payments, such as totals, remarks and fees: 1")
	c.upload(path, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "acquirer", "sandbox").
		is(t, http.StatusUnprocessableEntity).has(t, "workbook of Excel before 2007")
}

// Errors that a user can correct are shown next to the field, with the line of the file.
func TestReconcileFormsToCorrect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, path := w.viewer(t), w.ours.path("reconcile")+"?lang=en"
	const head = "MerchantReference,AmountTrxn,TxnDate\n"
	good := head + "abc,5000,2026-11-20\n"
	large := "note," + head + strings.Repeat(strings.Repeat("x", 60<<10)+",abc,5000,2026-11-20\n", 550)
	for _, row := range []struct {
		file   string
		fields []string
		says   string
	}{
		{head + "abc,5.5,2026-11-20\n", nil,
			"Line 2: Column \u2068AmountTrxn\u2069: \u20685.5\u2069: Not a whole number of dirhams."},
		{"name,sum\n", nil, "Line 1: Amount: The file has no such column."},
		{"", nil, "no line with the names of its columns"},
		{"MerchantReference,AmountTrxn\nabc,5000\n", nil, "The file has no times."},
		{large, nil, "larger than 32 MiB"},
		{head + strings.Repeat("a,1,2026-11-20\n", 150_001), nil, "more lines than are compared at once"},
		{head + strings.Repeat(",", 1<<20), nil, "Line 2: The line is longer than 64 KiB."},
		{good, []string{"acquirer", "sandbox"}, "Choose an acquirer from the list."}, // there is none here
		{good, []string{"acquirer", "moneybag"}, "Choose an acquirer from the list."},
		{good, []string{"application", w.other.apps[0].ID.String()}, "Choose an application from the list."},
		{good, []string{"unit", "pounds"}, "Choose dinars or dirhams"},
		{good, []string{"from", "20.11.2026"}, "Enter a day"},
		{good, []string{"from", "2026-11-20", "to", "2026-11-19"}, "The last day is before the first."},
		{good, []string{"from", "2024-11-20"}, "Choose 366 days at most."},
	} {
		c.upload(path, row.file, append([]string{"acquirer", "moamalat"}, row.fields...)...).
			is(t, http.StatusUnprocessableEntity).has(t, row.says)
	}
	c.post(path, "acquirer", "moamalat").is(t, http.StatusUnprocessableEntity).
		has(t, "Choose the file of the statement.")
	body, kind := multipartForm(t, "", "acquirer", "moamalat")
	c.uploadAs(path, strings.Replace(body, "statement.csv", "", 1), kind).is(t, http.StatusUnprocessableEntity).
		has(t, "Choose the file of the statement.")
	body, kind = multipartForm(t, good, "acquirer", "moamalat")
	c.uploadAs(path, body[:len(body)-60], kind).is(t, http.StatusUnprocessableEntity).
		has(t, "did not arrive as a whole")
}

// Comparisons are counted with the exports.
func TestReconcileIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, path := w.viewer(t), w.ours.path("reconcile")+"?lang=en"
	for range exportsAnHour - 1 {
		c.get(w.ours.path("payments.csv")).is(t, http.StatusOK)
	}
	const file = "MerchantReference,AmountTrxn,TxnDate\nabc,5000,2026-11-20\n"
	c.upload(path, file, "acquirer", "moamalat").is(t, http.StatusOK)
	c.upload(path, file, "acquirer", "moamalat").is(t, http.StatusTooManyRequests)
}

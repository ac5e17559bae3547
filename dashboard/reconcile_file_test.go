package dashboard_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"daftar/accounts"
	"daftar/dashboard"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// formOf are the fields of the form with a class, without those of its buttons.
func (a answer) formOf(t *testing.T, class string) url.Values {
	t.Helper()
	root, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "form" && attribute(n, "class") == class {
			fields := fieldsOf(n)
			for _, name := range []string{"as", "choose", "file"} {
				fields.Del(name)
			}
			return fields
		}
	}
	t.Fatalf("the page has no form %q:\n%s", class, a.text())
	return nil
}

// resend sends a form of a page again, changed, without choosing a file.
func (c *client) resend(path string, fields url.Values, changed ...string) answer {
	c.t.Helper()
	fields = maps.Clone(fields)
	for n := 0; n+1 < len(changed); n += 2 {
		fields.Set(changed[n], changed[n+1])
	}
	var b strings.Builder
	w := multipart.NewWriter(&b)
	for name := range fields {
		if err := w.WriteField(name, fields.Get(name)); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		c.t.Fatal(err)
	}
	return c.uploadAs(path, b.String(), w.FormDataContentType())
}

// Of a file that is not known the columns are chosen, with its first lines, and without sending it again.
// What was chosen is recorded, and remembered for the organisation's statements of the acquirer.
func TestReconcileByChosenColumns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	w.sale(t, w.other, 0, nil, paid(attemptC, 5000)...)
	c, path := w.viewer(t), w.ours.path("reconcile")+"?lang=en"
	day := domain.DayOf(w.now()).String()
	file := "Receipt;الصافي;Value;Day\n" + string(attemptA) + ";4.9;٥٫٠٠٠;" + day + "\n"

	page := c.upload(path, file, "acquirer", "sandbox").is(t, http.StatusUnprocessableEntity).
		has(t, "The file’s columns", "The file has no such column", string(attemptA), "الصافي", "٥٫٠٠٠")
	fields := page.formOf(t, "columns")
	if n := len(w.trail(t, w.ours, "statement.reconcile")); n != 0 {
		t.Errorf("%d records of comparisons that were not made", n)
	}
	for _, wrong := range []struct{ field, column, says string }{
		{"column_amount", "", "Choose the column of the amount"},
		{"column_reference", "", "Choose the column of the reference"},
		{"column_credit", "الصافي", "Choose the amount alone"},
		{"column_narrative", "Receipt", "is chosen for something else"},
		{"column_status", "Status", "has no such column"},
	} {
		c.resend(path, fields, "column_reference", "Receipt", "column_amount", "Value", "column_time", "Day",
			"unit", "dinars", wrong.field, wrong.column).is(t, http.StatusUnprocessableEntity).has(t, wrong.says)
	}
	c.resend(path, fields, "column_reference", "Receipt", "column_amount", "الصافي", "column_time", "Day",
		"unit", "dinars").is(t, http.StatusOK).has(t, "Amounts differ", "4.900")
	c.resend(path, fields, "column_reference", "Receipt", "column_amount", "Value", "column_time", "Day",
		"unit", "dinars").is(t, http.StatusOK).has(t, "The statement and the ledger agree.", "AmountValue")
	record := w.trail(t, w.ours, "statement.reconcile")[0]
	for name, want := range map[string]any{
		"differences": 0.0, "difference": 0.0, "from_day": day, "to_day": day, "unit": "dinars",
		"columns": "reference=Receipt, amount=Value, time=Day",
	} {
		if record.Detail[name] != want {
			t.Errorf("the record has %s %v, want %v", name, record.Detail[name], want)
		}
	}

	// The next file needs no choice; one of other columns is read by the usual names.
	c.upload(path, file, "acquirer", "sandbox").is(t, http.StatusOK).
		has(t, "The statement and the ledger agree.")
	c.upload(path, "id,amount,taken_at\n"+string(attemptA)+",5000,"+day+"\n", "acquirer", "sandbox").
		is(t, http.StatusOK).has(t, "The statement and the ledger agree.", "Amountamount", "In dirhams")
	c.upload(path, file, "acquirer", "sandbox", "choose", "1").is(t, http.StatusOK).
		has(t, "The file’s columns").lacks(t, "There is a problem", "Please correct")
	theirs := w.as(t, w.other.email(accounts.RoleViewer))
	theirs.upload(w.other.path("reconcile")+"?lang=en", file, "acquirer", "sandbox").
		is(t, http.StatusUnprocessableEntity).has(t, "The file’s columns")

	// Those who compare see what was compared before, and nothing of other organisations.
	c.get(path).is(t, http.StatusOK).has(t, "Earlier comparisons", "They agree", "Differences: 1", "viewer@")
	theirs.get(w.other.path("reconcile")+"?lang=en").is(t, http.StatusOK).lacks(t, "Earlier comparisons")
}

// A file that cannot be compared is recorded, too, and what was chosen stays.
func TestReconcileRecordsFailures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, path := w.viewer(t), w.ours.path("reconcile")+"?lang=en"
	page := c.upload(path, "Rcpt,Value,Day\nabc,5.5,2026-11-20\n", "acquirer", "moamalat").
		is(t, http.StatusUnprocessableEntity)
	again := c.resend(path, page.formOf(t, "columns"), "column_reference", "Rcpt", "column_amount", "Value",
		"column_time", "Day").is(t, http.StatusUnprocessableEntity).has(t, "Not a whole number of dirhams")
	if got := again.formOf(t, "columns").Get("column_amount"); got != "Value" {
		t.Errorf("the amount is in %q", got)
	}
	all := w.trail(t, w.ours, "statement.reconcile")
	if len(all) != 1 || all[0].Outcome != accounts.Failed {
		t.Errorf("the trail has %+v", all)
	}
	c.get(path).is(t, http.StatusOK).has(t, "Not compared")
	c.resend(path, again.formOf(t, "columns"), "unit", "dinars").is(t, http.StatusOK).
		has(t, "The ledger is missing 1 payment worth 5.500\u00a0LYD")
}

// The differences are in a workbook, made of the file that the page has: typed, and without formulas.
func TestReconcileDownload(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	sale := w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	c, path := w.viewer(t), w.ours.path("reconcile")+"?lang=en"
	page := c.upload(path, w.statement("=1+cmd|' /C calc'!A0,1000000"), "acquirer", "sandbox").
		is(t, http.StatusOK)
	file := c.resend(path, page.formOf(t, "again"), "as", "xlsx").is(t, http.StatusOK)
	if got := file.header.Get("Content-Disposition"); !strings.Contains(got, "differences-sandbox-") {
		t.Errorf("the file is %s", got)
	}
	book, rows := file.book(t, "Differences")
	if len(rows) != 3 || rows[1][0] != "Not in the statement" || rows[1][6] != "5.000" ||
		rows[1][10] != sale.ID.String() || rows[2][1] != "=1+cmd|' /C calc'!A0" || rows[2][4] != "1,000.000" {
		t.Errorf("the rows are %q", rows)
	}
	if formula, err := book.GetCellFormula("Differences", "B3"); formula != "" || err != nil {
		t.Errorf("a formula %q, %v", formula, err)
	}
	if all := w.trail(t, w.ours, "statement.reconcile"); len(all) != 2 || all[0].Detail["format"] != "xlsx" {
		t.Errorf("the trail has %+v", all)
	}
	c.upload(path, w.statement(string(attemptA)+",5000"), "acquirer", "sandbox").
		has(t, "agree").lacks(t, "Download the differences")
}

// A page has files of a moderate size only, and what it sends back is bounded like any upload.
func TestReconcileCarriedFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	c, path := w.viewer(t), w.ours.path("reconcile")+"?lang=en"
	random := rand.New(rand.NewPCG(1, 2))
	var large strings.Builder // random, so that it cannot be compressed
	large.WriteString("id,amount,taken_at\n")
	for large.Len() < 2<<20 {
		fmt.Fprintf(&large, "%x%x,5000,%s\n", random.Uint64(), random.Uint64(), w.now().UTC().Format(time.RFC3339))
	}
	page := c.upload(path, large.String(), "acquirer", "sandbox").is(t, http.StatusOK).
		has(t, "Choose it once more")
	if len(page.body) > 200<<10 {
		t.Errorf("the page has %d bytes", len(page.body))
	}
	packed := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(text))
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return base64.StdEncoding.EncodeToString(b.Bytes())
	}
	send := func(carried string) answer {
		return c.resend(path, url.Values{"acquirer": {"sandbox"}, "carried": {carried}})
	}
	send(packed(w.statement("abc,5000"))).is(t, http.StatusOK).has(t, "The ledger is missing")
	send(packed(strings.Repeat("a", 33<<20))).is(t, http.StatusUnprocessableEntity).has(t, "larger than 32 MiB")
	for _, broken := range []string{"", "no base64", packed(large.String())[:100]} {
		send(broken).is(t, http.StatusUnprocessableEntity).has(t, "did not arrive as a whole")
	}
}

// A comparison whose reader has left is counted all the same.
func TestReconcileBrokenOffIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, path := w.viewer(t), w.ours.path("reconcile")
	super := pgtest.Open(t, w.db.SuperuserURL(), postgres.Options{MaxConns: 2})
	tx, err := super.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	if _, err := tx.Exec(t.Context(), `LOCK TABLE events`); err != nil { // no comparison ends before
		t.Fatal(err)
	}
	const file = "MerchantReference,AmountTrxn,TxnDate\nabc,5000,2026-11-20\n"
	body, kind := multipartForm(t, file, "acquirer", "moamalat")
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", kind)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	left := make(chan struct{})
	go func() {
		defer close(left)
		if response, err := c.http.Do(request); err == nil {
			_ = response.Body.Close()
			t.Error("the comparison was answered")
		}
	}()
	pgtest.WaitFor(t, "the comparison to be under way", func() bool {
		var waiting int
		err := super.QueryRow(t.Context(), `
			SELECT count(*)
			FROM pg_locks
			WHERE NOT granted
			  AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`).Scan(&waiting)
		return err == nil && waiting > 0
	})
	leave()
	<-left
	pgtest.WaitFor(t, "its record", func() bool {
		all := w.trail(t, w.ours, "statement.reconcile")
		return len(all) == 1 && all[0].Outcome == accounts.Failed
	})
}

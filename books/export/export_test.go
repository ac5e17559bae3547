package export_test

import (
	"encoding/csv"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/books"
	"daftar/books/bookstest"
	"daftar/books/export"
	"daftar/domain"
)

// The texts of the three forms, with a reference from somebody who wants to add to them.
func TestTexts(t *testing.T) {
	t.Parallel()
	one := func(n byte) uuid.UUID { return uuid.UUID{15: n} }
	head := export.Head{
		Origin: "pay.example.ly", Size: 7, Root: "AAAA", Organization: one(1), Mode: domain.ModeTest,
		Applications: []uuid.UUID{one(2), one(3)}, After: 2, UpTo: 6,
	}
	day, err := domain.ParseDay("2026-11-22")
	if err != nil {
		t.Fatal(err)
	}
	entries := []export.Entry{
		{
			Entry: books.Entry{
				Kind: books.KindSale, Acquirer: "sandbox", Reference: "حوالة 7\n\"; x: \u202e\xff",
				Lines: []books.Line{{Account: books.Due, Amount: 1_234_500}, {Account: books.Sales, Amount: -1_234_500}},
			},
			// Libya's day has begun.
			Position: 3, At: time.Date(2026, 11, 20, 22, 0, 0, 1000, time.UTC), Stream: one(4),
		},
		{
			Entry: books.Entry{
				Kind: books.KindSettlement, Acquirer: "sandbox", Settlement: one(5), Reference: "-5 b", ValueDate: day,
				Lines: []books.Line{
					{Account: books.Bank, Amount: 1_234_495}, {Account: books.Fees, Amount: 5},
					{Account: books.Due, Amount: -1_234_500},
				},
			},
			Position: 6, At: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC), Stream: one(6),
		},
	}
	const comments = `; Books made by Daftar from its log
; checkpoint pay.example.ly 7 AAAA
; organisation 00000000-0000-0000-0000-000000000001
; mode test
; applications 00000000-0000-0000-0000-000000000002 00000000-0000-0000-0000-000000000003
; positions 3 to 6
`
	for f, want := range map[export.Format]string{
		export.Hledger: comments + `commodity LYD
    format 1000.000 LYD
tag position
tag recorded
tag intent
tag settlement
tag reference
tag value-date
account assets:due:sandbox
account income:sales

2026-11-21 sale
    ; position: 3
    ; recorded: 2026-11-20T22:00:00.000001Z
    ; intent: 00000000-0000-0000-0000-000000000004
    ; reference: حوالة 7%0A%22%3B x%3A %E2%80%AE%FF
    assets:due:sandbox                            1234.500 LYD
    income:sales                                 -1234.500 LYD
account assets:bank
account expenses:fees:sandbox

2026-11-22 settlement
    ; position: 6
    ; recorded: 2026-11-22T08:00:00.000000Z
    ; settlement: 00000000-0000-0000-0000-000000000005
    ; reference: %2D5 b
    ; value-date: 2026-11-22
    assets:bank                                   1234.495 LYD
    expenses:fees:sandbox                            0.005 LYD
    assets:due:sandbox                           -1234.500 LYD
`,
		export.Beancount: comments + `option "operating_currency" "LYD"
1970-01-01 commodity LYD
1970-01-01 open Assets:Due:Sandbox LYD
1970-01-01 open Income:Sales LYD

2026-11-21 * "sale"
  position: "3"
  recorded: "2026-11-20T22:00:00.000001Z"
  intent: "00000000-0000-0000-0000-000000000004"
  reference: "حوالة 7%0A%22%3B x%3A %E2%80%AE%FF"
  Assets:Due:Sandbox                            1234.500 LYD
  Income:Sales                                 -1234.500 LYD
1970-01-01 open Assets:Bank LYD
1970-01-01 open Expenses:Fees:Sandbox LYD

2026-11-22 * "settlement"
  position: "6"
  recorded: "2026-11-22T08:00:00.000000Z"
  settlement: "00000000-0000-0000-0000-000000000005"
  reference: "%2D5 b"
  value-date: "2026-11-22"
  Assets:Bank                                   1234.495 LYD
  Expenses:Fees:Sandbox                            0.005 LYD
  Assets:Due:Sandbox                           -1234.500 LYD
`,
		export.CSV: strings.ReplaceAll(comments, "; ", "# ") +
			`date,recorded_at,position,kind,about,uuid,reference,value_date,account,amount,currency
2026-11-21,2026-11-20T22:00:00.000001Z,3,sale,intent,00000000-0000-0000-0000-000000000004,` +
			`حوالة 7%0A%22%3B x%3A %E2%80%AE%FF,,assets:due:sandbox,1234.500,LYD
2026-11-21,2026-11-20T22:00:00.000001Z,3,sale,intent,00000000-0000-0000-0000-000000000004,` +
			`حوالة 7%0A%22%3B x%3A %E2%80%AE%FF,,income:sales,-1234.500,LYD
2026-11-22,2026-11-22T08:00:00.000000Z,6,settlement,settlement,00000000-0000-0000-0000-000000000005,` +
			`%2D5 b,2026-11-22,assets:bank,1234.495,LYD
2026-11-22,2026-11-22T08:00:00.000000Z,6,settlement,settlement,00000000-0000-0000-0000-000000000005,` +
			`%2D5 b,2026-11-22,expenses:fees:sandbox,0.005,LYD
2026-11-22,2026-11-22T08:00:00.000000Z,6,settlement,settlement,00000000-0000-0000-0000-000000000005,` +
			`%2D5 b,2026-11-22,assets:due:sandbox,-1234.500,LYD
`,
	} {
		var b strings.Builder
		w := export.New(f, &b, head)
		for _, e := range entries {
			if err := w.Write(e); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f, diff)
		}
	}
}

// A table has each line of every entry, and the references as they were.
func TestTableIsComplete(t *testing.T) {
	t.Parallel()
	h := bookstest.Random(1, 2000)
	r := csv.NewReader(strings.NewReader(written(t, export.CSV, h)))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows = rows[1:]
	balances := map[string]int64{}
	for _, e := range h.Journal() {
		for _, l := range e.Lines {
			row := rows[0]
			rows = rows[1:]
			reference, err := url.PathUnescape(row[6])
			if err != nil || reference != e.Reference || row[2] != strconv.FormatInt(e.Position, 10) {
				t.Fatalf("row %q of position %d with reference %q", row, e.Position, e.Reference)
			}
			if row[6] != "" && strings.ContainsAny(row[6][:1], "=+-@\t\r") {
				t.Errorf("a spreadsheet calculates %q", row[6])
			}
			balances[row[8]] += dirhams(t, row[9]+" "+row[10])
			if name := l.Account.Name(e.Acquirer); row[8] != name {
				t.Errorf("account %q, want %q", row[8], name)
			}
		}
	}
	for account, amount := range bookstest.Balances(h.Journal()) {
		if balances[account] != amount {
			t.Errorf("%s has %d, want %d", account, balances[account], amount)
		}
	}
	if len(rows) != 0 {
		t.Errorf("%d more rows", len(rows))
	}
}

// full is a disk without space.
type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteSaysWhatTheWriterSays(t *testing.T) {
	t.Parallel()
	h := bookstest.Random(1, 100)
	w := export.New(export.CSV, full{}, headOf(h))
	if err := w.Write(h.Journal()[0]); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

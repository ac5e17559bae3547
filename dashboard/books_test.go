package dashboard_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/books"
	"daftar/domain"
	"daftar/ledger"
	"daftar/projections"
)

// The page says what a provider owes and when it usually pays, asks for what is late, and has the accounts
// of a month. What was taken is due, what a statement showed has arrived.
func TestWhereTheMoneyIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	w.sale(t, w.ours, 1, nil, paid(attemptB, 5000)...)
	w.sale(t, w.other, 0, nil, paid(attemptA, 5000)...)
	path, today := w.ours.path("books?lang=en"), domain.DayOf(w.now())
	reached := w.handle(t, projections.BooksGroup(), 0)
	w.finance(t).get(path).is(t, http.StatusOK).has(t, "Not arrived yet10.000",
		"known once a first statement is accepted").lacks(t, "Overdue")

	key := books.KeyOf(w.ours.org.ID.In(domain.ModeLive), "sandbox")
	_, err := w.ledger.Book(t.Context(), key, books.RecordStatement{Settlements: []books.NewSettlement{{
		ID: uuid.New(), ValueDate: today.Add(2), Fees: 150, Net: 4850, ExpectedFees: new(int64(125)),
		Taken:  []books.Taken{{On: today, Amount: 5000}},
		Shares: []books.Share{{Intent: uuid.UUID(first.ID), Attempt: attemptA, Amount: 5000}},
	}}}, ledger.Origin{Actor: "user:test"})
	if err != nil {
		t.Fatal(err)
	}
	w.handle(t, projections.BooksGroup(), reached)
	page := w.finance(t).get(path).has(t, "Not arrived yet5.000",
		"half of it within 2 days, nine tenths within 2 days",
		"Taken in the month, less refunds10.000", "Arrived in the month4.850", "Last arrived4.850",
		"by contract 0.125", "−10.000")
	page.lacks(t, "Overdue")
	var accounts []string
	tags := regexp.MustCompile(`<small.*?</small>|<[^>]*>`)
	for _, row := range regexp.MustCompile(`(?s)<tr><th scope="row">.*?</tr>`).FindAllString(page.body, -1) {
		accounts = append(accounts, strings.Join(strings.Fields(tags.ReplaceAllString(row, " ")), " "))
	}
	want := []string{
		"Due from Sandbox 0.000 5.000 5.000", "Bank 0.000 4.850 4.850",
		"Sales 0.000 −10.000 −10.000", "Fees of Sandbox 0.000 0.150 0.150",
	}
	if diff := cmp.Diff(want, accounts); diff != "" {
		t.Errorf("accounts (-want +shown):\n%s", diff)
	}
	letter := w.ours.path("books/letter?acquirer=sandbox")
	w.finance(t).get(letter+"&lang=en").has(t, "Nothing is overdue")

	w.wait(3 * 24 * time.Hour)
	w.finance(t).get(path).has(t, "Overdue: 5.000")
	w.finance(t).get(letter+"&lang=en").has(t, "in all it is 5.000", "within 2 days of its taking")
	w.finance(t).get(letter+"&lang=ar").has(t, "5.000", "خلال يومين من قبضها")
	w.finance(t).get(path+"&month=2026-13").has(t, "Write the month")
}

package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/httpapi"
	"daftar/ledger"
)

// bookEntry and bookPage are what accountants' software reads.
type bookEntry struct {
	Position      int64
	Kind          string
	Acquirer      string
	PaymentIntent *string `json:"payment_intent"`
	Settlement    *string
	ValueDate     *string `json:"value_date"`
	Lines         []struct {
		Account string
		Amount  int64
	}
}

type bookPage struct {
	Data       []bookEntry
	NextCursor *string `json:"next_cursor"`
}

func (s *service) books(t *testing.T, m merchant, path string, into any) {
	t.Helper()
	got := s.do(t, m.request(t, "GET", s.server.URL+httpapi.Prefix+"/books/"+path, ""))
	if got.status != http.StatusOK {
		t.Fatalf("%s: %d %s", path, got.status, got.body)
	}
	if err := json.Unmarshal([]byte(got.body), into); err != nil {
		t.Fatal(err)
	}
}

// The accountants' software of an organisation reads the books of all of its applications of one mode, a
// page at a time, and what they add up to.
func TestBooks(t *testing.T) {
	t.Parallel()
	s := newRefundShop(t)
	sibling, stranger := s.newApplication(t, s.merchant.app.Organization), s.newMerchant(t)
	first := s.pay(t, "bank")
	shop := s
	shop.merchant = sibling
	shop.pay(t, "bank")
	shop.merchant = stranger
	shop.pay(t, "bank")
	key := books.KeyOf(s.merchant.app.Organization.In(domain.ModeLive), "bank")
	settlement := uuid.New()
	if _, err := s.ledger.Book(t.Context(), key, books.RecordStatement{Settlements: []books.NewSettlement{{
		ID: settlement, ValueDate: domain.Day{Year: 2026, Month: 11, Day: 25}, Fees: 100, Net: 4900,
		Taken:  []books.Taken{{On: domain.Day{Year: 2026, Month: 11, Day: 23}, Amount: 5000}},
		Shares: []books.Share{{Intent: uuid.MustParse(first), Attempt: "bank0", Amount: 5000}},
	}}}, ledger.Origin{Actor: "test"}); err != nil {
		t.Fatal(err)
	}

	accountant := s.withToken(t, accounts.TokenDraft{
		Name: "Accountants", Scopes: []accounts.Scope{accounts.ScopeBooks},
	})
	var all []bookEntry
	next := ""
	for range 10 {
		var page bookPage
		s.books(t, accountant, "journal?limit=2"+next, &page)
		all = append(all, page.Data...)
		if page.NextCursor == nil {
			break
		}
		next = "&cursor=" + *page.NextCursor
	}
	sums := map[string]int64{}
	for _, e := range all {
		sum := int64(0)
		for _, l := range e.Lines {
			sums[l.Account] += l.Amount
			sum += l.Amount
		}
		if sum != 0 || e.Acquirer != "bank" || (e.PaymentIntent == nil) == (e.Settlement == nil) {
			t.Errorf("the entry %+v", e)
		}
	}
	if len(all) != 3 || all[0].Kind != "sale" || *all[0].PaymentIntent != first || all[1].Kind != "sale" ||
		all[2].Kind != "settlement" || *all[2].Settlement != settlement.String() ||
		*all[2].ValueDate != "2026-11-25" {
		t.Errorf("the journal is %+v", all)
	}
	var balance struct {
		Data struct {
			Position int64
			Accounts []struct {
				Account string
				Balance int64
			}
		}
	}
	s.books(t, accountant, "balance", &balance)
	shown := map[string]int64{}
	for _, a := range balance.Data.Accounts {
		shown[a.Account] += a.Balance
	}
	want := map[string]int64{
		"assets:due:bank": 5000, "assets:bank": 4900, "expenses:fees:bank": 100, "income:sales": -10_000,
	}
	if fmt.Sprint(shown) != fmt.Sprint(want) || fmt.Sprint(sums) != fmt.Sprint(want) {
		t.Errorf("the balance is %v, the entries add up to %v, want %v", shown, sums, want)
	}
	s.books(t, accountant, "balance?at=2001-01-01T00:00:00Z", &balance)
	if balance.Data.Position != 0 || len(balance.Data.Accounts) != 0 {
		t.Errorf("before the first event: %+v", balance)
	}
	var none bookPage
	s.books(t, accountant, "journal?from=2999-01-01T00:00:00Z", &none)
	if len(none.Data) != 0 || none.NextCursor != nil {
		t.Errorf("of the future: %+v", none)
	}
}

package openapi_test

import (
	"net/http"
	"testing"

	"daftar/domain"
)

const (
	balance = "/books/balance"
	journal = "/books/journal"
)

// checkBooks requests the books, which have something of each kind of account and entry.
func checkBooks(t *testing.T,
	check func(merchant, string, string, string, http.Header, int) string, m, reader merchant,
) {
	t.Helper()
	for path, want := range map[string]int{
		balance: 200,
		balance + "?at=2001-01-01T00:00:00%2B02:00":                    200,
		balance + "?at=now":                                            422,
		balance + "?at=2001-01-01T00:00:00+02:00":                      422,
		balance + "?on=today":                                          422,
		balance + "?%FF=1":                                             400,
		journal + "?from=2001-01-01T00:00:00Z&to=2999-12-31T23:59:59Z": 200,
		journal + "?limit=1000&cursor=1":                               200,
		journal + "?limit=0":                                           422,
		journal + "?limit=1001":                                        422,
		journal + "?limit=x":                                           422,
		journal + "?cursor=x":                                          422,
		journal + "?cursor=0":                                          422,
		journal + "?from=yesterday":                                    422,
		journal + "?to=today":                                          422,
		journal + "?order=newest":                                      422,
		journal + "?%FF=1":                                             400,
	} {
		check(m, "GET", path, "", nil, want)
	}
	check(reader, "GET", balance, "", nil, 403)
	check(reader, "GET", journal, "", nil, 403)
}

// bookExamples are the examples of the books: of a merchant to whom a provider owes one payment.
func bookExamples(t *testing.T, w *witness, d *documented, s *service) {
	t.Helper()
	shop := s.newMerchant(t)
	_, created := w.send(t, shop, "POST", intents, bodyWith(), nil)
	id := intentOf(t, created)
	s.execute(t, id, domain.StartAttempt{Attempt: "a", Acquirer: "plutu"})
	s.execute(t, id, domain.RecordPayment{Attempt: "a", Amount: dinars(5), ProviderReference: "4711"})
	for name, path := range map[string]string{
		"retrieveBookBalance 200 shop": balance, "listBookEntries 200 sale": journal,
	} {
		_, answered := w.send(t, shop, "GET", path, "", nil)
		d.mustEqual(name, answered)
	}
}

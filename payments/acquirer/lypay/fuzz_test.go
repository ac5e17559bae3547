package lypay_test

import (
	"strconv"
	"strings"
	"testing"

	"daftar/domain"
	"daftar/payments/acquirer/lypay"
)

// FuzzRows: an amount that is read is positive, and its digits are in the answer.
func FuzzRows(f *testing.F) {
	f.Add(`{"data":{"status":{"name":"completed"},"amount":{"amount":"12345","currency":"lyd"}}}`)
	f.Add(`{"data":[{"status":"confirmed","creditorAmount":12345},{"status":"completed","debtor_amount":"1"}]}`)
	f.Add(`{"data":{"data":[{"status":"confirmed","creditorAmount":1.5}],"last_page":2}}`)
	f.Add(`{"data":{"status":"completed","amount":1e3,"timestamp":"1790000000"}}`)
	f.Fuzz(func(t *testing.T, body string) {
		for _, credit := range lypay.CreditsOf([]byte(body)) {
			digits := strconv.FormatInt(credit.Minor, 10)
			escaped := strings.Contains(body, `\u`) // a digit may be written otherwise
			if credit.Minor <= 0 || credit.Currency != domain.LYD || !strings.Contains(body, digits) && !escaped {
				t.Errorf("%q has the amount %v", body, credit)
			}
		}
	})
}

package lypay

import (
	"strconv"
	"strings"
	"testing"

	"daftar/domain"
	"daftar/payments/acquirer/exchange"
)

// FuzzRows: an amount that is read is positive, and its digits are in the answer.
func FuzzRows(f *testing.F) {
	f.Add(`{"data":{"status":{"name":"completed"},"amount":{"amount":"12345","currency":"lyd"}}}`)
	f.Add(`{"data":[{"status":"confirmed","creditorAmount":12345},{"status":"completed","debtor_amount":"1"}]}`)
	f.Add(`{"data":{"data":[{"status":"confirmed","creditorAmount":1.5}],"last_page":2}}`)
	f.Add(`{"data":{"status":"completed","amount":1e3,"timestamp":"1790000000"}}`)
	f.Fuzz(func(t *testing.T, body string) {
		found, _, err := rows(exchange.Answer{Status: 200, Body: []byte(body)})
		if err != nil {
			return
		}
		for _, r := range found {
			transfer, err := r.transfer()
			if err != nil || !transfer.isPaid() || transfer.amount().Minor == 0 {
				continue
			}
			credit := transfer.amount()
			digits := strconv.FormatInt(credit.Minor, 10)
			escaped := strings.Contains(body, `\u`) // a digit may be written otherwise
			if credit.Minor <= 0 || credit.Currency != domain.LYD || !strings.Contains(body, digits) && !escaped {
				t.Errorf("%q has the amount %v", body, credit)
			}
		}
	})
}

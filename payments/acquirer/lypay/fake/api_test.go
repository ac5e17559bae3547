package fake_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"daftar/payments/acquirer/lypay/fake"
)

func TestOnlyTheTokenOpens(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	for _, path := range []string{
		inquiry, "/api/v1/miscs/institutions", "/api/v1/payments/credited-funds-transfers",
	} {
		status, answer := b.callAs("another", "", http.MethodGet, path, "")
		if status != http.StatusUnauthorized || !strings.Contains(answer, "message") {
			t.Errorf("%s: %d %s", path, status, answer)
		}
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	b.fake.SetDialect(fake.Dialect{Budget: 1})
	b.want(http.MethodGet, "/api/v1/miscs/institutions", "", http.StatusOK, "TEST BANK")
	b.want(http.MethodGet, "/api/v1/miscs/institutions", "", http.StatusTooManyRequests, "Too Many")
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	made, err := b.fake.Scan(fake.Scan{Payload: b.payload, Notices: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	one := made[0]
	at := strconv.FormatInt(one.Timestamp, 10)
	transfer := "/api/v1/payments/funds-transfers/" + one.UUID
	query := "?paymentReference=" + one.PaymentReference + "&transactionTimestamp="
	b.want(http.MethodGet, transfer+query+at, "", http.StatusOK, `"identification":"`+iban+`"`)
	b.want(http.MethodGet, transfer+query+"1", "", http.StatusNotFound)
	b.want(http.MethodGet, transfer, "", http.StatusNotFound)
	b.want(http.MethodGet, strings.TrimSuffix(inquiry, reference), "", http.StatusUnprocessableEntity)
	b.want(http.MethodPost, "/api/v1/payments/details", `{}`, http.StatusUnprocessableEntity)
	b.want(http.MethodPost, "/api/v1/payments/details", `{"rrn":"1"}`, http.StatusNotFound)
	body := func(reference, at, amount string) string {
		return `{"paymentReference":"` + reference + `","transactionTimestamp":` + at +
			`,"amount":` + amount + `,"description":"x"}`
	}
	for _, tc := range []struct {
		body   string
		status int
	}{
		{body(one.PaymentReference, "1", `"1"`), http.StatusUnprocessableEntity},
		{body("LYP1", at, `"1"`), http.StatusNotFound},
		{body(one.PaymentReference, at, `1`), http.StatusUnprocessableEntity}, // the amount is a string
		{body(one.PaymentReference, at, `"1.5"`), http.StatusUnprocessableEntity},
		{body(one.PaymentReference, at, `"0"`), http.StatusUnprocessableEntity},
		{body(one.PaymentReference, at, `"12346"`), http.StatusUnprocessableEntity},
		{body(one.PaymentReference, `"`+at+`"`, `"1"`), http.StatusUnprocessableEntity}, // the time is a number
		{body(one.PaymentReference, at, `"12345"`), http.StatusOK},
		{body(one.PaymentReference, at, `"1"`), http.StatusUnprocessableEntity}, // nothing is left
	} {
		b.want(http.MethodPost, transfer+"/refund", tc.body, tc.status)
	}
	b.want(http.MethodGet, "/control/ledger", "", http.StatusOK, `"refunded":12345`)
}

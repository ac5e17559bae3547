package sandbox_test

import (
	"errors"
	"testing"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/sandbox"
)

// Only the bank's own message about this payment proves that nothing went back.
func TestAnswersToARefund(t *testing.T) {
	t.Parallel()
	const about = `"id":"0123456789abcdefghjkmnpqrs"`
	const other = `"id":"zzzzzzzzzzzzzzzzzzzzzzzzzz"`
	const number = `,"reference":"SR1"`
	const amount = `,"amount":5000,"currency":"LYD"`
	none, back := acquirer.Refunded{}, acquirer.Refunded{Money: lyd(5_000), ProviderReference: "SR1"}
	less := acquirer.Refunded{Money: lyd(4_999), ProviderReference: "SR1"}
	for name, tc := range map[string]struct {
		status  int
		body    string
		want    acquirer.Refunded
		refused bool // where nothing is wanted: certainly, or the outcome is unknown
	}{
		"given back":            {201, `{` + about + number + amount + `}`, back, false},
		"with a new member":     {201, `{` + about + number + amount + `,"fee":{}}`, back, false},
		"another amount":        {201, `{` + about + number + `,"amount":4999,"currency":"LYD"}`, less, false},
		"no amount":             {201, `{` + about + number + `,"currency":"LYD"}`, none, false},
		"another currency":      {201, `{` + about + number + `,"amount":5,"currency":"USD"}`, none, false},
		"no number":             {201, `{` + about + amount + `}`, none, false},
		"another payment":       {201, `{` + other + number + amount + `}`, none, false},
		"done, but not created": {200, `{` + about + number + amount + `}`, none, false},
		"a refusal with 201":    {201, `{"error":"refund_refused",` + about + `}`, none, false},
		"refused":               {422, `{"error":"refund_refused",` + about + `}`, none, true},
		"not paid":              {409, `{"error":"payment_not_paid",` + about + `}`, none, true},
		"refused by nobody":     {422, `{"error":"refund_refused"}`, none, false},
		"refused by a gateway":  {422, `{"message":"Unprocessable."}`, none, false},
		"about another payment": {422, `{"error":"refund_refused",` + other + `}`, none, false},
		"another not paid":      {409, `{"error":"payment_not_paid",` + other + `}`, none, false},
		"an unknown conflict":   {409, `{"error":"refund_refused",` + about + `}`, none, false},
		"refused as a fault":    {500, `{"error":"refund_refused",` + about + `}`, none, false},
		"not found":             {404, `{"error":"payment_not_found",` + about + `}`, none, false},
		"no answer in time":     {504, `{"message":"the wallet did not answer in time"}`, none, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := acquirertest.Answering(t, tc.status, "application/json", tc.body)
			a := newAdapter(t, sandbox.Config{URL: url, Secret: secret})
			got, err := a.Refund(t.Context(), ref("0123456789abcdefghjkmnpqrs"), lyd(5_000))
			if got != tc.want || (err == nil) != (tc.want != none) {
				t.Errorf("Refund = %+v, %v, want %+v", got, err, tc.want)
			}
			if errors.Is(err, acquirer.ErrRefused) != tc.refused || errors.Is(err, acquirer.ErrNotSent) {
				t.Errorf("error %v, want it refused: %t", err, tc.refused)
			}
		})
	}
}

package plutu_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/plutu"
)

// The bodies have secrets in every place from which an error could be made.
func TestErrorsHaveNoSecrets(t *testing.T) {
	t.Parallel()
	const secret = "HUSH_0912345678"
	hidden := []string{secret, apiKey, accessToken, secretKey, "0912345678", "2468", "made-up", "pay.example"}
	var errs []error
	for _, body := range []string{
		secret, `{"` + secret + `"`, `{"status":"` + secret + `"}`, `{"error":"` + secret + `"}`,
		`{"error":{"code":"` + secret + `"}}`,
		`{"error":{"code":"INVALID_INPUTS","message":"` + secret + `",` +
			`"fields":{"` + secret + `":1,"invoice_no":1}}}`,
		`{"error":{"code":"BACKEND_ERROR","message":"` + secret + `"}}`,
		`{"error":{"code":"UNAUTHORIZED","message":"` + secret + `"}}`,
		`{"status":200,"result":{"process_id":["` + secret + `"],"amount":"` + secret + `"}}`,
		`{"status":200,"result":{"process_id":"` + secret + `","transaction_id":"` + secret + `",` +
			`"amount":"` + secret + `"}}`,
		`{"result":{"redirect_url":"x:` + secret + `","transaction_id":" ` + secret + `","amount":"12.5"}}`,
		`{"a":"` + secret + `","a":"` + secret + `"}`,
		`{"message":"` + secret + `","errors":{"` + secret + `":["` + secret + `"],"invoice_no":[]}}`,
	} {
		for _, status := range []int{
			http.StatusOK, http.StatusUnprocessableEntity, http.StatusInternalServerError,
		} {
			a := answering(t, status, body)
			for _, m := range []acquirer.Method{plutu.Adfali, plutu.Sadad, plutu.Cards, plutu.TLync} {
				_, err := a.Begin(t.Context(), somePayment(m))
				errs = append(errs, err)
			}
			_, err := a.Confirm(t.Context(), acquirertest.RefOf(somePayment(plutu.Adfali), "77"), "2468")
			errs = append(errs, err, a.Check(t.Context(), []acquirer.Method{plutu.Sadad}))
		}
		a := openOffline(t, allSettings)
		_, posted := a.ParseNotification(acquirer.Message{Body: []byte(body)})
		_, returned := a.ParseNotification(acquirer.Message{Returned: true, Query: "hashed=" + secret})
		query := "approved=1&amount=" + secret + "&invoice_no=a1&transaction_id=9"
		_, genuine := a.ParseNotification(signed(query))
		_, unsent := a.Begin(t.Context(), somePayment("mpgs"))
		errs = append(errs, posted, returned, genuine, unsent,
			a.Check(t.Context(), []acquirer.Method{plutu.Sadad}))
	}
	checked := 0
	for _, err := range errs {
		if err == nil {
			continue
		}
		checked++
		for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err)} {
			for _, value := range hidden {
				if strings.Contains(text, value) {
					t.Errorf("an error has %q: %s", value, text)
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d errors were checked", checked)
	}
}

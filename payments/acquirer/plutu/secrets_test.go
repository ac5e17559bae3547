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
	const private = "HUSH_0912345678"
	hidden := []string{private, apiKey, accessToken, secretKey, "0912345678", "2468", "made-up", "pay.example"}
	var errs []error
	for _, body := range []string{
		private, `{"` + private + `"`, `{"status":"` + private + `"}`, `{"error":"` + private + `"}`,
		`{"error":{"code":"` + private + `"}}`,
		`{"error":{"code":"INVALID_INPUTS","message":"` + private + `",` +
			`"fields":{"` + private + `":1,"invoice_no":1}}}`,
		`{"error":{"code":"BACKEND_ERROR","message":"` + private + `"}}`,
		`{"error":{"code":"UNAUTHORIZED","message":"` + private + `"}}`,
		`{"status":200,"result":{"process_id":["` + private + `"],"amount":"` + private + `"}}`,
		`{"status":200,"result":{"process_id":"` + private + `","transaction_id":"` + private + `",` +
			`"amount":"` + private + `"}}`,
		`{"result":{"redirect_url":"x:` + private + `","transaction_id":" ` + private + `","amount":"12.5"}}`,
		`{"a":"` + private + `","a":"` + private + `"}`,
		`{"message":"` + private + `","errors":{"` + private + `":["` + private + `"],"invoice_no":[]}}`,
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
		_, returned := a.ParseNotification(acquirer.Message{Returned: true, Query: "hashed=" + private})
		query := "approved=1&amount=" + private + "&invoice_no=a1&transaction_id=9"
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

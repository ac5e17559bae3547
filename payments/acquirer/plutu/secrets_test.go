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

// Bodies that hold what no log should, in every place from which an error is made.
func TestNoErrorTellsASecret(t *testing.T) {
	t.Parallel()
	const hush = "HUSH_0912345678"
	hidden := []string{hush, apiKey, accessToken, secretKey, "0912345678", "2468", "made-up", "pay.example"}
	var errs []error
	for _, body := range []string{
		hush, `{"` + hush + `"`, `{"status":"` + hush + `"}`, `{"error":"` + hush + `"}`,
		`{"error":{"code":"` + hush + `"}}`,
		`{"error":{"code":"INVALID_INPUTS","message":"` + hush + `","fields":{"` + hush + `":1,"invoice_no":1}}}`,
		`{"error":{"code":"BACKEND_ERROR","message":"` + hush + `"}}`,
		`{"error":{"code":"UNAUTHORIZED","message":"` + hush + `"}}`,
		`{"status":200,"result":{"process_id":["` + hush + `"],"amount":"` + hush + `"}}`,
		`{"status":200,"result":{"process_id":"` + hush + `","transaction_id":"` + hush + `","amount":"` + hush + `"}}`,
		`{"result":{"redirect_url":"x:` + hush + `","transaction_id":" ` + hush + `","amount":"12.5"}}`,
		`{"a":"` + hush + `","a":"` + hush + `"}`,
		`{"message":"` + hush + `","errors":{"` + hush + `":["` + hush + `"],"invoice_no":[]}}`,
	} {
		for _, status := range []int{http.StatusOK, http.StatusUnprocessableEntity,
			http.StatusInternalServerError} {
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
		_, returned := a.ParseNotification(acquirer.Message{Returned: true, Query: "hashed=" + hush})
		_, genuine := a.ParseNotification(signed("approved=1&amount=" + hush + "&invoice_no=a1&transaction_id=9"))
		_, unsent := a.Begin(t.Context(), somePayment("mpgs"))
		errs = append(errs, posted, returned, genuine, unsent,
			a.Check(t.Context(), []acquirer.Method{plutu.Sadad}))
	}
	told := 0
	for _, err := range errs {
		if err == nil {
			continue
		}
		told++
		for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err)} {
			for _, secret := range hidden {
				if strings.Contains(text, secret) {
					t.Errorf("an error tells %q: %s", secret, text)
				}
			}
		}
	}
	if told < 100 {
		t.Errorf("only %d errors were looked at", told)
	}
}

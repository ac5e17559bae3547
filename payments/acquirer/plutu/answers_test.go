package plutu_test

import (
	"testing"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/plutu"
)

// answering returns an account with a Plutu that always gives the same answer.
func answering(t *testing.T, status int, body string) acquirer.Acquirer {
	t.Helper()
	url := acquirertest.Answering(t, status, "application/json; charset=utf-8", body)
	return openAccount(t, url, allSettings)
}

func somePayment(m acquirer.Method) acquirer.Payment {
	return acquirer.Payment{
		Attempt: "0123456789abcdefghjkmnpqrs", Reference: "0123456789abcdefghjkmnpqrs", Method: m,
		Money:     domain.Money{Minor: 12_500, Currency: domain.LYD},
		Inputs:    map[acquirer.Field]string{acquirer.Phone: "0912345678", acquirer.BirthYear: "1990"},
		ReturnURL: "https://pay.example/back", NotifyURL: "https://pay.example/notify",
	}
}

func TestAnswersToAConfirmation(t *testing.T) {
	t.Parallel()
	const paid = "acquirer.Paid"
	for _, tc := range []struct {
		status     int
		body, want string
	}{
		{200, `{"status":200,"result":{"transaction_id":"9","amount":"12.50"},"message":"x"}`, paid},
		{200, `{"status":"200","result":{"transaction_id":9,"amount":12.5,"more":{}},"error":null}`, paid},
		{200, `{"result":{"transaction_id":"9","amount":"12.500"},"errors":[]}`, paid},
		{200, `{"status":200,"result":{"transaction_id":"9","amount":"99"}}`, paid}, // the caller compares
		{200, `{"status":200,"result":{"transaction_id":"9"}}`, unknown},
		{200, `{"status":200,"result":{"amount":"12.50"}}`, unknown},
		{200, `{"status":200,"result":{"transaction_id":"9","amount":"1.25e1"}}`, unknown},
		{200, `{"status":200,"result":{"transaction_id":"9","amount":[12.5]}}`, unknown},
		{200, `{"status":200,"result":{"transaction_id":"9\u0000","amount":"12.50"}}`, unknown},
		{200, `{"status":400,"result":{"transaction_id":"9","amount":"12.50"}}`, unknown},
		{202, `{"status":200,"result":{"transaction_id":"9","amount":"12.50"}}`, unknown},
		{200, `{"status":200,"result":[]}`, unknown},
		{200, `{"status":200,"result":{}}`, unknown},
		{200, `{}`, unknown},
		{200, `null`, unknown},
		{200, `[]`, unknown},
		{200, `{"status":200`, unknown},
		{500, `{"message":"Server Error"}`, unknown},
		{401, `{"message":"Unauthenticated."}`, unknown}, // of anything on the way
		{401, `{"error":{"code":"Unauthorized"}}`, account},
		{200, `{"error":{"status":400,"code":"invliad_otp","message":"x"}}`, again},
		{500, `{"error":{"status":400,"code":"OTP_EXPIRED"},"result":[]}`, "code_expired"},
		{400, `{"error":{"code":"OTP_EXPIRED"},"result":{"transaction_id":"9","amount":"12.50"}}`, unknown},
		{400, `{"error":"OTP_EXPIRED"}`, unknown},
		{400, `{"error":{"message":"x"}}`, unknown},
		{422, `{"error":{"code":"INVALID_INPUTS","fields":{"code":["x"]}}}`, again},
		{422, `{"error":{"code":"INVALID_INPUTS","fields":["code","amount"]}}`, "amount_refused"},
		{422, `{"error":{"code":"INVALID_INPUTS","fields":{"invoice_no":["used"],"code":[]}}}`, unknown},
		{422, `{"error":{"code":"INVALID_INPUTS","fields":{"process_id":["used"]}}}`, unknown},
		{422, `{"error":{"code":"INVALID_INPUTS","fields":"code"}}`, unknown},
		{422, `{"message":"x","errors":{"code":["x"]}}`, again},
		{422, `{"message":"x","errors":{"customer_ip":["x"]}}`, "declined"},
		{422, `{"message":"x","errors":{"invoice_no":["used"]}}`, unknown},
		{422, `{"message":"x","errors":[]}`, unknown},
		{400, `{"message":"x","errors":{"code":["x"]}}`, unknown},
	} {
		a := answering(t, tc.status, tc.body)
		p := somePayment(plutu.Adfali)
		got, err := a.Confirm(t.Context(), acquirertest.RefOf(p, "77"), "1111")
		if got := outcome(got, err); got != tc.want {
			t.Errorf("%d %s: %s (%v), want %s", tc.status, tc.body, got, err, tc.want)
		}
	}
}

func TestAnswersToABeginning(t *testing.T) {
	t.Parallel()
	const sent, page = "acquirer.CodeSent", "acquirer.Redirected"
	for _, tc := range []struct {
		method     acquirer.Method
		status     int
		body, want string
	}{
		{plutu.Sadad, 200, `{"status":200,"result":{"process_id":77,"amount":12.5,"commission":"0"}}`, sent},
		{plutu.Sadad, 200, `{"status":200,"result":{"process_id":"77"}}`, sent},
		{plutu.Sadad, 200, `{"status":200,"result":{"process_id":"77","amount":"12.51"}}`, unknown},
		{plutu.Sadad, 200, `{"status":200,"result":{"process_id":""}}`, unknown},
		{plutu.Sadad, 200, `{"status":200,"result":{"transaction_id":"9"}}`, unknown},
		{
			plutu.Sadad, 422, `{"message":"x","errors":{"birth_year":["x"],"mobile_number":["x"]}}`,
			"details_refused",
		},
		{plutu.Sadad, 422, `{"message":"x","errors":{"amount":["x"]}}`, "amount_refused"},
		{plutu.Sadad, 422, `{"message":"x","errors":{}}`, "declined"}, // no money moves at a verify
		{
			plutu.Cards, 200,
			`{"status":200,"result":{"code":"CHECKOUT_REDIRECT","redirect_url":"https://x.example/1"}}`, page,
		},
		{plutu.Cards, 200, `{"status":200,"result":{"redirect_url":"javascript:alert(1)"}}`, unknown},
		{plutu.Cards, 200, `{"status":200,"result":{"code":"CHECKOUT_REDIRECT"}}`, unknown},
		{plutu.Cards, 422, `{"message":"x","errors":{}}`, unknown},
		{plutu.Cards, 422, `{"message":"x","errors":{"invoice_no":["used"]}}`, unknown},
		{plutu.TLync, 422, `{"error":{"code":"INVALID_INPUTS","fields":{"callback_url":["x"]}}}`, "declined"},
		{
			plutu.TLync, 422, `{"error":{"code":"INVALID_INPUTS","fields":{"mobile_number":["x"]}}}`,
			"phone_refused",
		},
	} {
		got, err := answering(t, tc.status, tc.body).Begin(t.Context(), somePayment(tc.method))
		if got := outcome(got, err); got != tc.want {
			t.Errorf("%s %d %s: %s (%v), want %s", tc.method, tc.status, tc.body, got, err, tc.want)
		}
	}
}

package plutu_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"daftar/checkout/acquirer"
	books "daftar/checkout/acquirer/fake"
	"daftar/domain"
)

// answering is an account with a Plutu that always answers the same.
func answering(t *testing.T, status int, body string) acquirer.Acquirer {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return openAccount(t, server.URL, allSettings)
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
		p := somePayment(acquirer.Adfali)
		got, err := a.Confirm(t.Context(), refOf(p, "77"), "1111")
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
		{acquirer.Sadad, 200, `{"status":200,"result":{"process_id":77,"amount":12.5,"commission":"0"}}`, sent},
		{acquirer.Sadad, 200, `{"status":200,"result":{"process_id":"77"}}`, sent},
		{acquirer.Sadad, 200, `{"status":200,"result":{"process_id":"77","amount":"12.51"}}`, unknown},
		{acquirer.Sadad, 200, `{"status":200,"result":{"process_id":""}}`, unknown},
		{acquirer.Sadad, 200, `{"status":200,"result":{"transaction_id":"9"}}`, unknown},
		{acquirer.Sadad, 422, `{"message":"x","errors":{"birth_year":["x"],"mobile_number":["x"]}}`, "details_refused"},
		{acquirer.Sadad, 422, `{"message":"x","errors":{"amount":["x"]}}`, "amount_refused"},
		{acquirer.Sadad, 422, `{"message":"x","errors":{}}`, "declined"}, // no money moves at a verify
		{acquirer.Cards, 200, `{"status":200,"result":{"code":"CHECKOUT_REDIRECT","redirect_url":"https://x.example/1"}}`, page},
		{acquirer.Cards, 200, `{"status":200,"result":{"redirect_url":"javascript:alert(1)"}}`, unknown},
		{acquirer.Cards, 200, `{"status":200,"result":{"code":"CHECKOUT_REDIRECT"}}`, unknown},
		{acquirer.Cards, 422, `{"message":"x","errors":{}}`, unknown},
		{acquirer.Cards, 422, `{"message":"x","errors":{"invoice_no":["used"]}}`, unknown},
		{acquirer.TLync, 422, `{"error":{"code":"INVALID_INPUTS","fields":{"callback_url":["x"]}}}`, "declined"},
		{acquirer.TLync, 422, `{"error":{"code":"INVALID_INPUTS","fields":{"mobile_number":["x"]}}}`, "phone_refused"},
	} {
		got, err := answering(t, tc.status, tc.body).Begin(t.Context(), somePayment(tc.method))
		if got := outcome(got, err); got != tc.want {
			t.Errorf("%s %d %s: %s (%v), want %s", tc.method, tc.status, tc.body, got, err, tc.want)
		}
	}
}

// No fault of the line is a refusal, and none is a request that was not sent.
func TestFaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, f := range books.Faults() {
		for call, m := range map[string]acquirer.Method{
			"edfali/verify": acquirer.Adfali, "sadadapi/verify": acquirer.Sadad,
			"localbankcards/confirm": acquirer.Cards, "tlync/confirm": acquirer.TLync,
		} {
			w.post("/control/faults", fmt.Sprintf(`{"call":%q,"faults":[%q]}`, call, f), nil)
			got, err := w.account.Begin(t.Context(), w.payment(m, "2345678"))
			wantUnknown(t, "Begin with "+string(f), got, err)
		}
		r := w.sendCode(acquirer.Adfali, "2345678")
		w.post("/control/faults", fmt.Sprintf(`{"call":"edfali/confirm","faults":[%q]}`, f), nil)
		got, err := w.confirm(r, "1111")
		wantUnknown(t, "Confirm with "+string(f), got, err)
		taken := 0
		if f.CarriedOut() {
			taken = 1
		}
		w.wantTaken(r.Reference, taken, 12_500)
	}
}

func TestWhatWasNeverSent(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	nowhere := openAccount(t, "http://"+listener.Addr().String(), allSettings)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range []acquirer.Method{acquirer.Adfali, acquirer.Sadad, acquirer.Cards, acquirer.TLync} {
		for _, ctx := range []context.Context{t.Context(), ended} {
			if got, err := nowhere.Begin(ctx, somePayment(m)); !errors.Is(err, acquirer.ErrNotSent) {
				t.Errorf("%s: Begin = %+v, %v, want it not sent", m, got, err)
			}
		}
	}
	if got, err := nowhere.Confirm(t.Context(), refOf(somePayment(acquirer.Adfali), "77"), "1111"); !errors.Is(err, acquirer.ErrNotSent) {
		t.Errorf("Confirm = %+v, %v, want it not sent", got, err)
	}
}

// The end of our patience says nothing about the money.
func TestAnAnswerThatNobodyWaitsForIsUnknown(t *testing.T) {
	t.Parallel()
	ctx, giveUp := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		giveUp()
		<-r.Context().Done()
	}))
	defer server.Close()
	a := openAccount(t, server.URL, allSettings)
	got, err := a.Confirm(ctx, refOf(somePayment(acquirer.Adfali), "77"), "1111")
	wantUnknown(t, "Confirm", got, err)
}

func TestWhatPlutuHasNoCallFor(t *testing.T) {
	t.Parallel()
	a, r := answering(t, 500, ""), refOf(somePayment(acquirer.Adfali), "77")
	_, resend := a.Resend(t.Context(), r)
	_, cancel := a.Cancel(t.Context(), r)
	_, inquire := a.Inquire(t.Context(), r)
	_, refund := a.Refund(t.Context(), r, r.Money)
	for call, err := range map[string]error{"Resend": resend, "Cancel": cancel, "Inquire": inquire, "Refund": refund} {
		if !errors.Is(err, acquirer.ErrNotSent) {
			t.Errorf("%s: %v, want it not sent", call, err)
		}
	}
}

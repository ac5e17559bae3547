package plutu_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/plutu"
	"daftar/payments/acquirer/plutu/fake"
)

// The outcomes of an error code that are not reasons.
const (
	account = "account"
	unknown = "unknown"
	again   = "wrong code"
)

// meanings are the outcomes of each error code, as the answer to a call that sends a code, to one
// that opens a page, and to one that may take money.
var meanings = map[string]struct{ send, open, confirm string }{
	"FORBIDDEN_IP_ADDRESS":          {account, account, account},
	"SECRET_KEY_DOES_NOT_EXIST":     {account, account, account},
	"INVALID_MERCHANT_SECRET_KEY":   {account, account, account},
	"INVALID_SECRET_KEY":            {account, account, account},
	"AUTH_ERROR":                    {account, account, account},
	"UNAUTHORIZED":                  {account, account, account},
	"UNAUTHORIZED_MERCHANT_ACCOUNT": {account, account, account},
	"NOT_SUBSCRIBED":                {account, account, account},
	"INVALID_GATEWAY":               {account, account, account},
	"DENIED_ACCESS_GATEWAY":         {account, account, account},
	"INVALID_MERCHANT_CATEGORY":     {account, account, account},
	"CURRENCY_NOT_SUPPORTED":        {account, account, account},
	"TEST_MODE_NOT_SUPPORTED":       {account, account, account},

	"INVALID_MOBILE_NUMBER":               {"phone_refused", "phone_refused", "phone_refused"},
	"EMPTY_MOBILE_NUMBER":                 {"phone_refused", "phone_refused", "phone_refused"},
	"INVALID_MOBILE_NUMBER_OR_BIRTH_YEAR": {"details_refused", "details_refused", "details_refused"},
	"EMPTY_BIRTH_YEAR":                    {"details_refused", "details_refused", "details_refused"},
	"INVALID_AMOUNT":                      {"amount_refused", "amount_refused", "amount_refused"},
	"INVALID_AMOUNT_FORMAT":               {"amount_refused", "amount_refused", "amount_refused"},
	"NOT_ALLOWED_AMOUNT":                  {"amount_refused", "amount_refused", "amount_refused"},
	"AMOUNT_NOT_ALLOWED":                  {"amount_refused", "amount_refused", "amount_refused"},
	"AMOUNT_EXCEEDED_MAXIMUM":             {"amount_refused", "amount_refused", "amount_refused"},
	"SANDBOX_TRANSACTION_LIMIT_EXCEEDED":  {"amount_refused", "amount_refused", "amount_refused"},
	"INSUFFICIENT_BALANCE":                {"insufficient_funds", "insufficient_funds", "insufficient_funds"},
	"OTP_EXPIRED":                         {"code_expired", "code_expired", "code_expired"},
	"CHECK_BANK_ACCOUNT":                  {"declined", "declined", "declined"},
	"MISSING_PARAMETER":                   {"declined", "declined", "declined"},
	"MISSING_QR_PARAMETER":                {"declined", "declined", "declined"},
	"TOO_MANY_REQUESTS":                   {"declined", "declined", "declined"},
	"TOO_MAY_REQUESTS":                    {"declined", "declined", "declined"},

	"OTP_WAIT_BEFORE_RESNED": {"declined", "declined", unknown},
	"OTP_WAIT_BEFORE_RESEND": {"declined", "declined", unknown},
	"MAINTENANCE_MODE":       {"declined", "declined", unknown},

	"INVLIAD_OTP": {unknown, unknown, again},
	"INVALID_OTP": {unknown, unknown, again},

	"INVALID_INPUTS": {"declined", unknown, unknown}, // without the fields

	"CONFIRMATION_ERROR":               {unknown, unknown, unknown},
	"ADD_PAYMENT_ERROR":                {unknown, unknown, unknown},
	"BACKEND_ERROR":                    {unknown, unknown, unknown},
	"BACKEND_SERVER_ERROR":             {unknown, unknown, unknown},
	"DUPLICATED_INVOICE_NUMBER":        {unknown, unknown, unknown},
	"INVALID_INVOICE_AMOUNT_OR_NUMBER": {unknown, unknown, unknown},
	"REFERENCE_NUMBER_DOES_NOT_EXIST":  {unknown, unknown, unknown},

	"SOMETHING_NEW": {unknown, unknown, unknown},
	"":              {unknown, unknown, unknown},
}

func outcome(got any, err error) string {
	switch {
	case errors.Is(err, acquirer.ErrNotSent):
		return "not sent"
	case errors.Is(err, acquirer.ErrAccount):
		return account
	case err != nil:
		return unknown
	}
	switch got := got.(type) {
	case acquirer.BeginDeclined:
		return string(got.Reason)
	case acquirer.Declined:
		return string(got.Reason)
	case acquirer.WrongCode:
		return again
	}
	return fmt.Sprintf("%T", got)
}

func TestEveryErrorCodeHasAMeaning(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Concat(plutu.Codes(), fake.Codes()) {
		if _, known := meanings[name]; !known {
			t.Errorf("%s has no row", name)
		}
	}
	for name := range meanings {
		if name != "" && name != "SOMETHING_NEW" && !slices.Contains(plutu.Codes(), name) {
			t.Errorf("the adapter does not know %s", name)
		}
	}
}

func TestErrorCodes(t *testing.T) {
	t.Parallel()
	for _, spelling := range []string{"documented", "other"} {
		t.Run(spelling, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Control("/control/spelling", fmt.Sprintf(`{"spelling":%q}`, spelling), nil)
			for name, want := range meanings {
				if name == "" {
					continue
				}
				fail := func(call string) {
					w.Control("/control/errors", fmt.Sprintf(`{"call":%q,"code":%q}`, call, name), nil)
				}
				r := w.sendCode(plutu.Adfali, "2345678")
				fail("edfali/confirm")
				got, err := w.confirm(r, "1111")
				if got := outcome(got, err); got != want.confirm {
					t.Errorf("%s: Confirm = %s, want %s", name, got, want.confirm)
				}
				for call, m := range map[string]acquirer.Method{
					"edfali/verify": plutu.Adfali, "sadadapi/verify": plutu.Sadad,
					"localbankcards/confirm": plutu.Cards, "tlync/confirm": plutu.TLync,
				} {
					fail(call)
					begun, err := w.account.Begin(t.Context(), w.payment(m, "2345678"))
					meant := want.send
					if m == plutu.Cards || m == plutu.TLync {
						meant = want.open
					}
					if got := outcome(begun, err); got != meant {
						t.Errorf("%s: Begin of %s = %s, want %s", name, m, got, meant)
					}
				}
			}
		})
	}
}

// The numbers of the fake's documentation cause each code, too.
func TestErrorCodesByNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for place, name := range fake.Codes() {
		begun, err := w.account.Begin(t.Context(), w.payment(plutu.Sadad, fmt.Sprintf("0001%03d", place)))
		if got, want := outcome(begun, err), meanings[name].send; got != want {
			t.Errorf("%s: Begin = %s, want %s", name, got, want)
		}
		for group, taken := range map[string]int{"0002": 0, "0003": 1} {
			r := w.sendCode(plutu.Adfali, fmt.Sprintf("%s%03d", group, place))
			got, err := w.confirm(r, "1111")
			if got, want := outcome(got, err), meanings[name].confirm; got != want {
				t.Errorf("%s: Confirm = %s, want %s", name, got, want)
			}
			w.wantTaken(r.Reference, taken, 12_500)
		}
	}
}

package plutu

import (
	"slices"

	"daftar/payments/acquirer"
)

// meaning is what an error of Plutu says about the money.
type meaning int

const (
	// uncertain says nothing: the money may have been taken. Every code that the table does not
	// know has it.
	uncertain meaning = iota
	// refused is a final no: Plutu did nothing.
	refused
	// notBegun is a final no to the beginning of a payment. At its confirmation the same code
	// may come from a system that Plutu has called.
	notBegun
	// wrongCode says that the code was not the one sent.
	wrongCode
	// accountRefused says that the merchant's account may not do this.
	accountRefused
	// malformed says that a field is malformed; the meaning depends on the field.
	malformed
)

// codes are the error codes in capitals, spelt as Plutu spells them. The uncertain ones are here
// so that an error can name them.
var codes = map[string]struct {
	means  meaning
	reason acquirer.Reason
}{
	"FORBIDDEN_IP_ADDRESS":          {means: accountRefused},
	"SECRET_KEY_DOES_NOT_EXIST":     {means: accountRefused},
	"INVALID_MERCHANT_SECRET_KEY":   {means: accountRefused},
	"INVALID_SECRET_KEY":            {means: accountRefused},
	"AUTH_ERROR":                    {means: accountRefused},
	"UNAUTHORIZED":                  {means: accountRefused},
	"UNAUTHORIZED_MERCHANT_ACCOUNT": {means: accountRefused},
	"NOT_SUBSCRIBED":                {means: accountRefused},
	"INVALID_GATEWAY":               {means: accountRefused},
	"DENIED_ACCESS_GATEWAY":         {means: accountRefused},
	"INVALID_MERCHANT_CATEGORY":     {means: accountRefused},
	"CURRENCY_NOT_SUPPORTED":        {means: accountRefused}, // the account's: no request has a currency
	"TEST_MODE_NOT_SUPPORTED":       {means: accountRefused},

	"INVALID_MOBILE_NUMBER":               {refused, acquirer.PhoneRefused},
	"EMPTY_MOBILE_NUMBER":                 {refused, acquirer.PhoneRefused},
	"INVALID_MOBILE_NUMBER_OR_BIRTH_YEAR": {refused, acquirer.DetailsRefused},
	"EMPTY_BIRTH_YEAR":                    {refused, acquirer.DetailsRefused},
	"INVALID_AMOUNT":                      {refused, acquirer.AmountRefused},
	"INVALID_AMOUNT_FORMAT":               {refused, acquirer.AmountRefused},
	"NOT_ALLOWED_AMOUNT":                  {refused, acquirer.AmountRefused},
	"AMOUNT_NOT_ALLOWED":                  {refused, acquirer.AmountRefused},
	"AMOUNT_EXCEEDED_MAXIMUM":             {refused, acquirer.AmountRefused},
	"SANDBOX_TRANSACTION_LIMIT_EXCEEDED":  {refused, acquirer.AmountRefused},
	"INSUFFICIENT_BALANCE":                {refused, acquirer.InsufficientFunds},
	"OTP_EXPIRED":                         {refused, acquirer.CodeExpired},
	"CHECK_BANK_ACCOUNT":                  {refused, acquirer.GenericDecline},
	"MISSING_PARAMETER":                   {refused, acquirer.GenericDecline},
	"MISSING_QR_PARAMETER":                {refused, acquirer.GenericDecline},
	"TOO_MANY_REQUESTS":                   {refused, acquirer.GenericDecline},
	"TOO_MAY_REQUESTS":                    {refused, acquirer.GenericDecline},

	"OTP_WAIT_BEFORE_RESNED": {notBegun, acquirer.GenericDecline},
	"OTP_WAIT_BEFORE_RESEND": {notBegun, acquirer.GenericDecline},
	"MAINTENANCE_MODE":       {notBegun, acquirer.GenericDecline},

	"INVLIAD_OTP": {means: wrongCode},
	"INVALID_OTP": {means: wrongCode},

	"INVALID_INPUTS": {means: malformed},

	"CONFIRMATION_ERROR":               {},
	"ADD_PAYMENT_ERROR":                {},
	"BACKEND_ERROR":                    {},
	"BACKEND_SERVER_ERROR":             {},
	"DUPLICATED_INVOICE_NUMBER":        {}, // the payment with this number may be this one
	"INVALID_INVOICE_AMOUNT_OR_NUMBER": {}, // may mean the same
	"REFERENCE_NUMBER_DOES_NOT_EXIST":  {}, // may also mean a process that was confirmed already
}

// reasonOfFields returns why a malformed request was refused, by the fields that Plutu names.
func reasonOfFields(fields []string) acquirer.Reason {
	switch {
	case slices.Contains(fields, "birth_year"):
		return acquirer.DetailsRefused
	case slices.Contains(fields, "mobile_number"):
		return acquirer.PhoneRefused
	case slices.Contains(fields, "amount"):
		return acquirer.AmountRefused
	}
	return acquirer.GenericDecline
}

// mayBeSecond reports whether a malformed request may repeat one that was carried out: Plutu also
// reports numbers that were used already as malformed.
func mayBeSecond(fields []string) bool {
	return len(fields) == 0 || slices.Contains(fields, "invoice_no") || slices.Contains(fields, "process_id")
}

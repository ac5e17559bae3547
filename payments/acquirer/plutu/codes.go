package plutu

import (
	"slices"

	"daftar/payments/acquirer"
)

// meaning is how much an error of Plutu says about the money.
type meaning int

const (
	// uncertain says nothing: the money may have been taken. It is that of every code that
	// the table does not know.
	uncertain meaning = iota
	// refused is a final no: Plutu did nothing.
	refused
	// notBegun is a final no to the beginning of a payment. At its confirmation the same
	// words might come from further away than Plutu.
	notBegun
	// wrongCode says that the code was not the one sent.
	wrongCode
	// accountRefused says that the merchant's account may not do this.
	accountRefused
	// malformed says that a field was not as it has to be; it depends on which.
	malformed
)

// error codes in capitals, spelt as Plutu spells them. What stands as uncertain stands here
// so that an error can name it.
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
	"CURRENCY_NOT_SUPPORTED":        {means: accountRefused}, // no request names one: it is the account's
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
	"DUPLICATED_INVOICE_NUMBER":        {}, // the payment that has it may be this one
	"INVALID_INVOICE_AMOUNT_OR_NUMBER": {}, // as the one before, perhaps
	"REFERENCE_NUMBER_DOES_NOT_EXIST":  {}, // also of a process that was confirmed already, perhaps
}

// reasonOfFields is why a malformed request was refused, by the fields that Plutu names.
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

// mayBeSecond says that a malformed request may be the repetition of one that was carried
// out: numbers that were used already are found malformed too.
func mayBeSecond(fields []string) bool {
	return len(fields) == 0 || slices.Contains(fields, "invoice_no") || slices.Contains(fields, "process_id")
}

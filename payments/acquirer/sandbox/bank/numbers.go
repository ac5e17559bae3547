package bank

import (
	"cmp"
	"strings"
	"time"
)

// behaviour is how a payment acts when its right code is typed, or when its money is to go back.
// The journal keeps it instead of the phone number.
type behaviour string

const (
	ordinary        behaviour = "ordinary"
	takesAndHangs   behaviour = "takes_and_hangs"
	hangs           behaviour = "hangs"
	staysPending    behaviour = "stays_pending"
	isDeclined      behaviour = "is_declined"
	notifiesThrice  behaviour = "notifies_thrice"
	paysLate        behaviour = "pays_late"
	refusesRefunds  behaviour = "refuses_refunds"
	refundsSlowly   behaviour = "refunds_slowly"
	refundsAndHangs behaviour = "refunds_and_hangs"
)

// behaviours are those of the special numbers, by their last digit.
var behaviours = map[byte]behaviour{
	'1': takesAndHangs,
	'2': hangs,
	'3': staysPending,
	'4': isDeclined,
	'5': notifiesThrice,
	'6': paysLate,
	'7': refusesRefunds,
	'8': refundsSlowly,
	'9': refundsAndHangs,
}

// behaviourOf returns the behaviour of a number in its national form.
func behaviourOf(phone string) behaviour {
	if strings.HasPrefix(phone, "092000000") || strings.HasPrefix(phone, "096000") {
		return cmp.Or(behaviours[phone[len(phone)-1]], ordinary)
	}
	return ordinary
}

// Codes that the payer can type. Any other is wrong, and the fifth locks.
const (
	rightCode     = "111111"
	declinedCode  = "000000"
	codeDigits    = len(rightCode)
	wrongCodesMax = 5
)

const (
	codeLife  = 5 * time.Minute  // how long a payment waits for its code
	pageLife  = 10 * time.Minute // how long a payment waits for a button of its page
	hiddenFor = 3 * time.Second  // an inquiry reports number 0920000001 pending after the money was taken
	lateAfter = 5 * time.Second  // number 0920000006 is declined, and that much later it was paid after all
	// answerAfter is how long number 0920000008 takes to answer a refund. No client gives up so soon.
	answerAfter = 3 * time.Second
)

package bank

import (
	"cmp"
	"strings"
	"time"
)

// behaviour is what a payment does when its right code is typed. The journal
// keeps the word instead of the phone number.
type behaviour string

const (
	ordinary       behaviour = "ordinary"
	takesAndHangs  behaviour = "takes_and_hangs"
	hangs          behaviour = "hangs"
	staysPending   behaviour = "stays_pending"
	isDeclined     behaviour = "is_declined"
	notifiesThrice behaviour = "notifies_thrice"
)

// behaviours are those of the special numbers, by their last digit.
var behaviours = map[byte]behaviour{
	'1': takesAndHangs, '2': hangs, '3': staysPending, '4': isDeclined, '5': notifiesThrice,
}

// behaviourOf is that of a number in its national form.
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

// How long a payment waits for its payer, and for how long inquiry calls a payment
// pending although the money was taken (number 0920000001).
const (
	codeLife  = 5 * time.Minute
	pageLife  = 10 * time.Minute
	hiddenFor = 3 * time.Second
)

package bank

import "strings"

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

func behaviourOf(phone string) behaviour {
	switch phone {
	case "0920000001":
		return takesAndHangs
	case "0920000002":
		return hangs
	case "0920000003":
		return staysPending
	case "0920000004":
		return isDeclined
	case "0920000005":
		return notifiesThrice
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

// parsePhone returns a Libyan mobile number in its national form, 09Xxxxxxxx.
// Spaces and hyphens are ignored, +218 and 00218 are the country.
func parsePhone(s string) (string, bool) {
	s = strings.NewReplacer(" ", "", "-", "").Replace(s)
	for _, country := range []string{"+218", "00218"} {
		if rest, found := strings.CutPrefix(s, country); found {
			s = "0" + rest
			break
		}
	}
	if len(s) != 10 || s[0] != '0' || s[1] != '9' || s[2] < '1' || s[2] > '6' {
		return "", false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return "", false
		}
	}
	return s, true
}

// maskPhone keeps what the owner recognises: 091•••5678.
func maskPhone(national string) string {
	return national[:3] + "•••" + national[len(national)-4:]
}

package locale

import (
	"regexp"
	"strings"
)

var (
	// libyanMobile matches the national form with or without its zero, and the
	// international one with +, 00 or neither; some people write the zero there too.
	libyanMobile = regexp.MustCompile(`^(?:(?:\+|00)?2180?|0)?(9[1-6][0-9]{7})$`)
	// libyanLine matches landline numbers: an area code of two digits, then six or seven.
	libyanLine = regexp.MustCompile(`^(?:(?:\+|00)2180?|0)([2-8][0-9]{7,8})$`)
	// foreign matches every other number, with its country code.
	foreign = regexp.MustCompile(`^(?:\+|00)([1-9][0-9]{7,14})$`)
	// trunkZero is the zero that is not dialled after a country code.
	trunkZero = regexp.MustCompile(`^((?:\+|00)[1-9][0-9]{0,2})\(0\)`)
)

// grouping are the characters that people and address books write between digits.
const grouping = `()[]./\,_'"·` + "٫٬،’‘“”«»"

// foldPhone removes everything that a telephone number may have besides digits and a plus.
func foldPhone(s string) string {
	folded := FoldDigits(s)
	if scheme := "tel:"; len(folded) > len(scheme) && strings.EqualFold(folded[:len(scheme)], scheme) {
		folded = folded[len(scheme):]
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(grouping, r) {
			return -1
		}
		return r
	}, trunkZero.ReplaceAllString(folded, "$1"))
}

// LibyanMobile reads a Libyan mobile number as people write it (091 234 5678,
// (091) 234-5678, 912345678, +218 (0)91 234 5678, ٠٩١٢٣٤٥٦٧٨) and returns it as ten digits,
// 0912345678. It returns false if it is none.
func LibyanMobile(s string) (string, bool) {
	match := libyanMobile.FindStringSubmatch(foldPhone(s))
	if match == nil {
		return "", false
	}
	return "0" + match[1], true
}

// MaskPhone hides the middle of a mobile number: 091•••5678. What is no Libyan
// mobile number is hidden whole.
func MaskPhone(phone string) string {
	digits, ok := LibyanMobile(phone)
	if !ok {
		return "•••"
	}
	return digits[:3] + "•••" + digits[6:]
}

// MaskMobile hides the middle of a Libyan mobile number that is not hidden yet, and leaves every
// other text as it is.
func MaskMobile(s string) string {
	if _, whole := LibyanMobile(s); whole {
		return MaskPhone(s)
	}
	return s
}

// ParsePhone reads a telephone number as people write it, Libyan or with a country code, and
// returns its international form, +218912345678. It returns false if it is none.
func ParsePhone(s string) (string, bool) {
	if mobile, is := LibyanMobile(s); is {
		return "+218" + mobile[1:], true
	}
	digits := foldPhone(s)
	if line := libyanLine.FindStringSubmatch(digits); line != nil {
		return "+218" + line[1], true
	}
	if other := foreign.FindStringSubmatch(digits); len(other) > 1 && !strings.HasPrefix(other[1], "218") {
		return "+" + other[1], true
	}
	return "", false
}

// PhoneText is a number of ParsePhone as it is written in Libya: 091 234 5678. One of another
// country keeps its code.
func PhoneText(number string) string {
	national, libyan := strings.CutPrefix(number, "+218")
	if !libyan || len(national) < 8 {
		return number
	}
	return "0" + national[:2] + " " + national[2:5] + " " + national[5:]
}

package web

import (
	"regexp"
	"strings"
)

var (
	// libyanLine takes the numbers that are no mobile ones: an area code of two digits, then
	// six or seven.
	libyanLine = regexp.MustCompile(`^(?:(?:\+|00)218|0)([2-8][0-9]{7,8})$`)
	// abroad takes every other number, with its country code.
	abroad = regexp.MustCompile(`^(?:\+|00)([1-9][0-9]{7,14})$`)
)

// ParsePhone reads a telephone number as people write it, Libyan or with a country code, and
// returns its international form, +218912345678. It returns false if it is none.
func ParsePhone(s string) (string, bool) {
	if mobile, is := LibyanMobile(s); is {
		return "+218" + mobile[1:], true
	}
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune("()./", r) {
			return -1
		}
		return r
	}, FoldDigits(s))
	if line := libyanLine.FindStringSubmatch(digits); line != nil {
		return "+218" + line[1], true
	}
	if other := abroad.FindStringSubmatch(digits); len(other) > 1 && !strings.HasPrefix(other[1], "218") {
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

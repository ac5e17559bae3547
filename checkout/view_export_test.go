package checkout

import (
	"daftar/internal/locale"
	"daftar/payments/acquirer"
)

// TextsIn are the texts of a language, for the test of completeness.
func TextsIn(l locale.Lang) any { return *textsIn(l) }

// ReasonText is the text about a failed attempt.
func ReasonText(l locale.Lang, r acquirer.Reason) string {
	said := textsIn(l).reason(r)
	return said.Why + " " + said.Next
}

// TriesLeftText is the text about a wrong code.
func TriesLeftText(l locale.Lang, n int) string { return textsIn(l).OTP.TriesLeft(n) }

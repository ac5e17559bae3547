package checkout

import "daftar/payments/acquirer"

// Catalogues are the texts of both languages, for the test of completeness.
func Catalogues() map[string]any { return map[string]any{"ar": arabic, "en": english} }

// ReasonText is what a page says about a failed attempt, by language.
func ReasonText(language string, r acquirer.Reason) string {
	said := map[string]*texts{"ar": &arabic, "en": &english}[language].reason(r)
	return said.Why + " " + said.Next
}

// TriesLeftText is what a page says about a wrong code, by language.
func TriesLeftText(language string, n int) string {
	return map[string]*texts{"ar": &arabic, "en": &english}[language].OTP.TriesLeft(n)
}

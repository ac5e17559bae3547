//go:build long

package acceptance_test

import "testing"

// The checkout in every language, width and kind of browser, each page looked at
// closely.
func TestLongCheckoutInBrowser(t *testing.T) { //nolint:tparallel // as TestCheckoutInBrowser
	t.Parallel()
	s := openStorefront(t, demo(t, t.TempDir()))
	s.closely = true
	for _, lang := range []string{"ar", "en"} {
		for _, scripts := range []bool{false, true} {
			s.ways = append(s.ways, way{lang, scripts, 320}, way{lang, scripts, 1280})
			s.bankWays = append(s.bankWays, way{lang, scripts, 320})
		}
	}
	s.proofWays = []way{{"ar", false, 320}, {"en", true, 390}}
	s.keyboardWays = []way{{"ar", true, 390}, {"en", false, 390}}
	s.payers(t)
}

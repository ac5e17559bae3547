//go:build long

package storybook_test

import (
	"testing"

	"daftar/internal/locale"
)

func TestLongFirstScreen(t *testing.T) {
	t.Parallel()
	eachLanguage(t, func(t *testing.T, l locale.Lang) {
		mustFitFirstScreen(t, l,
			[]string{
				"pay", "pay-test-mode", "pay-ends-soon", "pay-english-merchant", "pay-card-only", "pay-five",
				"pay-brand", "pay-brand-wide",
			},
			[]string{"otp", "otp-wrong", "otp-missing", "otp-too-many", "otp-limited", "otp-brand"})
	})
}

func TestLongTheWayToPayFitsInTwoScreens(t *testing.T) {
	t.Parallel()
	eachLanguage(t, func(t *testing.T, l locale.Lang) {
		mustFitInTwoScreens(t, l, "pay-five", "pay-five-sadad")
	})
}

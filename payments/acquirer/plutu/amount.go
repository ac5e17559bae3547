package plutu

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"daftar/domain"
)

// formatAmount writes dinars with the two decimals that Plutu takes. The caller has
// checked that the capability carries the amount.
func formatAmount(m domain.Money) string {
	return fmt.Sprintf("%d.%02d", m.Minor/1000, m.Minor%1000/10)
}

// amountForm bounds an amount so that it fits: twelve digits of dinars are far below the
// largest int64 of dirhams.
var amountForm = regexp.MustCompile(`^([0-9]{1,12})(?:\.([0-9]{1,20}))?$`)

// groupedForm is an amount with commas between thousands, as number_format of PHP writes it. One
// comma alone may stand for the decimal point (1,250 is 1.250 elsewhere), so a point or a second
// comma has to prove that it does not.
var groupedForm = regexp.MustCompile(`^[1-9][0-9]{0,2}(?:,[0-9]{3}){1,3}\.[0-9]{1,20}$|^[1-9][0-9]{0,2}(?:,[0-9]{3}){2,3}$`)

// parseAmount reads dinars as Plutu states them: 12, 12.5, 12.50, 12.500 or 1,250.00. An amount
// that dirhams cannot express is an error, as is none at all: it must not be compared with
// anything.
func parseAmount(s string) (domain.Money, error) {
	if groupedForm.MatchString(s) {
		s = strings.ReplaceAll(s, ",", "")
	}
	parts := amountForm.FindStringSubmatch(s)
	if parts == nil {
		return domain.Money{}, errors.New("amount is not a decimal number")
	}
	fraction := strings.TrimRight(parts[2], "0")
	if len(fraction) > domain.LYD.Exponent() {
		return domain.Money{}, errors.New("amount is finer than a dirham")
	}
	fraction += strings.Repeat("0", domain.LYD.Exponent()-len(fraction))
	minor, err := strconv.ParseInt(parts[1]+fraction, 10, 64)
	if err != nil || minor == 0 {
		return domain.Money{}, errors.New("amount is not positive")
	}
	return domain.Money{Minor: minor, Currency: domain.LYD}, nil
}

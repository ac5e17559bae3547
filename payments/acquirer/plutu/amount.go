package plutu

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"daftar/domain"
)

// formatAmount writes dinars with two decimals, as Plutu takes them. The caller has checked
// that the capability carries the amount.
func formatAmount(m domain.Money) string {
	return fmt.Sprintf("%d.%02d", m.Minor/1000, m.Minor%1000/10)
}

// amountForm bounds the length of an amount: twelve digits of dinars are far below the largest
// int64 of dirham.
var amountForm = regexp.MustCompile(`^([0-9]{1,12})(?:\.([0-9]{1,20}))?$`)

// groupedForm is an amount with commas between thousands, as number_format of PHP writes it. A
// single comma may be the decimal point (1,250 is 1.250 in some countries), so there must also be
// a point or a second comma.
var groupedForm = regexp.MustCompile(
	`^[1-9][0-9]{0,2}(?:,[0-9]{3}){1,3}\.[0-9]{1,20}$` + `|` + `^[1-9][0-9]{0,2}(?:,[0-9]{3}){2,3}$`)

// parseAmount reads dinars as Plutu states them: 12, 12.5, 12.50, 12.500 or 1,250.00. An amount
// finer than a dirham is an error, and so is an empty one or zero.
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

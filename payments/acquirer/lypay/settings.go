package lypay

import (
	"regexp"
	"strings"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/lypay/numo"
)

// settings describe a merchant's account. The last five may be left out.
type settings struct {
	Token        string `json:"token"`       // of the bank's API
	WebhookKey   string `json:"webhook_key"` // signs notifications
	IBAN         string `json:"iban"`        // to which payers pay
	MerchantName string `json:"merchant_name"`

	MerchantCity string `json:"merchant_city"` // TRIPOLI
	// BankCode is written into tag 30; with BankName as two fields, without it bare.
	BankCode string `json:"bank_code"`
	BankName string `json:"bank_name"`
	// CRC is how the code's checksum is computed: emv, or app as some banks' apps do.
	CRC numo.Checksum `json:"crc"`
	// OmitTag51 leaves the merchant reference out, for apps that fail with it.
	OmitTag51 bool `json:"omit_tag_51"`
}

var (
	tokenForm    = regexp.MustCompile(`^[[:graph:]]+$`)
	ibanForm     = regexp.MustCompile(`^LY[0-9]{23}$`)
	nameForm     = regexp.MustCompile(`^[[:graph:]](?:[[:print:]]{0,23}[[:graph:]])?$`)
	cityForm     = regexp.MustCompile(`^[[:graph:]](?:[[:print:]]{0,13}[[:graph:]])?$`)
	bankCodeForm = regexp.MustCompile(`^[0-9]{3}$`)
)

// readSettings reads and checks settings, and fills in defaults. The error is a
// *acquirer.SettingsError.
func readSettings(text []byte) (settings, error) {
	var s settings
	if err := acquirer.DecodeSettings(text, &s); err != nil {
		return settings{}, err
	}
	s.IBAN = normalIBAN(s.IBAN)
	if s.MerchantCity == "" {
		s.MerchantCity = "TRIPOLI"
	}
	if s.CRC == "" {
		s.CRC = numo.EMV
	}
	for _, rule := range []struct {
		setting, value string
		required       bool
		fits           func(string) bool
		problem        string
	}{
		{"token", s.Token, true, tokenForm.MatchString, "is not a bearer token: ASCII without spaces"},
		{"webhook_key", s.WebhookKey, true, nil, ""},
		{"iban", s.IBAN, true, ibanForm.MatchString, "is not a Libyan IBAN: LY and 23 digits"},
		{"iban", s.IBAN, true, hasCheckDigits, "has wrong check digits"},
		// Readers compute different checksums for characters that are not ASCII.
		{"merchant_name", s.MerchantName, true, nameForm.MatchString, "is not 1 to 25 ASCII characters"},
		{"merchant_city", s.MerchantCity, true, cityForm.MatchString, "is not 1 to 15 ASCII characters"},
		{"bank_code", s.BankCode, s.BankName != "", bankCodeForm.MatchString, "is not three digits"},
		{"bank_name", s.BankName, false, nameForm.MatchString, "is not 1 to 25 ASCII characters"},
		{"crc", string(s.CRC), true, isChecksum, `is neither "emv" nor "app"`},
	} {
		switch {
		case rule.value == "" && rule.required:
			return settings{}, &acquirer.SettingsError{Setting: rule.setting, Problem: "is missing"}
		case rule.value != "" && rule.fits != nil && !rule.fits(rule.value):
			return settings{}, &acquirer.SettingsError{Setting: rule.setting, Problem: rule.problem}
		}
	}
	return s, nil
}

func isChecksum(s string) bool { return s == string(numo.EMV) || s == string(numo.App) }

// normalIBAN removes the spaces with which people group an IBAN.
func normalIBAN(s string) string { return strings.ToUpper(strings.ReplaceAll(s, " ", "")) }

func isIBAN(s string) bool { return ibanForm.MatchString(s) && hasCheckDigits(s) }

// hasCheckDigits computes ISO 7064's MOD 97-10 of an IBAN of letters and digits.
func hasCheckDigits(iban string) bool {
	rest := 0
	for _, c := range iban[4:] + iban[:4] {
		switch {
		case c >= '0' && c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		default:
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}

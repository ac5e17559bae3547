package plutu

import (
	"regexp"

	"daftar/payments/acquirer"
)

// settings are those of an account, all of them from Plutu's dashboard. The access token
// determines the mode, test or live.
type settings struct {
	APIKey      string            `json:"api_key"`
	AccessToken string            `json:"access_token"`
	SecretKey   string            `json:"secret_key"` // signs messages
	Methods     []acquirer.Method `json:"methods"`    // to offer at first; nil: all, in the provider's order
}

// keyForm matches a value that is safe in a header: a pasted key may have a line break.
var keyForm = regexp.MustCompile(`^[\x21-\x7e]+$`)

// readSettings reads all but the names of the methods. The error is a
// *acquirer.SettingsError.
func readSettings(text []byte) (settings, error) {
	var s settings
	if err := acquirer.DecodeSettings(text, &s); err != nil {
		return settings{}, err
	}
	for _, key := range []struct{ name, value string }{
		{"api_key", s.APIKey}, {"access_token", s.AccessToken}, {"secret_key", s.SecretKey},
	} {
		if key.value == "" {
			return settings{}, &acquirer.SettingsError{Setting: key.name, Problem: "is missing"}
		}
		if !keyForm.MatchString(key.value) {
			return settings{}, &acquirer.SettingsError{
				Setting: key.name, Problem: "is not printable ASCII without spaces",
			}
		}
	}
	if s.Methods != nil && len(s.Methods) == 0 {
		return settings{}, &acquirer.SettingsError{Setting: "methods", Problem: "is empty"}
	}
	return s, nil
}

package acquirer_test

import (
	"testing"

	"daftar/payments/acquirer"
)

// Any values of a form are encoded as JSON that Open can read.
func TestSettingsAreEncoded(t *testing.T) {
	t.Parallel()
	all := []acquirer.Setting{
		{Name: "key", Secret: true},
		{Name: "name"},
		{Name: "city", Optional: true},
		{Name: "plain", Optional: true, Flag: true},
	}
	for want, values := range map[string]map[string]string{
		`{}`:                              nil,
		`{"key":"a\"b\\c","name":"قهوة"}`: {"key": `a"b\c`, "name": "قهوة", "city": "", "plain": ""},
		`{"city":"x","key":"k","plain":true}`: {
			"key": "k", "city": "x", "plain": "yes", "other": "not a setting",
		},
		"{\"key\":\"\ufffd\",\"name\":\"\\n\"}": {"key": "\xff", "name": "\n"},
	} {
		if got, err := acquirer.EncodeSettings(all, values); err != nil || string(got) != want {
			t.Errorf("%v: %s, %v; want %s", values, got, err, want)
		}
	}
}

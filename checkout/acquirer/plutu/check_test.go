package plutu_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"daftar/checkout/acquirer"
)

// check is what Check says, in a word.
func check(t *testing.T, a acquirer.Acquirer) string {
	t.Helper()
	err := a.Check(t.Context())
	switch {
	case err == nil:
		return "proved"
	case errors.Is(err, acquirer.ErrAccount):
		return account
	case errors.Is(err, acquirer.ErrUnprovable):
		return "unprovable"
	}
	return unknown
}

func TestCheck(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for methods, want := range map[string]string{
		`["adfali"]`: "proved", `["cards","sadad"]`: "proved", `["cards","tlync"]`: "unprovable",
	} {
		settings := strings.TrimSuffix(allSettings, "}") + `,"methods":` + methods + "}"
		if got := check(t, openAccount(t, w.server.URL, settings)); got != want {
			t.Errorf("%s: %s, want %s", methods, got, want)
		}
		for _, key := range []string{apiKey, accessToken} {
			wrong := openAccount(t, w.server.URL, strings.ReplaceAll(settings, key, "another-key"))
			if got := check(t, wrong); want == "proved" && got != account {
				t.Errorf("%s with another key: %s", methods, got)
			}
		}
	}
	for code, want := range map[string]string{
		"INVALID_MOBILE_NUMBER": "proved", "INVALID_MOBILE_NUMBER_OR_BIRTH_YEAR": "proved", "INVALID_INPUTS": "proved",
		"UNAUTHORIZED": account, "FORBIDDEN_IP_ADDRESS": account, "NOT_SUBSCRIBED": account, "DENIED_ACCESS_GATEWAY": account,
		"BACKEND_ERROR": "unprovable", "TOO_MANY_REQUESTS": "unprovable", "INVALID_AMOUNT": "unprovable", "NEWS": "unprovable",
	} {
		w.post("/control/errors", fmt.Sprintf(`{"call":"edfali/verify","code":%q}`, code), nil)
		if got := check(t, w.account); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
	w.post("/control/faults", `{"call":"*","faults":["html"]}`, nil)
	if got := check(t, w.account); got != unknown {
		t.Errorf("the HTML of a gateway: %s, want that nothing was learnt", got)
	}
	taken := answering(t, 200, `{"status":200,"result":{"process_id":"1"}}`)
	if got := check(t, taken); got != "unprovable" {
		t.Errorf("a number that cannot exist was taken: %s", got)
	}
	laravel := answering(t, 422, `{"message":"x","errors":{"mobile_number":["x"]}}`)
	if got := check(t, laravel); got != "proved" {
		t.Errorf("the framework's own error: %s", got)
	}
}

package plutu_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/plutu"
)

// check returns the result of Check in a word.
func check(t *testing.T, a acquirer.Acquirer, offered ...acquirer.Method) string {
	t.Helper()
	if len(offered) == 0 {
		offered = []acquirer.Method{plutu.Adfali}
	}
	err := a.Check(t.Context(), offered)
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
	for _, row := range []struct {
		offered []acquirer.Method
		want    string
	}{
		{[]acquirer.Method{plutu.Adfali}, "proved"},
		{[]acquirer.Method{plutu.Cards, plutu.Sadad}, "proved"},
		{[]acquirer.Method{plutu.Cards, plutu.TLync}, "unprovable"},
		{[]acquirer.Method{"moamalat"}, "unprovable"},
	} {
		if got := check(t, openAccount(t, w.URL, allSettings), row.offered...); got != row.want {
			t.Errorf("%s: %s, want %s", row.offered, got, row.want)
		}
		for _, key := range []string{apiKey, accessToken} {
			wrong := openAccount(t, w.URL, strings.ReplaceAll(allSettings, key, "another-key"))
			if got := check(t, wrong, row.offered...); row.want == "proved" && got != account {
				t.Errorf("%s with another key: %s", row.offered, got)
			}
		}
	}
	// A gateway that is not offered is not called: the account may have no subscription to it.
	w.Control("/control/errors", `{"call":"edfali/verify","code":"NOT_SUBSCRIBED"}`, nil)
	if got := check(t, w.account, plutu.Sadad); got != "proved" {
		t.Errorf("without a subscription to Adfali, which is not offered: %s", got)
	}
	if got := check(t, w.account, plutu.Sadad, plutu.Adfali); got != "proved" {
		t.Errorf("with the first of two: %s", got)
	}
	if got := check(t, w.account, plutu.Adfali); got != account {
		t.Errorf("without a subscription to Adfali: %s", got)
	}
	for code, want := range map[string]string{
		"INVALID_MOBILE_NUMBER":               "proved",
		"INVALID_MOBILE_NUMBER_OR_BIRTH_YEAR": "proved",
		"INVALID_INPUTS":                      "proved",
		"UNAUTHORIZED":                        account,
		"FORBIDDEN_IP_ADDRESS":                account,
		"NOT_SUBSCRIBED":                      account,
		"DENIED_ACCESS_GATEWAY":               account,
		"BACKEND_ERROR":                       "unprovable",
		"TOO_MANY_REQUESTS":                   "unprovable",
		"INVALID_AMOUNT":                      "unprovable",
		"NEWS":                                "unprovable",
	} {
		w.Control("/control/errors", fmt.Sprintf(`{"call":"edfali/verify","code":%q}`, code), nil)
		if got := check(t, w.account); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
	w.Control("/control/faults", `{"call":"*","faults":["html"]}`, nil)
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

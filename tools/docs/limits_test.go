package docs_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// The limits in limits.md are those in the code: each row contains the figures that an expression
// finds there. The Arabic edition has the same figures (TestEditionsAgree).
func TestLimitsOfTheServiceAreTrue(t *testing.T) {
	t.Parallel()
	type place struct{ file, form string }
	sections := map[string]map[string][]place{
		"## Requests": {
			"body of a request": {
				{"httpapi/body.go", `maxBody = (\d+) << 10`},
				{"httpapi/syntax.go", `maxDepth = (\d+)`},
			},
			"requests of an application": {
				{"cmd/daftar/config/config.go", `defaultRate = "(\d+)/s,burst=(\d+)"`},
			},
			"limit of a list": {
				{"httpapi/openapi.yaml", `minimum: (\d+)\n +maximum: (\d+)\n +default: (\d+)`},
			},
			"requests of an application that wait for webhooks (daftar listen)": {
				{"httpapi/deliveries.go", `maxListenersApplication += (\d+)`},
			},
		},
		"## Webhooks": {
			"your answer": {
				{"webhooks/guard.go", `connectLimit = (\d+) \* time.Second\n\ttotalLimit += (\d+) \* time.Second`},
			},
			"at the same time, to one application": {
				{"webhooks/claim.go", `maxInFlight = (\d+)`},
			},
		},
		"## The checkout": {
			"text messages in an hour": {
				{"payments/usage.go", `(?s)MessagesOfANumber += (\d+).*MessagesOfAnIntent += (\d+)`},
			},
			"codes in an hour": {
				{"payments/usage.go", `(?s)CodesOfANumber += (\d+).*CodesOfAnIntent += (\d+)`},
			},
			"attempts of an intent": {
				{"domain/intent.go", `FreeAttempts = (\d+)`},
			},
			"wrong codes of an attempt at the sandbox": {
				{"payments/acquirer/sandbox/bank/numbers.go", `wrongCodesMax = (\d+)`},
			},
		},
	}
	for section, rows := range sections {
		said := table(t, "limits.md", section)
		for row, places := range rows {
			text, known := said[row]
			if !known {
				t.Errorf("limits.md has no row %q: %q", row, said)
			}
			for _, p := range places {
				source := read(t, filepath.Join(root, filepath.FromSlash(p.file)))
				found := regexp.MustCompile(p.form).FindStringSubmatch(source)
				if found == nil {
					t.Errorf("%s has no %s", p.file, p.form)
					continue
				}
				figures := figure.FindAllString(text, -1)
				for _, limit := range found[1:] {
					if !slices.Contains(figures, limit) {
						t.Errorf("%s: %s says %s, limits.md %q", row, p.file, limit, text)
					}
				}
			}
		}
	}
}

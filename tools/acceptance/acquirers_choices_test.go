package acceptance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/internal/postgres/pgtest"
)

// choices is an application with accounts, and a short form of their list: each account's name,
// methods and limits.
type choices struct {
	t    *testing.T
	g    *gateways
	env  []string
	base []string // has neither the key nor addresses
	app  string
}

func newChoices(t *testing.T) *choices {
	t.Helper()
	c := &choices{t: t, g: newGateways(t)}
	c.base = []string{"DAFTAR_DATABASE_URL=" + pgtest.Database(t).ServiceURL(), "DAFTAR_LOG_LEVEL=trace"}
	c.env = slices.Concat(c.base, c.g.env, []string{"DAFTAR_SECRET_KEY=" + secretKey})
	c.app = newShop(t, c.env).app
	for _, name := range []string{"plutu", "moamalat"} {
		c.g.set(t, c.env, c.app, name)
	}
	return c
}

// do runs a command on the application's accounts.
func (c *choices) do(args string) {
	c.t.Helper()
	r := call(c.t, c.env, append(strings.Fields("acquirer "+args), "--app", c.app, "--json")...)
	if r.code != 0 {
		c.t.Errorf("%s: exit %d: %s%s", args, r.code, r.out, r.errors)
	}
	c.g.keepsSecrets(c.t, args, r.out+r.errors)
}

func (c *choices) want(want ...string) {
	c.t.Helper()
	type list struct {
		Acquirers []struct {
			Name    string                              `json:"name"`
			Methods []string                            `json:"methods"`
			Limits  map[string]struct{ Min, Max int64 } `json:"limits"`
		} `json:"acquirers"`
	}
	var got []string
	for _, a := range answer[list](c.t, c.base, "acquirer", "list", "--app", c.app).Acquirers {
		got = append(got, fmt.Sprintf("%s %v %v", a.Name, a.Methods, a.Limits))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		c.t.Errorf("accounts (-want +got):\n%s", diff)
	}
}

// Methods, limits and the order are chosen by commands, and read back as JSON and as text.
func TestAcquirerChoices(t *testing.T) {
	t.Parallel()
	c := newChoices(t)
	c.want("plutu [adfali cards] map[]", "moamalat [moamalat] map[]")
	c.do("order moamalat")
	c.do("methods plutu --methods tlync,adfali")
	c.do("limit plutu --method adfali --min 5 --max 1,500.250")
	c.do("limit moamalat --method moamalat --max 500")
	c.want("moamalat [moamalat] map[moamalat:{0 500000}]", "plutu [tlync adfali] map[adfali:{5000 1500250}]")
	people := call(t, c.base, "acquirer", "list", "--app", c.app)
	for _, words := range []string{"tlync, adfali", "adfali from 5.000 to 1,500.250", "moamalat to 500.000"} {
		if !strings.Contains(people.out, words) {
			t.Errorf("the list for people lacks %q:\n%s", words, people.out)
		}
	}
	c.g.set(t, c.env, c.app, "moamalat")
	c.do("limit plutu --method adfali")
	c.do("order plutu moamalat")
	c.want("plutu [tlync adfali] map[]", "moamalat [moamalat] map[moamalat:{0 500000}]")
}

// An invalid choice is reported by name and changes nothing.
func TestAcquirerChoicesMisuse(t *testing.T) {
	t.Parallel()
	c := newChoices(t)
	at := " --app " + c.app
	c.g.wantMistakes(t, map[string]mistake{
		"no such method": {c.env, "methods plutu --methods adfali,moamalat" + at, "", 2,
			`--methods: "moamalat" is none of adfali, sadad, cards, tlync`},
		"a method twice": {c.env, "methods plutu --methods adfali,adfali" + at, "", 2,
			"adfali is named twice"},
		"no method":  {c.env, "methods plutu --methods ," + at, "", 2, "at least one method"},
		"no methods": {c.env, "methods plutu" + at, "", 2, `"methods"`},
		"methods of no account": {c.env, "methods lypay --methods lypay" + at, "", 1,
			"no account with this acquirer"},
		"methods, no address": {c.base, "methods lypay --methods lypay" + at, "", 2, "DAFTAR_LYPAY_URL"},
		"limits of no method": {c.env, "limit plutu --min 5" + at, "", 2, `"method"`},
		"limits of another's method": {c.env, "limit plutu --method moamalat --min 5" + at, "", 2,
			`--method: "moamalat" is none of adfali`},
		"less than it takes": {c.env, "limit moamalat --method moamalat --min 0.999" + at, "", 2,
			"--min: moamalat takes amounts from 1.000 on"},
		"more than it takes": {c.env, "limit moamalat --method moamalat --max 1000000.001" + at, "", 2,
			"--max: moamalat takes amounts up to 1,000,000.000"},
		"limits that cross": {c.env, "limit plutu --method adfali --min 5 --max 4.999" + at, "", 2,
			"no amount is from 5.000 to 4.999"},
		"four decimals": {c.env, "limit plutu --method adfali --min 5.0001" + at, "", 2,
			`"5.0001" is no amount`},
		"nothing": {c.env, "limit plutu --method adfali --max 0" + at, "", 2,
			`"0" is no amount`},
		"less than nothing": {c.env, "limit plutu --method adfali --max=-5" + at, "", 2,
			`"-5" is no amount`},
		"limits of no account": {c.env, "limit lypay --method lypay --min 5" + at, "", 1,
			"no account with this acquirer"},
		"an order of nothing":    {c.env, "order" + at, "", 2, "at least 1 arg"},
		"an order of no account": {c.env, "order plutu lypay" + at, "", 1, "no account with this acquirer"},
		"an order with one twice": {c.env, "order plutu moamalat plutu" + at, "", 1,
			"no account with this acquirer"},
		"an order, no application": {c.env, "order plutu --app 7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b", "", 1,
			"no such application"},
	})
	c.want("plutu [adfali cards] map[]", "moamalat [moamalat] map[]")
}

// The help names the settings of every acquirer.
func TestAcquirerHelpNamesSettings(t *testing.T) {
	t.Parallel()
	g := newGateways(t)
	help := call(t, nil, "acquirer", "set", "--help")
	for name, settings := range g.settings {
		for setting := range settings {
			if !strings.Contains(help.out, setting) {
				t.Errorf("the help does not name %s of %s:\n%s", setting, name, help.out)
			}
		}
	}
}

package httpapi_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/httpapi"
)

func TestDecodeCreateNamesTheField(t *testing.T) {
	t.Parallel()
	const (
		nul     = `contains the NUL character (\u0000).`
		unicode = "is not well-formed Unicode: it contains invalid UTF-8 or one half of a surrogate pair."
		units   = "The amount must be an integer in minor units, " +
			"written without fraction or exponent: 5.000 LYD is 5000."
		low    = "The amount must be at least 1000 (1.000 LYD)."
		high   = "The amount must be at most 1000000000 (1,000,000.000 LYD)."
		object = "The customer must be an object. Leave it out where there is none."
	)
	for _, row := range []struct {
		rule, body, field, sentence string
	}{
		{"merchant_reference is required", bodyWith("merchant_reference", ""), "merchant_reference",
			"The merchant_reference is required."},
		{"merchant_reference null", bodyWith("merchant_reference", "null"), "merchant_reference",
			"The merchant_reference is required."},
		{"merchant_reference empty counts as missing", bodyWith("merchant_reference", `""`), "merchant_reference",
			"The merchant_reference is required."},
		{"merchant_reference is a string", bodyWith("merchant_reference", "17"), "merchant_reference",
			"The merchant_reference must be a string."},
		{"merchant_reference has 255 at most", bodyWith("merchant_reference", quoted("د", 256)),
			"merchant_reference", "The merchant_reference must be at most 255 characters."},
		{"merchant_reference NUL", bodyWith("merchant_reference", `"a\u0000"`), "merchant_reference",
			"The merchant_reference " + nul},
		{"merchant_reference lone high surrogate", bodyWith("merchant_reference", `"\ud800"`), "merchant_reference",
			"The merchant_reference " + unicode},
		{"merchant_reference lone low surrogate", bodyWith("merchant_reference", `"\uDC00x"`), "merchant_reference",
			"The merchant_reference " + unicode},
		{"merchant_reference bad UTF-8", bodyWith("merchant_reference", "\"\xff\""), "merchant_reference",
			"The merchant_reference " + unicode},
		{"merchant_reference surrogate in raw UTF-8", bodyWith("merchant_reference", "\"\xed\xa0\x80\""),
			"merchant_reference", "The merchant_reference " + unicode},
		{"merchant_reference overlong UTF-8", bodyWith("merchant_reference", "\"\xc0\x80\""), "merchant_reference",
			"The merchant_reference " + unicode},
		{"merchant_reference twice", `{"merchant_reference":"a",` + bodyWith()[1:], "merchant_reference",
			"The merchant_reference is given more than once."},
		{"a name twice by way of escapes", `{"\u0061mount":5000,` + bodyWith()[1:], "amount",
			"The amount is given more than once."},

		{"amount is required", bodyWith("amount", ""), "amount", "The amount is required."},
		{"amount in capitals is another name", bodyWith("amount", "", "Amount", "5000"), "amount",
			"The amount is required."},
		{"amount null", bodyWith("amount", "null"), "amount", "The amount is required."},
		{"amount in quotes", bodyWith("amount", `"5000"`), "amount",
			"The amount must be an integer in minor units, without quotes: 5.000 LYD is 5000."},
		{"amount as an empty string", bodyWith("amount", `""`), "amount", "The amount is required."},
		{"amount with exponent", bodyWith("amount", "1e3"), "amount", units},
		{"amount with capital exponent", bodyWith("amount", "1E+3"), "amount", units},
		{"amount with a fraction of zero", bodyWith("amount", "1000.0"), "amount", units},
		{"amount in dinars", bodyWith("amount", "5.000"), "amount", units},
		{"amount true", bodyWith("amount", "true"), "amount", units},
		{"amount list", bodyWith("amount", "[5000]"), "amount", units},
		{"amount object", bodyWith("amount", `{"minor":5000}`), "amount", units},
		{"amount too small", bodyWith("amount", "999"), "amount", low},
		{"amount zero", bodyWith("amount", "0"), "amount", low},
		{"amount minus zero", bodyWith("amount", "-0"), "amount", low},
		{"amount negative", bodyWith("amount", "-5000"), "amount", low},
		{"amount negative of 26 digits", bodyWith("amount", "-11111111112222222222333333"), "amount", low},
		{"amount too large", bodyWith("amount", "1000000001"), "amount", high},
		{"amount beyond int64", bodyWith("amount", "9223372036854775808"), "amount", high},
		{"amount of 26 digits", bodyWith("amount", "11111111112222222222333333"), "amount", high},

		{"currency is required", bodyWith("currency", ""), "currency", "The currency is required."},
		{"currency empty", bodyWith("currency", `""`), "currency", "The currency is required."},
		{"currency is a string", bodyWith("currency", "434"), "currency", "The currency must be a string."},
		{"currency has exactly 3", bodyWith("currency", `"LY"`), "currency",
			"The currency must be exactly 3 characters."},
		{"currency has no more than 3", bodyWith("currency", `"LYD "`), "currency",
			"The currency must be exactly 3 characters."},
		{"currency in lower case", bodyWith("currency", `"lyd"`), "currency",
			"The currency must be an ISO 4217 code, in capitals: LYD."},
		{"currency of other letters", bodyWith("currency", `"د.ل"`), "currency",
			"The currency must be an ISO 4217 code, in capitals: LYD."},
		{"currency that is not supported", bodyWith("currency", `"USD"`), "currency",
			"The currency is not supported. The only one at present is LYD."},
		{"currency NUL", bodyWith("currency", `"LY\u0000"`), "currency", "The currency " + nul},

		{"customer null", bodyWith("customer", "null"), "customer", object},
		{"customer string", bodyWith("customer", `"customer-1"`), "customer", object},
		{"customer list", bodyWith("customer", "[1]"), "customer", object},
		{"customer list of an object", bodyWith("customer", "[{}]"), "customer", object},
		{"customer list of nothing, twice", bodyWith("customer", `[],"customer":[]`), "customer",
			"The customer is given more than once."},
		{"external_id list", bodyWith("customer", `{"external_id":[]}`), "customer.external_id",
			"The customer.external_id must be a string or null."},
		{"customer twice", bodyWith("customer", `{},"customer":{}`), "customer",
			"The customer is given more than once."},
		{"a stray name of the customer twice", bodyWith("customer", `{"a":1,"a":2}`), "customer",
			"A name in the customer is given more than once."},
		{"a stray name of the customer broken", bodyWith("customer", `{"\ud800":1}`), "customer",
			"A name in the customer " + unicode},
		{"a stray string of the customer broken", bodyWith("customer", `{"a":["\u0000"]}`), "customer",
			"A name or string in the customer " + nul},
		{"external_id is a string", bodyWith("customer", `{"external_id":7}`), "customer.external_id",
			"The customer.external_id must be a string or null."},
		{"external_id has 255 at most", bodyWith("customer", `{"external_id":`+quoted("x", 256)+`}`),
			"customer.external_id", "The customer.external_id must be at most 255 characters."},
		{"external_id twice", bodyWith("customer", `{"external_id":"a","external_id":"a"}`), "customer.external_id",
			"The customer.external_id is given more than once."},
		{"external_id NUL", bodyWith("customer", `{"external_id":"\u0000"}`), "customer.external_id",
			"The customer.external_id " + nul},

		{"return_url empty", bodyWith("return_url", `""`), "return_url",
			"The return_url must be an absolute URI, such as https://shop.example/orders/1."},
		{"expires_at empty", bodyWith("expires_at", `""`), "expires_at",
			"The expires_at must be an ISO 8601 date-time with an offset, such as 2026-11-21T10:00:00Z."},
		{"description of spaces", bodyWith("description", `" \t\n\u00a0"`), "description",
			"The description must contain a visible character."},
		{"description of what is invisible", bodyWith("description", `"\u200b\u3164\u2800\u0301\ufe0f\u00ad"`),
			"description", "The description must contain a visible character."},
		{"description is required", bodyWith("description", ""), "description", "The description is required."},
		{"description empty", bodyWith("description", `""`), "description", "The description is required."},
		{"description is a string", bodyWith("description", "{}"), "description",
			"The description must be a string."},
		{"description has 255 at most", bodyWith("description", quoted("😀", 256)), "description",
			"The description must be at most 255 characters."},
		{"description half a pair", bodyWith("description", `"\ud83d x"`), "description",
			"The description " + unicode},

		{"return_url is a string", bodyWith("return_url", "false"), "return_url",
			"The return_url must be a string or null."},
		{"return_url has 2048 at most",
			bodyWith("return_url", `"https://shop.example/`+strings.Repeat("x", 2028)+`"`),
			"return_url", "The return_url must be at most 2048 characters."},
		{"return_url is checked", bodyWith("return_url", `"/orders/1"`), "return_url",
			"The return_url must be an absolute URI, such as https://shop.example/orders/1."},

		{"metadata is an object", bodyWith("metadata", "[{}]"), "metadata",
			"The metadata must be an object or null."},
		{"metadata is no string", bodyWith("metadata", `""`), "metadata",
			"The metadata must be an object or null."},
		{"metadata has 20 keys at most", bodyWith("metadata", pairs(21)), "metadata",
			"The metadata must have at most 20 keys; it has 21."},
		{"metadata key has 40 at most", bodyWith("metadata", `{`+quoted("ك", 41)+`:"v"}`),
			"metadata." + strings.Repeat("ك", 41), "A metadata key must be at most 40 characters."},
		{"metadata value is a string", bodyWith("metadata", `{"a":1}`), "metadata.a",
			"A metadata value must be a string."},
		{"metadata value is not null", bodyWith("metadata", `{"a":null}`), "metadata.a",
			"A metadata value must be a string."},
		{"metadata value is no object", bodyWith("metadata", `{"a":{"b":"c"}}`), "metadata.a",
			"A metadata value must be a string."},
		{"metadata value has 255 at most", bodyWith("metadata", `{"a":`+quoted("ق", 256)+`}`), "metadata.a",
			"A metadata value must be at most 255 characters."},
		{"metadata key twice", bodyWith("metadata", `{"a":"1","a":"2"}`), "metadata.a",
			"The metadata key is given more than once."},
		{"metadata key broken", bodyWith("metadata", `{"a\ud800":"1"}`), "metadata", "A metadata key " + unicode},
		{"metadata key NUL", bodyWith("metadata", `{"a\u0000":"1"}`), "metadata", "A metadata key " + nul},
		{"metadata value NUL", bodyWith("metadata", `{"a":"\u0000"}`), "metadata.a", "The metadata value " + nul},

		{"expires_at is a string", bodyWith("expires_at", "1795255200"), "expires_at",
			"The expires_at must be a string or null."},
		{"expires_at NUL", bodyWith("expires_at", `"\u0000"`), "expires_at", "The expires_at " + nul},
		{"expires_at is checked", bodyWith("expires_at", `"2026-11-21T10:00:00"`), "expires_at",
			"The expires_at must end with an offset from UTC: Z, or for example +02:00."},
	} {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			_, err := httpapi.DecodeCreate([]byte(row.body))
			var invalid *httpapi.InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("%s\ngot %v, want a violated field", row.body, err)
			}
			want := []httpapi.Violation{{Field: row.field, Sentences: []string{row.sentence}}}
			if diff := cmp.Diff(want, invalid.Violations); diff != "" {
				t.Errorf("%s\n%s", row.body, diff)
			}
		})
	}
}

// A validation error has all violated fields, in the order of the specification.
func TestDecodeCreateNamesAllFieldsAtOnce(t *testing.T) {
	t.Parallel()
	_, err := httpapi.DecodeCreate([]byte(`{"expires_at":1,"metadata":{"a":1,"b":"\ud800"},` +
		`"return_url":"x","description":"","customer":{"external_id":5},"amount":"7",` +
		`"merchant_reference":"\u0000"}`))
	var invalid *httpapi.InvalidError
	if !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	var fields []string
	for _, v := range invalid.Violations {
		fields = append(fields, v.Field)
	}
	want := []string{
		"merchant_reference", "amount", "currency", "customer.external_id", "description", "return_url",
		"metadata.a", "metadata.b", "expires_at",
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Error(diff)
	}
	const message = `The merchant_reference contains the NUL character (\u0000). (and 8 more errors)`
	if got := invalid.Message(); got != message {
		t.Errorf("message %q, want %q", got, message)
	}
}

func TestDecodeCreateRefusesWhatIsNoObject(t *testing.T) {
	t.Parallel()
	const cannot = "The body cannot be read as JSON: "
	const unicode = "is not well-formed Unicode: it contains invalid UTF-8 or one half of a surrogate pair"
	for _, row := range []struct{ rule, body, sentence string }{
		{"nothing", "", "The body is empty. It must be a JSON object."},
		{"white space", " \n", "The body is empty. It must be a JSON object."},
		{"null", "null", "The body must be a JSON object."},
		{"list", "[]", "The body must be a JSON object."},
		{"string", `"a"`, "The body must be a JSON object."},
		{"number", "1", "The body must be a JSON object."},
		{"byte order mark", "\xef\xbb\xbf" + bodyWith(), cannot + "it begins with a byte order mark."},
		{"cut off", bodyWith()[:20], cannot + "it ends in the middle of a value."},
		{"cut off after a name", `{"amount"`, cannot + "it ends in the middle of a value."},
		{"a second value", bodyWith() + "{}",
			cannot + "something follows the end of the JSON value (line 1, column 88)."},
		{"a stray brace", bodyWith() + "}",
			cannot + "invalid character '}' at start of value (line 1, column 88)."},
		{"where, in lines and characters", "{\n\"د\": 1,\n \"دد\" 2}",
			cannot + "invalid character '2' after object name (expecting ':') (line 3, column 7)."},
		{"single quotes", `{'a':1}`, cannot + `invalid character '\'' at start of value (line 1, column 2).`},
		{"leading zero", bodyWith("amount", "05000"),
			cannot + "invalid character '5' after object value (expecting ',' or '}') (line 1, column 43)."},
		{"control character in a string", bodyWith("description", "\"a\nb\""),
			cannot + `invalid character '\n' in string (expecting non-control character) (line 1, column 80).`},
		{"raw NUL", bodyWith("description", "\"a\x00b\""),
			cannot + `invalid character '\x00' in string (expecting non-control character) (line 1, column 80).`},
		{"not a number", bodyWith("amount", "NaN"),
			cannot + "invalid character 'N' at start of value (line 1, column 42)."},
		{"33 levels", bodyWith("x", strings.Repeat("[", 32)+strings.Repeat("]", 32)),
			cannot + "objects and arrays are nested deeper than 32 levels (line 1, column 123)."},
		{"unknown name twice", bodyWith("x", `1,"x":2`),
			cannot + "a name is given more than once (line 1, column 94)."},
		{"unknown name twice further down", bodyWith("x", `[{"y":1,"y":2}]`),
			cannot + "a name or string is given more than once (line 1, column 100)."},
		{"unknown name broken", `{"\ud800":1,` + bodyWith()[1:],
			cannot + "a name " + unicode + " (line 1, column 2)."},
		{"unknown string broken", bodyWith("x", `"\udfff"`),
			cannot + "a name or string " + unicode + " (line 1, column 92)."},
		{"unknown string NUL in an object", bodyWith("x", `{"y":"\u0000"}`),
			cannot + `a name or string contains the NUL character (\u0000) (line 1, column 97).`},
		{"unknown name NUL in an object", bodyWith("x", `{"\u0000":1}`),
			cannot + `a name or string contains the NUL character (\u0000) (line 1, column 93).`},
		{"unknown string NUL", bodyWith("x", `["\u0000"]`),
			cannot + `a name or string contains the NUL character (\u0000) (line 1, column 93).`},
	} {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			_, err := httpapi.DecodeCreate([]byte(row.body))
			var malformed *httpapi.MalformedError
			if !errors.As(err, &malformed) {
				t.Fatalf("%s\ngot %v, want a malformed body", row.body, err)
			}
			if malformed.Sentence != row.sentence {
				t.Errorf("%s\ngot  %s\nwant %s", row.body, malformed.Sentence, row.sentence)
			}
		})
	}
}

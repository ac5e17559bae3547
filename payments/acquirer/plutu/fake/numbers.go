package fake

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"daftar/payments/acquirer/fake"
)

// behaviour is what a mobile number causes.
type behaviour struct {
	begin     string     // the error that the beginning is answered with
	framework bool       // the beginning is answered with the framework's error
	beginning fake.Fault // what happens to the answer to the beginning
	confirm   string     // the error that the confirmation is answered with
	taken     bool       // the money is taken anyway
	slow      bool       // the confirmation is answered late
	more      int64      // how much more is taken, in dirham
	answer    fake.Fault // what happens to the answer to the confirmation
	messages  []string   // kinds of messages that T-Lync posts; nil: one that is genuine
	early     bool       // T-Lync is paid before its page is opened
}

// behaviours are by the last seven digits.
var behaviours = map[string]behaviour{
	"0000001": {taken: true, answer: fake.HangAfter},
	"0000002": {answer: fake.HangAfter},
	"0000003": {taken: true, answer: fake.HTMLAfter},
	"0000004": {taken: true, confirm: "BACKEND_SERVER_ERROR"},
	"0000005": {confirm: "BACKEND_SERVER_ERROR"},
	"0000006": {confirm: "INSUFFICIENT_BALANCE"},
	"0000007": {taken: true, confirm: "CONFIRMATION_ERROR"},
	"0000008": {confirm: "CONFIRMATION_ERROR"},
	"0000009": {more: 10},
	"0000010": {taken: true, answer: fake.Empty},
	"0000011": {begin: "INVALID_MOBILE_NUMBER"},
	"0000012": {begin: "OTP_WAIT_BEFORE_RESNED"},
	"0000013": {begin: "TOO_MANY_REQUESTS"},
	"0000014": {begin: "MAINTENANCE_MODE"},
	"0000015": {begin: "UNAUTHORIZED"},
	"0000016": {framework: true},
	"0000017": {begin: "BACKEND_ERROR"},
	"0000018": {beginning: fake.HangAfter},
	"0000019": {slow: true},
	"0000021": {messages: []string{}},
	"0000022": {messages: []string{kindPaid, kindPaid}},
	"0000023": {messages: []string{kindForged, kindAltered, kindRepointed, kindPaid}},
	"0000024": {early: true},
}

// behaviourOf returns the behaviour of a well-formed number.
func behaviourOf(gateway, phone string) behaviour {
	if phone == "" {
		return behaviour{} // of a card payment
	}
	tail := phone[3:]
	b := behaviours[tail]
	if b.begin == "INVALID_MOBILE_NUMBER" && gateway == "sadadapi" {
		b.begin = "INVALID_MOBILE_NUMBER_OR_BIRTH_YEAR"
	}
	place, err := strconv.Atoi(tail[4:])
	if err != nil || place >= len(errorCodes) {
		return b
	}
	switch tail[:4] {
	case "0001":
		b.begin = errorCodes[place].name
	case "0002":
		b.confirm = errorCodes[place].name
	case "0003":
		b.confirm, b.taken = errorCodes[place].name, true
	}
	return b
}

// fields are a form, or a result.
type fields url.Values

func (f fields) get(name string) string { return url.Values(f).Get(name) }

// form has the fields of a call. A field whose form is nil may have any value.
type form struct {
	required, optional map[string]*regexp.Regexp
}

var (
	phoneForm   = regexp.MustCompile(`^09[1-6][0-9]{7}$`)
	amountForm  = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,2})?$`)
	invoiceForm = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	digitsForm  = regexp.MustCompile(`^[0-9]+$`)
	yearForm    = regexp.MustCompile(`^(19[4-9]|20[0-9])[0-9]$`)
	langForm    = regexp.MustCompile(`^(ar|en)$`)
)

// wrong returns the fields that are missing, malformed, repeated or unknown.
func (f fields) wrong(want form) []string {
	var wrong []string
	for name, values := range f {
		shape, known := want.required[name]
		if !known {
			shape, known = want.optional[name]
		}
		if !known || len(values) != 1 || shape != nil && !shape.MatchString(values[0]) {
			wrong = append(wrong, name)
		}
	}
	for name := range want.required {
		if f.get(name) == "" {
			wrong = append(wrong, name)
		}
	}
	return wrong
}

// dirham reads an amount of amountForm.
func dirham(amount string) int64 {
	whole, fraction, _ := strings.Cut(amount, ".")
	n, err := strconv.ParseInt(whole+(fraction + "000")[:3], 10, 64)
	if err != nil {
		panic("fake: amount has not its form: " + err.Error())
	}
	return n
}

// dinars writes an amount with two decimals, or three if it needs them.
func dinars(dirham int64) string {
	fraction := strconv.FormatInt(1000+dirham%1000, 10)[1:]
	return strconv.FormatInt(dirham/1000, 10) + "." + strings.TrimSuffix(fraction, "0")
}

// Grouped writes an amount with commas between thousands, as PHP's number_format does.
func Grouped(amount string) string {
	whole, fraction, _ := strings.Cut(amount, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	return whole + "." + fraction
}

// number writes a value as a JSON number, as PHP does: 12.50 becomes 12.5.
func number(s string) jsontext.Value {
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return jsontext.Value(s)
}

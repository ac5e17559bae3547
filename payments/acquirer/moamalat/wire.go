package moamalat

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

// Paths of the gateway.
const (
	scriptPath = "/js/lightbox.js"
	filterPath = "/cube/paylink.svc/api/FilterTransactions"
	refundPath = "/cube/paylink.svc/api/RefundTransaction"
)

// configuration is the argument of Lightbox.Checkout.configure, without the callbacks. The amount
// is a number, as the known clients pass it; the hash covers its digits.
type configuration struct {
	MID               string
	TID               string
	AmountTrxn        int64 // dirham
	MerchantReference string
	TrxDateTime       string
	SecureHash        string
}

// filterRequest is the request for transactions. All values are strings in the documentation.
type filterRequest struct {
	MerchantReference string
	TerminalId        string
	MerchantId        string
	DisplayLength     string
	DisplayStart      string
	DateTimeLocalTrxn string
	DateFrom          string `json:",omitzero"`
	DateTo            string `json:",omitzero"`
	SecureHash        string
}

type filterAnswer struct {
	verdict
	TotalCountAllTransaction text
	Transactions             []struct {
		DateTransactions []transaction
	}
}

// transaction is a row of the list.
type transaction struct {
	Status            text // Approved or Declined
	TransType         text
	AmountTrxn        text
	Currency          text
	RRN               text // NetworkReference elsewhere
	MerchantReference text
	TransactionId     text // SystemReference elsewhere
	IsRefund          text
}

// refundRequest names the sale by one of the two references.
type refundRequest struct {
	SystemReference   string `json:",omitzero"`
	NetworkReference  string `json:",omitzero"`
	AmountTrxn        string // dirham
	TerminalId        string
	MerchantId        string
	DateTimeLocalTrxn string
	SecureHash        string
}

type refundAnswer struct {
	verdict
	RefNumber text
}

// verdict is in every answer.
type verdict struct {
	Message text
	Success text
}

func (v verdict) succeeded() bool { return strings.EqualFold(string(v.Success), "true") }

// failureForm is the number before the gateway's messages: CUBEEX5250616:Transaction Already Refunded.
var failureForm = regexp.MustCompile(`^(CUBEEX[0-9]{1,12}):\s*`)

// says reports whether this is the gateway's message, ignoring its number, its case and a full
// stop.
func (v verdict) says(message string) bool {
	text := failureForm.ReplaceAllString(strings.TrimSpace(string(v.Message)), "")
	return strings.EqualFold(strings.TrimSuffix(text, "."), message)
}

// failure returns an error with the number of the message, where it has one. It leaves the text
// out, which may have data that must not be logged.
func (v verdict) failure() error {
	if found := failureForm.FindStringSubmatch(string(v.Message)); found != nil {
		return errors.New("gateway refuses with " + found[1])
	}
	return errors.New("gateway refuses")
}

// accountRefused reports whether the gateway itself refuses the keys or the numbers.
func (v verdict) accountRefused() bool { return !v.succeeded() && v.says("Authentication failed") }

type text = exchange.Text

// decode reads the gateway's JSON, whatever the case of its names. The error has no cause,
// because that could repeat a value.
func decode(body []byte, into any) error {
	if json.Unmarshal(body, into, json.MatchCaseInsensitiveNames(true)) != nil {
		return errors.New("decode JSON: it is not what the protocol gives")
	}
	return nil
}

// hashOf is the SecureHash of the fields: the HMAC-SHA256, in capitals, of name=value in the
// order of the names, without percent-encoding, which the values do not need.
func hashOf(key []byte, fields map[string]string) string {
	return strings.ToUpper(hex.EncodeToString(macOf(key, fields)))
}

func macOf(key []byte, fields map[string]string) []byte {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		pairs = append(pairs, name+"="+fields[name])
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(strings.Join(pairs, "&")))
	return mac.Sum(nil)
}

func parseKey(setting, value string) ([]byte, error) {
	if value == "" {
		return nil, &acquirer.SettingsError{Setting: setting, Problem: "is missing"}
	}
	key, err := hex.DecodeString(value)
	if err != nil {
		return nil, &acquirer.SettingsError{Setting: setting, Problem: "is not hexadecimal"}
	}
	return key, nil
}

// amountForm takes no sign, exponent or separator of thousands.
var amountForm = regexp.MustCompile(`^([0-9]{1,15})(?:\.([0-9]{1,3}))?$`)

// parseMoney reads an amount of a list: digits alone are dirham, with a point they are
// dinars.
func parseMoney(amount, currency text) (domain.Money, error) {
	if !strings.EqualFold(string(currency), "LYD") && currency != "434" {
		return domain.Money{}, errors.New("read amount: the currency is not LYD")
	}
	parts := amountForm.FindStringSubmatch(string(amount))
	if parts == nil {
		return domain.Money{}, errors.New("read amount: it is not a number of dirham or dinars")
	}
	digits := parts[1]
	if parts[2] != "" {
		digits += (parts[2] + "00")[:3]
	}
	minor, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || minor <= 0 {
		return domain.Money{}, errors.New("read amount: it is not positive")
	}
	return domain.Money{Minor: minor, Currency: domain.LYD}, nil
}

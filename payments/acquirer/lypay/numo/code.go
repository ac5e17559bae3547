package numo

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxText is how many bytes a text may have.
const maxText = 512

// Code is the content of a NUMO QR code. Fields without a value are left out of the text.
type Code struct {
	Dynamic           bool   // 01: made for one payment
	Name              string // 27: of the account
	Schema            string // 28: IBAN or Alias
	Account           string // 29
	BankCode          string // 30
	BankName          string // 30: without it, the tag has only the code
	Transaction       string // 31
	MerchantReference string // 51
	Amount            int64  // 54, in dirham; 0: the payer types it
	Merchant          string // 59
	City              string // 60
	BillNumber        string // 62, 01
	ReferenceLabel    string // 62, 05
}

// Constant fields: version 1, Libyan dinars, Libya; static or dynamic.
const (
	version  = "01"
	static   = "11"
	dynamic  = "12"
	currency = "434"
	country  = "LY"
)

// Encode writes the text of the code.
func (c Code) Encode(how Checksum) (string, error) {
	if how != EMV && how != App {
		return "", errors.New("encode NUMO code: there is no such checksum")
	}
	text, err := c.encode()
	if err != nil {
		return "", fmt.Errorf("encode NUMO code: %w", err)
	}
	text += checksumTag + how.of(text)
	if len(text) > maxText {
		return "", errors.New("encode NUMO code: the text is too long")
	}
	return text, nil
}

func (c Code) encode() (string, error) {
	kind, amount, bank := static, "", c.BankCode
	if c.Dynamic {
		kind = dynamic
	}
	switch {
	case c.Amount > 0:
		amount = fmt.Sprintf("%d.%03d", c.Amount/1000, c.Amount%1000)
	case c.Amount < 0:
		return "", errors.New("the amount is negative")
	}
	if c.BankName != "" {
		nested, err := join(field{"01", c.BankCode}, field{"02", c.BankName})
		if err != nil {
			return "", err
		}
		bank = nested
	}
	additional, err := join(field{"01", c.BillNumber}, field{"05", c.ReferenceLabel})
	if err != nil {
		return "", err
	}
	return join(
		field{"00", version}, field{"01", kind},
		field{"27", c.Name}, field{"28", c.Schema}, field{"29", c.Account}, field{"30", bank},
		field{"31", c.Transaction}, field{"51", c.MerchantReference},
		field{"53", currency}, field{"54", amount}, field{"58", country},
		field{"59", c.Merchant}, field{"60", c.City}, field{"62", additional},
	)
}

// Parse reads the text of a code.
func Parse(text string) (Code, error) {
	if len(text) > maxText || !utf8.ValidString(text) {
		return Code{}, errors.New("parse NUMO code: the text is too long or not UTF-8")
	}
	end := len(text) - len(checksumTag) - 4
	if end < 0 || !strings.HasPrefix(text[end:], checksumTag) {
		return Code{}, errors.New("parse NUMO code: the text does not end with a checksum")
	}
	if !isRight(text[:end], text[end+len(checksumTag):]) {
		return Code{}, errors.New("parse NUMO code: the checksum is wrong")
	}
	code, err := parse(text[:end], characters)
	if err == nil {
		return code, nil
	}
	if code, inBytes := parse(text[:end], bytesOf); inBytes == nil {
		return code, nil
	}
	return Code{}, fmt.Errorf("parse NUMO code: %w", err)
}

func parse(text string, units func(string) []string) (Code, error) {
	fields, err := split(units(text))
	if err != nil {
		return Code{}, err
	}
	for tag, want := range map[string]string{"00": version, "53": currency, "58": country} {
		if fields[tag] != want {
			return Code{}, fmt.Errorf("tag %s is not %s", tag, want)
		}
	}
	c := Code{
		Dynamic:           fields["01"] == dynamic,
		Name:              fields["27"],
		Schema:            fields["28"],
		Account:           fields["29"],
		Transaction:       fields["31"],
		MerchantReference: fields["51"],
		Merchant:          fields["59"],
		City:              fields["60"],
	}
	if !c.Dynamic && fields["01"] != static {
		return Code{}, errors.New("tag 01 is neither 11 nor 12")
	}
	for _, v := range fields {
		if !utf8.ValidString(v) {
			return Code{}, errors.New("a length ends within a character")
		}
	}
	if bank := fields["30"]; len(bank) == 3 && isDigits(bank) {
		c.BankCode = bank
	} else {
		nested, err := split(units(bank))
		if err != nil {
			return Code{}, fmt.Errorf("tag 30: %w", err)
		}
		c.BankCode, c.BankName = nested["01"], nested["02"]
	}
	additional, err := split(units(fields["62"]))
	if err != nil {
		return Code{}, fmt.Errorf("tag 62: %w", err)
	}
	c.BillNumber, c.ReferenceLabel = additional["01"], additional["05"]
	if c.Amount, err = parseAmount(fields["54"]); err != nil {
		return Code{}, err
	}
	return c, nil
}

var amountForm = regexp.MustCompile(`^([0-9]{1,9})(?:\.([0-9]{1,3}))?$`)

// parseAmount reads dinars as dirham. Banks leave the decimals of a whole amount out.
func parseAmount(dinars string) (int64, error) {
	if dinars == "" {
		return 0, nil
	}
	parts := amountForm.FindStringSubmatch(dinars)
	if parts == nil {
		return 0, errors.New("tag 54 is no amount of dinars")
	}
	dirham, err := strconv.ParseInt(parts[1]+(parts[2] + "000")[:3], 10, 64)
	if err != nil || dirham == 0 {
		return 0, errors.New("tag 54 is no amount of dinars")
	}
	return dirham, nil
}

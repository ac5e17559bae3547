package httpapi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"daftar/domain"
)

// Violation is what is wrong with one field.
type Violation struct {
	Field     string // dotted path: customer.external_id
	Sentences []string
}

// InvalidError is a request with violated fields, all of them, in the order of
// the specification. It is never empty.
type InvalidError struct{ Violations []Violation }

func (e *InvalidError) Error() string { return "invalid request: " + e.Message() }

// Message is the first sentence and the number of further ones.
func (e *InvalidError) Message() string {
	count := 0
	for _, v := range e.Violations {
		count += len(v.Sentences)
	}
	first := e.Violations[0].Sentences[0]
	switch count {
	case 1:
		return first
	case 2:
		return first + " (and 1 more error)"
	}
	return fmt.Sprintf("%s (and %d more errors)", first, count-1)
}

// validator collects violations, so that one answer has them all.
type validator struct{ violations []Violation }

func (v *validator) add(field, sentence string) {
	for n := range v.violations {
		if v.violations[n].Field == field {
			v.violations[n].Sentences = append(v.violations[n].Sentences, sentence)
			return
		}
	}
	v.violations = append(v.violations, Violation{field, []string{sentence}})
}

// fields are the fields of a create. Names must match exactly: encoding/json would accept
// Amount as amount.
var fields = map[string]bool{
	"merchant_reference": true, "amount": true, "currency": true, "customer": true, "description": true,
	"return_url": true, "metadata": true, "expires_at": true,
}

// validate checks the fields against the specification's constraints.
func validate(sent request) (domain.Create, error) {
	var v validator
	var c domain.Create
	c.MerchantReference = v.merchantReference(sent.field("merchant_reference"))
	c.Amount.Minor = v.amount(sent.field("amount"))
	c.Amount.Currency = v.currency(sent.field("currency"))
	c.CustomerID = v.customer(sent.field("customer"))
	c.Description = v.description(sent.field("description"))
	c.ReturnURL = v.returnURL(sent.field("return_url"))
	c.Metadata = v.metadata(sent.field("metadata"))
	c.ExpiresAt = v.expiresAt(sent.field("expires_at"))
	if len(v.violations) > 0 {
		return domain.Create{}, &InvalidError{v.violations}
	}
	return c, nil
}

// isNull reports whether a field was left out or is null.
func (n *node) isNull() bool { return n.kind == jsontext.KindInvalid || n.kind == jsontext.KindNull }

// notRepeated refuses a field whose name came twice: it is not known which of the values
// was meant.
func (v *validator) notRepeated(field string, n node) bool {
	if n.repeated != nil {
		v.add(field, "The "+field+" "+n.repeated.what+".")
		return false
	}
	return true
}

// present reports whether there is one value, and refuses a field that has none or two. The
// empty string counts as none.
func (v *validator) present(field string, n node) bool {
	if !v.notRepeated(field, n) {
		return false
	}
	if n.isNull() || n.kind == jsontext.KindString && n.text == "" {
		v.add(field, "The "+field+" is required.")
		return false
	}
	return true
}

// required reads a string that must be there.
func (v *validator) required(field string, n node, limit int) string {
	if !v.present(field, n) || !v.isString(field, "a string", n) || !v.within(field, n, limit) {
		return ""
	}
	return n.text
}

func (v *validator) merchantReference(n node) domain.MerchantReference {
	return domain.MerchantReference(v.required("merchant_reference", n, domain.MaxMerchantReference))
}

// description reads a text that customers see, so it needs a visible character.
func (v *validator) description(n node) string {
	const field = "description"
	sent := v.required(field, n, domain.MaxDescription)
	if sent != "" && !domain.HasVisible(sent) {
		v.add(field, "The description must contain a visible character.")
	}
	return sent
}

// optional reads a string that may be null. The empty string is a value: it is not treated as
// left out, even if a template produced it.
func (v *validator) optional(field string, n node, limit int) *string {
	if !v.notRepeated(field, n) || n.isNull() {
		return nil
	}
	if !v.isString(field, "a string or null", n) || !v.within(field, n, limit) {
		return nil
	}
	text := n.text // &n.text would move n to the heap in every call
	return &text
}

func (v *validator) isString(field, want string, n node) bool {
	switch {
	case n.kind != jsontext.KindString:
		v.add(field, "The "+field+" must be "+want+".")
		return false
	case n.fault != nil:
		v.add(field, "The "+field+" "+n.fault.what+".")
		return false
	}
	return true
}

// within counts code points: those are the specification's "characters".
func (v *validator) within(field string, n node, limit int) bool {
	if utf8.RuneCountInString(n.text) > limit {
		v.add(field, fmt.Sprintf("The %s must be at most %d characters.", field, limit))
		return false
	}
	return true
}

// amount reads what is to be paid.
func (v *validator) amount(n node) int64 {
	if !v.present("amount", n) {
		return 0
	}
	return v.minorUnits(n, domain.MinAmount)
}

// minorUnits reads an amount that is there, of at least so much. A number too long for an int64 is
// read as the nearest int64, so that the answer names the violated bound.
func (v *validator) minorUnits(n node, atLeast int64) int64 {
	const field = "amount"
	if n.kind == jsontext.KindString {
		v.add(field, "The amount must be an integer in minor units, without quotes: 5.000 LYD is 5000.")
		return 0
	}
	if n.kind != jsontext.KindNumber || strings.ContainsAny(n.text, ".eE") {
		v.add(field, "The amount must be an integer in minor units, "+
			"written without fraction or exponent: 5.000 LYD is 5000.")
		return 0
	}
	minor, err := strconv.ParseInt(n.text, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		panic("httpapi: the tokenizer let the number " + n.text + " through")
	}
	if minor < atLeast {
		least := domain.Money{Minor: atLeast, Currency: domain.LYD}
		v.add(field, fmt.Sprintf("The amount must be at least %d (%s).", least.Minor, least))
	}
	if minor > domain.MaxAmount {
		most := domain.Money{Minor: domain.MaxAmount, Currency: domain.LYD}
		v.add(field, fmt.Sprintf("The amount must be at most %d (%s).", most.Minor, most))
	}
	return minor
}

// currency reads the ISO 4217 code of a supported currency.
func (v *validator) currency(n node) domain.Currency {
	const field = "currency"
	if !v.present(field, n) || !v.isString(field, "a string", n) {
		return ""
	}
	code, err := domain.ParseCurrency(n.text)
	switch {
	case utf8.RuneCountInString(n.text) != 3:
		v.add(field, "The currency must be exactly 3 characters.")
	case strings.Trim(n.text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "":
		v.add(field, "The currency must be an ISO 4217 code, in capitals: LYD.")
	case err != nil:
		v.add(field, "The currency is not supported. The only one at present is LYD.")
	}
	return code
}

// customer reads the merchant's identifier for the customer. The specification
// allows null for other fields, not for this one. The empty array is what PHP makes of an
// empty map.
func (v *validator) customer(n node) *string {
	const field = "customer"
	if !v.notRepeated(field, n) || n.kind == jsontext.KindInvalid {
		return nil
	}
	if n.kind != jsontext.KindBeginObject && !n.empty {
		v.add(field, "The customer must be an object. Leave it out where there is none.")
		return nil
	}
	var id node
	for _, m := range n.members {
		switch {
		case m.nameFault != nil:
			v.add(field, "A name in the customer "+m.nameFault.what+".")
		case m.name == "external_id":
			id = m.value
		case m.value.repeated != nil:
			v.add(field, "A name in the customer "+faultRepeated+".")
		case m.value.fault != nil:
			v.add(field, "A name or string in the customer "+m.value.fault.what+".")
		}
	}
	return v.optional("customer.external_id", id, domain.MaxCustomerExternalID)
}

// metadata reads pairs of strings in the order in which they were sent. The empty array
// is what PHP makes of an empty map.
func (v *validator) metadata(n node) domain.Metadata {
	const field = "metadata"
	if !v.notRepeated(field, n) || n.isNull() {
		return nil
	}
	if n.kind != jsontext.KindBeginObject && !n.empty {
		v.add(field, "The metadata must be an object or null.")
		return nil
	}
	if len(n.members) > domain.MaxMetadataPairs {
		v.add(field, fmt.Sprintf("The metadata must have at most %d keys; it has %d.",
			domain.MaxMetadataPairs, len(n.members)))
		// The rest is not checked: an answer should not be longer than its request.
		n.members = n.members[:domain.MaxMetadataPairs]
	}
	pairs := make(domain.Metadata, 0, len(n.members))
	for _, m := range n.members {
		if m.nameFault != nil {
			// The answer cannot contain such a key, so it names the metadata.
			v.add(field, "A metadata key "+m.nameFault.what+".")
			continue
		}
		v.pair(m)
		pairs = append(pairs, domain.MetadataPair{Key: m.name, Value: m.value.text})
	}
	return pairs
}

func (v *validator) pair(m member) {
	add := func(sentence string) { v.add("metadata."+m.name, sentence) }
	if m.value.repeated != nil {
		add("The metadata key " + faultRepeated + ".")
	}
	if utf8.RuneCountInString(m.name) > domain.MaxMetadataKey {
		add(fmt.Sprintf("A metadata key must be at most %d characters.", domain.MaxMetadataKey))
	}
	switch {
	case m.value.kind != jsontext.KindString:
		add("A metadata value must be a string.")
	case m.value.fault != nil:
		add("The metadata value " + m.value.fault.what + ".")
	case utf8.RuneCountInString(m.value.text) > domain.MaxMetadataValue:
		add(fmt.Sprintf("A metadata value must be at most %d characters.", domain.MaxMetadataValue))
	}
}

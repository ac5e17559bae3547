package reconcile

import (
	"fmt"
	"slices"
	"strings"
)

// Field is what a column of a statement holds.
type Field string

// The fields. A statement has an amount, or credits, and a reference, the provider's
// number or a narrative.
const (
	Reference Field = "reference"          // ours: the attempt's id or its beginning
	Number    Field = "provider_reference" // the provider's own number
	Amount    Field = "amount"
	Credit    Field = "credit"    // what came in; with Debit in place of Amount
	Debit     Field = "debit"     // what went out
	Narrative Field = "narrative" // a text that may have our reference in it
	Currency  Field = "currency"  // without the column: dinars
	Time      Field = "time"      // a day, or a moment; without a zone: Tripoli's
	Status    Field = "status"    // without the column: every line counts
	Type      Field = "type"      // without the column: the sign says what is a refund
)

// Fields lists them in the order in which a profile looks for them.
var Fields = []Field{Reference, Number, Amount, Credit, Debit, Narrative, Currency, Time, Status, Type}

// Unit is what the number in the column of amounts counts.
type Unit string

// The units. Dirhams are whole numbers; dinars have at most three decimals.
const (
	Dinars  Unit = "dinars"
	Dirhams Unit = "dirhams"
)

// Profile says how the statements of a provider read.
type Profile struct {
	Acquirer string // its name in events
	Unit     Unit
	// ReferenceLength is that of the acquirer's capability: how many characters of the
	// attempt's id the provider knows; 0: all.
	ReferenceLength int

	names map[Field][]string // of the columns in the provider's API, normal, the best first
}

// profiles have the names of the providers' own protocols.
var profiles = []Profile{
	{Acquirer: "moamalat", Unit: Dirhams, names: map[Field][]string{
		Reference: {"merchantreference"},
		Number:    {"transactionid", "systemreference", "rrn", "networkreference"},
		Amount:    {"amounttrxn", "amount"},
		Currency:  {"currency"},
		Time:      {"txndatetime", "datetimelocaltrxn", "txndate"},
		Status:    {"status"},
		Type:      {"transtype", "txntype"},
	}},
	{Acquirer: "plutu", Unit: Dinars, names: map[Field][]string{
		Reference: {"invoiceno"},
		Number:    {"transactionid"},
		Amount:    {"amount"},
		Status:    {"approved"},
	}},
	{Acquirer: "lypay", Unit: Dirhams, ReferenceLength: 25, names: map[Field][]string{
		Reference: {"internalmerchantreference", "referencelabel", "billnumber"},
		Number:    {"paymentreference", "rrn", "rnn"},
		Amount:    {"creditoramount", "amount"},
		Currency:  {"currency"},
		Time:      {"transactiondatetime", "timestamp", "transactiontimestamp"},
		Status:    {"status"},
		Type:      {"transactiontype"},
	}},
	{Acquirer: "sandbox", Unit: Dirhams, names: map[Field][]string{
		Reference: {"id"},
		Number:    {"reference"},
		Amount:    {"amount"},
		Currency:  {"currency"},
		Time:      {"takenat"},
		Status:    {"state"},
	}},
}

// Acquirers are the names of those with a profile.
func Acquirers() []string {
	names := make([]string, len(profiles))
	for n, p := range profiles {
		names[n] = p.Acquirer
	}
	return names
}

// ProfileOf is the profile of an acquirer; false: it has none.
func ProfileOf(acquirer string) (Profile, bool) {
	at := slices.IndexFunc(profiles, func(p Profile) bool { return p.Acquirer == acquirer })
	if at < 0 {
		return Profile{}, false
	}
	return profiles[at], true
}

// key is under which a payment is looked up by our reference: an attempt's id, or what a
// statement has of it.
func (p Profile) key(reference string) string {
	if p.ReferenceLength > 0 && len(reference) > p.ReferenceLength {
		reference = reference[:p.ReferenceLength]
	}
	return strings.ToLower(reference)
}

// ParseColumns reads which column of a file holds which field, as in
// reference=Order,amount=Total. A field without a name is not read from the file.
func ParseColumns(text string) (map[Field]string, error) {
	columns := map[Field]string{}
	for part := range strings.SplitSeq(text, ",") {
		field, name, pair := strings.Cut(part, "=")
		f := Field(strings.TrimSpace(field))
		switch _, twice := columns[f]; {
		case !pair || !slices.Contains(Fields, f):
			return nil, fmt.Errorf("%q is not FIELD=COLUMN with a field of %v", part, Fields)
		case twice:
			return nil, fmt.Errorf("%s is named twice", f)
		case f == Amount && strings.TrimSpace(name) == "":
			return nil, fmt.Errorf("%s needs a column", f)
		}
		columns[f] = strings.TrimSpace(name)
	}
	return columns, nil
}
